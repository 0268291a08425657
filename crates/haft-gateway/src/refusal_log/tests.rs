use tokio::time::advance;

use super::*;

fn kind(status: u16) -> RefusalKind {
    RefusalKind {
        status,
        key: None,
        upstream: None,
    }
}

#[tokio::test(start_paused = true)]
async fn refusals_of_a_kind_are_one_line_in_ten_seconds() {
    let log = RefusalLog::default();
    assert_eq!(log.count(&kind(401), 1), Some(0));
    for _ in 0..412_000 {
        assert_eq!(log.count(&kind(401), 1), None);
    }
    assert_eq!(log.count(&kind(429), 1), Some(0));
    advance(PERIOD).await;
    assert_eq!(log.count(&kind(401), 1), Some(412_000));
    assert_eq!(log.count(&kind(401), 1), None);
}

#[tokio::test(start_paused = true)]
async fn the_number_of_kinds_is_bounded() {
    let log = RefusalLog::default();
    for number in 0..5000 {
        log.count(&kind(number), 1);
    }
    assert_eq!(log.0.lock().unwrap().len(), MOST_KINDS);
    advance(PERIOD).await;
    assert_eq!(log.count(&kind(5001), 1), Some(0));
}

#[tokio::test(start_paused = true)]
async fn the_first_failures_of_a_kind_are_logged_and_the_rest_is_counted() {
    let log = RefusalLog::default();
    for _ in 0..FAILURES {
        assert_eq!(log.note_failure(&kind(502)), Some(0));
    }
    for _ in 0..100 {
        assert_eq!(log.note_failure(&kind(502)), None);
    }
    advance(PERIOD).await;
    assert_eq!(log.note_failure(&kind(502)), Some(100));
    assert_eq!(log.note_failure(&kind(502)), Some(0));
}
