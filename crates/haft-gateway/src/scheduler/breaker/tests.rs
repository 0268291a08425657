use super::*;

fn opened() -> (Breaker, Instant) {
    let (mut breaker, now) = (Breaker::default(), Instant::now());
    assert_eq!(comes(&mut breaker, Verdict::Gone, now), Some(FIRST_PAUSE));
    (breaker, now)
}

/// The result of one request.
fn comes(breaker: &mut Breaker, verdict: Verdict, now: Instant) -> Option<Duration> {
    let entered = breaker.enter();
    breaker.judge(entered, verdict, now)
}

#[tokio::test]
async fn results_of_requests_from_before_it_opened_are_ignored() {
    let (mut breaker, now) = (Breaker::default(), Instant::now());
    let early = breaker.enter();
    assert!(comes(&mut breaker, Verdict::Gone, now).is_some());
    breaker.began(early);
    breaker.judge(early, Verdict::Works, now);
    assert!(!breaker.allows(now));
    breaker.answers();
    let trying = breaker.enter();
    breaker.judge(early, Verdict::Failed, now);
    breaker.judge(trying, Verdict::Works, now);
    assert!(breaker.is_closed());
    // It was used although it was open, because there was no other, and it works.
    let (mut breaker, now) = opened();
    comes(&mut breaker, Verdict::Works, now);
    assert!(breaker.is_closed());
}

#[tokio::test]
async fn failures_in_a_row_open_it_and_a_success_between_them_does_not() {
    let (mut breaker, now) = (Breaker::default(), Instant::now());
    for _ in 0..FAILURES - 1 {
        assert_eq!(comes(&mut breaker, Verdict::Failed, now), None);
    }
    comes(&mut breaker, Verdict::Works, now);
    for _ in 0..FAILURES - 1 {
        assert_eq!(comes(&mut breaker, Verdict::Failed, now), None);
        assert!(breaker.allows(now));
    }
    assert_eq!(comes(&mut breaker, Verdict::Failed, now), Some(FIRST_PAUSE));
    assert!(!breaker.allows(now));
    // One failure is enough if nothing listens there.
    assert!(!opened().0.allows(now));
}

#[tokio::test]
async fn half_open_one_request_decides() {
    let (mut breaker, now) = opened();
    breaker.answers();
    assert!(breaker.allows(now));
    let trying = breaker.enter();
    assert!(!breaker.allows(now), "only one");
    let pause = breaker.judge(trying, Verdict::Failed, now);
    assert_eq!(pause, Some(FIRST_PAUSE * 2));
    breaker.answers();
    let trying = breaker.enter();
    // The client disconnected, which shows nothing.
    assert_eq!(breaker.judge(trying, Verdict::Nothing, now), None);
    assert!(breaker.allows(now));
    let trying = breaker.enter();
    breaker.began(trying);
    assert!(breaker.allows(now));
    assert!(breaker.judge(trying, Verdict::Failed, now).is_some());
    breaker.answers();
    comes(&mut breaker, Verdict::Works, now);
    assert!(breaker.is_closed());
    // The history is cleared.
    assert_eq!(comes(&mut breaker, Verdict::Gone, now), Some(FIRST_PAUSE));
}

#[tokio::test]
async fn pauses_grow_up_to_a_bound() {
    let (mut breaker, _) = opened();
    let pauses: Vec<_> = (0..7).map(|_| breaker.next_pause().as_secs()).collect();
    assert_eq!(pauses, [2, 4, 8, 16, 30, 30, 30]);
}

#[tokio::test]
async fn a_busy_server_rests_as_long_as_it_asks() {
    let (mut breaker, now) = (Breaker::default(), Instant::now());
    let busy = |wait: u64| {
        let error = ModelError::new(ModelErrorKind::RateLimited, "busy");
        Verdict::of(&error.with_retry_after(Duration::from_secs(wait)))
    };
    comes(&mut breaker, busy(7), now);
    assert!(!breaker.allows(now + Duration::from_secs(6)));
    assert!(breaker.allows(now + Duration::from_secs(7)));
    comes(&mut breaker, busy(100_000), now);
    assert!(breaker.allows(now + LONGEST_REST));
}

#[test]
fn a_refusal_counts_as_a_working_server() {
    let verdict = |kind| Verdict::of(&ModelError::new(kind, "x"));
    assert_eq!(verdict(ModelErrorKind::BadRequest), Verdict::Works);
    assert_eq!(verdict(ModelErrorKind::ContextOverflow), Verdict::Works);
    assert_eq!(verdict(ModelErrorKind::Server), Verdict::Failed);
    assert_eq!(verdict(ModelErrorKind::Connect), Verdict::Gone);
    assert_eq!(verdict(ModelErrorKind::ModelNotFound), Verdict::Nothing);
}
