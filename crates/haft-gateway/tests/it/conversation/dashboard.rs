//! The dashboard for Grafana asks for metrics that the gateway has.

use std::collections::BTreeSet;

use haft_gateway::{KeyLimits, KeyStore};
use serde_json::{Value, json};

use super::quoted::quoting;
use super::{Rig, question, said};

/// `docs/grafana/haft.json`.
const DASHBOARD: &str = include_str!("../../../../../docs/grafana/haft.json");

/// A gateway that has repaired a call, recovered an empty reply and seen a quoted call; and its
/// page of metrics.
async fn page() -> String {
    let folder = tempfile::tempdir().unwrap();
    let store = KeyStore::open(folder.path().join("keys.db"));
    let key = store.add("alice", &KeyLimits::default()).await.unwrap();
    let wrong = said(
        "",
        &[("a", "forecast", json!({"city": "Oslo", "days": "5"}))],
    );
    let (quote, quoting) = quoting();
    let replies = vec![wrong, said("", &[]), said("Sunny.", &[]), quote];
    let rig = Rig::with(replies, |options| {
        options.keys = Some(store);
        options.token = Some("operator".to_owned());
    })
    .await;
    for body in [question(false), question(true), quoting] {
        let request = rig.post("/v1/chat/completions", &body).bearer_auth(&key);
        request.send().await.unwrap().text().await.unwrap();
    }
    let page = rig.client.get(format!("{}/metrics", rig.address));
    let page = page.bearer_auth("operator").send().await.unwrap();
    page.text().await.unwrap()
}

/// The metrics that a query names.
fn metrics_of(query: &str) -> impl Iterator<Item = &str> {
    let words = query.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.filter(|word| word.starts_with("haft_"))
}

#[tokio::test]
async fn the_dashboard_asks_for_metrics_that_exist() {
    let page = page().await;
    let samples = page.lines().filter(|line| !line.starts_with('#'));
    let names: BTreeSet<&str> = samples
        .filter_map(|line| line.split(['{', ' ']).next())
        .collect();
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    for panel in panels {
        let title = panel["title"].as_str().unwrap();
        let unit = &panel["fieldConfig"]["defaults"]["unit"];
        assert!(!title.is_empty() && unit.is_string(), "{panel}");
        for target in panel["targets"].as_array().unwrap() {
            let query = target["expr"].as_str().unwrap();
            let mut metrics = metrics_of(query).peekable();
            assert!(metrics.peek().is_some(), "{title}: {query}");
            for metric in metrics {
                assert!(names.contains(metric), "{title}: {metric}\n{page}");
            }
        }
    }
}
