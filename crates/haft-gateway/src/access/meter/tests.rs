use tokio::time::advance;

use super::*;

const TOMORROW: Duration = Duration::from_secs(3600);

fn meter(limits: &KeyLimits) -> Meter {
    Meter::new(limits, KeyUsage::default())
}

#[tokio::test(start_paused = true)]
async fn requests_of_a_minute_may_come_at_once_and_then_one_by_one() {
    let limits = KeyLimits {
        requests_per_minute: Some(6),
        ..KeyLimits::default()
    };
    let mut meter = meter(&limits);
    for _ in 0..6 {
        meter.admit(&limits, TOMORROW).unwrap();
    }
    let exceeded = meter.admit(&limits, TOMORROW).unwrap_err();
    assert_eq!(exceeded.limit, LimitKind::RequestsPerMinute);
    assert_eq!(exceeded.retry_after.as_secs(), 10);
    advance(exceeded.retry_after).await;
    meter.admit(&limits, TOMORROW).unwrap();
    assert!(meter.admit(&limits, TOMORROW).is_err());
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_longer_than_the_limit_delays_the_next_request() {
    let limits = KeyLimits {
        tokens_per_minute: Some(1000),
        ..KeyLimits::default()
    };
    let mut meter = meter(&limits);
    meter.admit(&limits, TOMORROW).unwrap();
    meter.used(1500, 500);
    let exceeded = meter.admit(&limits, TOMORROW).unwrap_err();
    assert_eq!(exceeded.limit, LimitKind::TokensPerMinute);
    assert!((60..=61).contains(&exceeded.retry_after.as_secs()));
    advance(exceeded.retry_after).await;
    meter.admit(&limits, TOMORROW).unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_budget_of_a_day_counts_what_other_gateways_stored() {
    let limits = KeyLimits {
        tokens_per_day: Some(100),
        ..KeyLimits::default()
    };
    let mut meter = meter(&limits);
    meter.admit(&limits, TOMORROW).unwrap();
    meter.used(30, 30);
    assert_eq!(meter.begin_write().tokens(), 60);
    meter.admit(&limits, TOMORROW).unwrap();
    meter.used(20, 20);
    assert!(meter.admit(&limits, TOMORROW).is_err());
    meter.not_written();
    assert!(meter.admit(&limits, TOMORROW).is_err());
    assert_eq!(meter.begin_write().tokens(), 100);
    let stored = KeyUsage {
        requests: 9,
        input_tokens: 99,
        output_tokens: 1,
    };
    meter.written(stored);
    let exceeded = meter.admit(&limits, TOMORROW).unwrap_err();
    assert_eq!(exceeded.limit, LimitKind::TokensPerDay);
    assert_eq!(exceeded.retry_after, TOMORROW);
    meter.written(KeyUsage::default());
    meter.admit(&limits, TOMORROW).unwrap();
}
