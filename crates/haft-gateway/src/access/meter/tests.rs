use tokio::time::advance;

use super::*;

const TOMORROW: Duration = Duration::from_secs(3600);

/// The meter of a gateway that is alone and does not reach the store.
fn meter(limits: &KeyLimits) -> Meter {
    Meter::new(limits, KeyUsage::default(), Division::Divided(1))
}

/// Why a request is refused.
fn refused(meter: &mut Meter, limits: &KeyLimits) -> Exceeded {
    match meter.admit(limits, TOMORROW) {
        Admission::Exceeded(exceeded) => exceeded,
        other => panic!("{other:?}"),
    }
}

fn admitted(meter: &mut Meter, limits: &KeyLimits) {
    assert_eq!(meter.admit(limits, TOMORROW), Admission::Admitted);
}

#[tokio::test(start_paused = true)]
async fn requests_of_a_minute_may_come_at_once_and_then_one_by_one() {
    let limits = KeyLimits {
        requests_per_minute: Some(6),
        ..KeyLimits::default()
    };
    let mut meter = meter(&limits);
    for _ in 0..6 {
        admitted(&mut meter, &limits);
    }
    let exceeded = refused(&mut meter, &limits);
    assert_eq!(exceeded.limit, LimitKind::RequestsPerMinute);
    assert_eq!(exceeded.retry_after.as_secs(), 10);
    advance(exceeded.retry_after).await;
    admitted(&mut meter, &limits);
    refused(&mut meter, &limits);
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_longer_than_the_limit_delays_the_next_request() {
    let limits = KeyLimits {
        tokens_per_minute: Some(1000),
        ..KeyLimits::default()
    };
    let mut meter = meter(&limits);
    admitted(&mut meter, &limits);
    meter.used(1500, 500);
    let exceeded = refused(&mut meter, &limits);
    assert_eq!(exceeded.limit, LimitKind::TokensPerMinute);
    assert!((60..=61).contains(&exceeded.retry_after.as_secs()));
    advance(exceeded.retry_after).await;
    admitted(&mut meter, &limits);
}

#[tokio::test(start_paused = true)]
async fn the_budget_of_a_day_counts_what_other_gateways_stored() {
    let limits = KeyLimits {
        tokens_per_day: Some(100),
        ..KeyLimits::default()
    };
    let mut meter = meter(&limits);
    admitted(&mut meter, &limits);
    meter.used(30, 30);
    assert_eq!(meter.begin_write().tokens(), 60);
    admitted(&mut meter, &limits);
    meter.used(20, 20);
    refused(&mut meter, &limits);
    meter.not_written();
    refused(&mut meter, &limits);
    assert_eq!(meter.begin_write().tokens(), 100);
    let stored = KeyUsage {
        requests: 9,
        input_tokens: 99,
        output_tokens: 1,
    };
    meter.written();
    meter.read(stored);
    let exceeded = refused(&mut meter, &limits);
    assert_eq!(exceeded.limit, LimitKind::TokensPerDay);
    assert_eq!(exceeded.retry_after, TOMORROW);
    // What was written is not written again, whatever is read.
    assert_eq!(meter.begin_write(), KeyUsage::default());
    meter.read(KeyUsage::default());
    admitted(&mut meter, &limits);
}

#[tokio::test(start_paused = true)]
async fn without_the_store_a_gateway_has_its_part_of_what_is_left_of_the_day() {
    let limits = KeyLimits {
        tokens_per_day: Some(100),
        ..KeyLimits::default()
    };
    let stored = KeyUsage {
        requests: 1,
        input_tokens: 60,
        output_tokens: 0,
    };
    let mut meter = Meter::new(&limits, stored, Division::Shared(2));
    meter.used(19, 0);
    meter.divide(Division::Divided(2));
    admitted(&mut meter, &limits);
    meter.used(1, 0);
    refused(&mut meter, &limits);
    meter.divide(Division::Shared(2));
    admitted(&mut meter, &limits);
}
