use super::*;

fn error(kind: ModelErrorKind) -> ModelError {
    ModelError::new(kind, format!("{kind:?}"))
}

fn tries(upstreams: usize) -> Tries {
    Tries::new((0..upstreams).map(Choice::any).collect(), upstreams.max(2))
}

const LONGEST: Duration = Duration::from_secs(60);
const FIRST: Duration = Duration::from_millis(250);

/// The upstreams that are tried in turn if each fails with this error, and the pauses before.
fn asked(mut tries: Tries, kind: ModelErrorKind) -> Vec<(usize, u128)> {
    let mut asked = Vec::new();
    while let Some(choice) = tries.next().first().cloned() {
        let wait = tries.wait(FIRST).unwrap_or_default();
        asked.push((choice.upstream, wait.as_millis()));
        tries.failed(choice.upstream, error(kind), LONGEST);
    }
    asked
}

#[test]
fn every_upstream_is_tried_once_and_some_again_after_a_wait() {
    let server = ModelErrorKind::Server;
    assert_eq!(asked(tries(1), server), [(0, 0), (0, 250), (0, 500)]);
    assert_eq!(asked(tries(2), server), [(0, 0), (1, 0), (0, 250)]);
    let all: Vec<_> = (0..5).map(|upstream| (upstream, 0)).collect();
    assert_eq!(asked(tries(5), server), all);
    // An error that would occur again is not retried.
    assert_eq!(asked(tries(2), ModelErrorKind::Timeout), [(0, 0), (1, 0)]);
}

#[test]
fn a_long_retry_after_is_respected() {
    let mut tries = tries(1);
    tries.next();
    let busy = error(ModelErrorKind::RateLimited);
    tries.failed(0, busy.clone().with_retry_after(LONGEST), LONGEST);
    assert_eq!((tries.next().len(), tries.wait(FIRST)), (1, Some(LONGEST)));
    tries.failed(0, busy.with_retry_after(LONGEST * 2), LONGEST);
    assert!(tries.next().is_empty());
    assert_eq!(tries.failure().kind(), ModelErrorKind::RateLimited);
}

#[test]
fn the_most_specific_error_is_reported() {
    let mut tries = tries(2);
    tries.failed(0, error(ModelErrorKind::Server), LONGEST);
    tries.failed(1, error(ModelErrorKind::Connect), LONGEST);
    assert_eq!(tries.failure().kind(), ModelErrorKind::Server);
}
