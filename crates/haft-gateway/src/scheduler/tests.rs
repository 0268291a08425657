use std::time::Duration;

use haft_models::ModelSettings;

use super::breaker::Verdict;
use super::*;

fn upstream(port: u16) -> Upstream {
    let url = format!("http://127.0.0.1:{port}");
    ModelServer::new(ServerKind::OpenAi, url, &ModelSettings::default()).into()
}

fn refused(upstreams: Vec<Upstream>) -> String {
    let error = Upstreams::new(upstreams).unwrap_err();
    assert_eq!(error.kind(), GatewayErrorKind::Configuration);
    assert!(error.hint().is_some());
    error.to_string()
}

#[test]
fn invalid_settings_are_refused() {
    assert_eq!(refused(Vec::new()), "There is no upstream");
    let twice = vec![upstream(1), upstream(2), upstream(1)];
    assert_eq!(refused(twice), "Two upstreams are called \"127.0.0.1:1\"");
    let mut none = upstream(1);
    none.max_in_flight = Some(0);
    assert_eq!(
        refused(vec![none]),
        "The upstream \"127.0.0.1:1\" takes no request"
    );
}

#[test]
fn status_names_every_upstream() {
    let upstreams = Upstreams::new(vec![upstream(1), upstream(2)]).unwrap();
    let names: Vec<_> = upstreams.status().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["127.0.0.1:1", "127.0.0.1:2"]);
    assert!(
        upstreams
            .status()
            .iter()
            .all(|one| one.is_healthy && one.in_flight == 0)
    );
}

#[tokio::test(start_paused = true)]
async fn an_absent_upstream_is_probed_until_it_is_back() {
    use haft_testing::{Reply, ScriptedServer};
    use std::sync::atomic::{AtomicUsize, Ordering};

    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let server = ScriptedServer::with(move |_| match counted.fetch_add(1, Ordering::SeqCst) {
        0..3 => Reply::text("loading").with_status(503),
        _ => Reply::json(serde_json::json!({"data": [{"id": "tiny"}]})),
    })
    .await;
    let away = ModelServer::new(ServerKind::OpenAi, server.url(), &ModelSettings::default());
    let upstreams = Upstreams::new(vec![away.into(), upstream(1)]).unwrap();
    let is_allowed = |upstreams: &Upstreams| {
        let now = tokio::time::Instant::now();
        upstreams
            .0
            .slots
            .look(|_, slot, _| slot.breaker.allows(now))
    };
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(
        asked.load(Ordering::SeqCst),
        0,
        "nothing is asked while all is well"
    );
    upstreams.judge(0, Verdict::Gone);
    assert_eq!(is_allowed(&upstreams), [false, true]);
    while !is_allowed(&upstreams)[0] {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let needed = asked.load(Ordering::SeqCst);
    assert!(needed >= 4);
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(asked.load(Ordering::SeqCst), needed);
}
