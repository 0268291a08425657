use haft_models::{ModelServer, ModelSettings, ServerKind};

use super::*;

fn upstreams(ports: &[u16]) -> Upstreams {
    let servers = ports.iter().map(|port| {
        let url = format!("http://127.0.0.1:{port}");
        ModelServer::new(ServerKind::OpenAi, url, &ModelSettings::default()).into()
    });
    Upstreams::new(servers.collect()).unwrap()
}

fn healthy(upstreams: &Upstreams) -> Vec<bool> {
    let status = upstreams.status().into_iter();
    status.map(|one| one.is_healthy).collect()
}

#[tokio::test]
async fn an_upstream_that_one_gateway_found_down_is_left_alone_by_another() {
    let (one, other) = (upstreams(&[1, 2]), upstreams(&[2, 1]));
    let mut told = one.cool_downs().unwrap();
    // A failure that is not the last straw is told to nobody.
    one.tell(0, Verdict::Failed, false);
    one.tell(0, Verdict::Gone, true);
    let cool_down = told.recv().await.unwrap();
    assert!(told.try_recv().is_err());
    assert_eq!(cool_down.reason, Reason::Down);
    assert!(cool_down.is_local);
    other.heed(&cool_down);
    assert_eq!(healthy(&other), [true, false]);
}

#[tokio::test]
async fn nothing_is_left_alone_where_there_is_nothing_else() {
    let sole = upstreams(&[1]);
    let cool_down = CoolDown {
        upstream: "127.0.0.1:1 127.0.0.1:1".to_owned(),
        reason: Reason::Down,
        rest: NEWS,
        is_local: true,
    };
    sole.heed(&cool_down);
    assert_eq!(healthy(&sole), [true]);
    let both = upstreams(&[1, 3]);
    both.heed(&cool_down);
    assert_eq!(healthy(&both), [false, true]);
}

#[tokio::test]
async fn how_long_a_busy_server_wants_to_be_left_alone_is_told() {
    let one = upstreams(&[1, 2]);
    let mut told = one.cool_downs().unwrap();
    let rest = Duration::from_secs(20);
    one.tell(1, Verdict::Busy(rest), false);
    let cool_down = told.recv().await.unwrap();
    assert_eq!((cool_down.reason, cool_down.rest), (Reason::Busy, rest));
}
