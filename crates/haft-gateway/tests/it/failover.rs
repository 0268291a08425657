//! Failover between several upstreams: the answers for clients, which upstream is tried, and when
//! it is used again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use haft_core::{CallOptions, Message, ModelErrorKind, collect};
use haft_testing::{Reply, ScriptedServer};
use serde_json::json;

use crate::pool::*;

#[tokio::test]
async fn a_dead_upstream_loses_no_answer() {
    for handling in HANDLINGS {
        one_dies(handling).await;
    }
}

async fn one_dies(handling: Handling) {
    let (dying, other) = (saying("one").await, saying("two").await);
    let pool = pool_on(
        handling,
        vec![
            nobody("dead").await,
            upstream("dying", &dying),
            upstream("other", &other),
        ],
    )
    .await;
    for number in 0..4 {
        pool.ask(&format!("{number}?")).await.unwrap();
    }
    assert!(!asked(&dying).is_empty() && !asked(&other).is_empty());
    drop(dying);
    for number in 4..12 {
        assert_eq!(pool.ask(&format!("{number}?")).await.unwrap(), "two");
    }
    let status = pool.upstreams.status();
    let healthy: Vec<_> = status.iter().map(|one| one.is_healthy).collect();
    assert_eq!(healthy, [false, false, true]);
    assert_eq!(pool.http("GET", "/readyz", &json!(null)).await.0, 200);
    drop(other);
    assert_eq!(pool.http("GET", "/readyz", &json!(null)).await.0, 503);
    let error = pool.ask("Anybody?").await.unwrap_err();
    assert_eq!(error.status(), Some(502), "{error}");
}

#[tokio::test]
async fn a_failure_before_the_first_word_is_answered_by_another_upstream() {
    let faults = [
        Reply::text("oops").with_status(500),
        Reply::text("busy").with_status(503),
        Reply::text("slow down").with_status(429),
        Reply::text("who are you?").with_status(401),
        Reply::text("no such model").with_status(404),
        Reply::text("elsewhere")
            .with_status(302)
            .with_header("location", "http://127.0.0.1:9/"),
        Reply::text("").then_reset(),
        Reply::sse([""; 0]),
        Reply::sse([""; 0]).then_cut(),
        Reply::new("text/event-stream", "data: {\"choi\n\n"),
        Reply::silence(),
        Reply::sse([""; 0]).then_hang(),
        Reply::sse([json!({"error": {"message": "boom"}}).to_string()]),
    ];
    let faults = faults.into_iter().enumerate();
    let cases = faults
        .flat_map(|(number, fault)| HANDLINGS.map(|handling| (handling, number, fault.clone())));
    for (handling, number, fault) in cases {
        let failing = server(move |_, _| fault.clone()).await;
        let other = saying("fine").await;
        let upstreams = vec![upstream("failing", &failing), upstream("other", &other)];
        let pool = pool_on(handling, upstreams).await;
        for question in ["a", "b", "c"] {
            let said = pool.ask(question).await;
            assert_eq!(
                said.as_deref().ok(),
                Some("fine"),
                "{handling:?} {number}: {said:?}"
            );
        }
        let tries = asked(&failing).len();
        assert!(tries >= 1, "{handling:?} {number}: it was not tried");
    }
}

#[tokio::test]
async fn an_upstream_that_keeps_failing_is_left_out_until_it_recovers() {
    for handling in HANDLINGS {
        one_keeps_failing(handling).await;
    }
}

async fn one_keeps_failing(handling: Handling) {
    let is_well = Arc::new(AtomicBool::new(false));
    let well = is_well.clone();
    let failing = server(move |_, _| match well.load(Ordering::SeqCst) {
        true => says("back"),
        false => Reply::text("oops").with_status(500),
    })
    .await;
    let other = saying("fine").await;
    let upstreams = vec![upstream("failing", &failing), upstream("other", &other)];
    let pool = pool_on(handling, upstreams).await;
    for number in 0..20 {
        let said = pool.ask(&format!("{number}?")).await.unwrap();
        assert_eq!(said, "fine");
    }
    // Three failures exclude it, and each failed trial is another one.
    let tries = asked(&failing).len();
    assert!((3..=5).contains(&tries), "{tries}");
    assert!(!pool.upstreams.status()[0].is_healthy);
    is_well.store(true, Ordering::SeqCst);
    let mut number = 20;
    while pool.ask(&format!("{number}?")).await.unwrap() != "back" {
        number += 1;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        assert!(number < 400, "{:?}", pool.upstreams.status());
    }
    assert!(pool.upstreams.status()[0].is_healthy);
}

#[tokio::test]
async fn a_failure_within_a_reply_is_an_error_and_no_other_upstream_takes_over() {
    let dialects = ["openai", "ollama", "anthropic"];
    let cases = dialects
        .into_iter()
        .flat_map(|one| HANDLINGS.map(|handling| (handling, one)));
    for (handling, dialect) in cases {
        let dying = server(|_, _| begins("Half an ans").then_cut()).await;
        let other = saying("wer").await;
        let mut fallback = upstream("other", &other);
        fallback.fallback = true;
        let pool = pool_on(handling, vec![upstream("dying", &dying), fallback]).await;
        let question = [Message::human(QUESTION)];
        let model = pool.client(dialect, "tiny");
        let error = collect(model.stream(&question, &CallOptions::default())).await;
        assert!(error.is_err(), "{dialect}: {error:?}");
        assert_eq!(
            (asked(&dying).len(), asked(&other).len()),
            (1, 0),
            "{dialect}"
        );
        let request = json!({"model": "tiny", "max_tokens": 9, "stream": false,
            "messages": [{"role": "user", "content": QUESTION}]});
        let path = match dialect {
            "openai" => "/v1/chat/completions",
            "ollama" => "/api/chat",
            _ => "/v1/messages",
        };
        // No part of a whole reply was delivered, so another upstream may take over.
        let (status, _, body) = pool.http("POST", path, &request).await;
        assert_eq!(
            (status, body.contains("wer")),
            (200, true),
            "{dialect}: {body}"
        );
        assert!(!body.contains("Half"), "{dialect}: {body}");
        pool.until(|status| status.iter().all(|one| one.in_flight == 0))
            .await;
    }
}

#[tokio::test]
async fn an_invalid_request_is_not_retried() {
    let refusal = || Reply::text("too much").with_status(400);
    let (one, two) = (
        server(move |_, _| refusal()).await,
        server(move |_, _| refusal()).await,
    );
    let pool = pool(vec![upstream("one", &one), upstream("two", &two)]).await;
    let error = pool.ask(QUESTION).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::BadRequest);
    assert_eq!(asked(&one).len() + asked(&two).len(), 1);
    assert!(pool.upstreams.status().iter().all(|one| one.is_healthy));
}

#[tokio::test]
async fn a_fallback_is_asked_only_where_the_others_fail() {
    let is_well = Arc::new(AtomicBool::new(true));
    let well = is_well.clone();
    let home = server(move |_, _| match well.load(Ordering::SeqCst) {
        true => says("home"),
        false => Reply::text("oops").with_status(500),
    })
    .await;
    let away = saying("away").await;
    let mut fallback = upstream("away", &away);
    fallback.fallback = true;
    let pool = pool(vec![fallback, upstream("home", &home)]).await;
    for number in 0..5 {
        assert_eq!(pool.ask(&format!("{number}?")).await.unwrap(), "home");
    }
    is_well.store(false, Ordering::SeqCst);
    assert_eq!(pool.ask(QUESTION).await.unwrap(), "away");
    assert_eq!(asked(&away).len(), 1);
}

/// The model's name must be right, because clients calculate costs by it.
#[tokio::test]
async fn an_answer_of_a_fallback_names_the_model_that_gave_it() {
    let named = |aliased: &ScriptedServer, fallback: bool| {
        let mut upstream = upstream("other", aliased);
        upstream.aliases = [("big".to_owned(), "tiny".to_owned())].into();
        upstream.fallback = fallback;
        upstream
    };
    let other = saying("Fine").await;
    for (fallback, expected) in [(true, "tiny"), (false, "big")] {
        let pool = pool(vec![nobody("dead").await, named(&other, fallback)]).await;
        for (path, stream) in [("/v1/chat/completions", true), ("/api/chat", false)] {
            let messages = json!([{"role": "user", "content": "?"}]);
            let body = json!({"model": "big", "stream": stream, "messages": messages});
            let (status, _, text) = pool.http("POST", path, &body).await;
            assert_eq!(status, 200, "{text}");
            let model = format!("\"model\":\"{expected}\"");
            assert!(text.contains(&model), "{path}: {text}");
        }
    }
}

#[tokio::test]
async fn an_error_of_all_upstreams_is_in_the_dialect_and_says_why() {
    let failing = server(|_, _| Reply::text("out of memory").with_status(500)).await;
    let pool = pool(vec![upstream("failing", &failing), nobody("dead").await]).await;
    let request = json!({"model": "tiny", "messages": [{"role": "user", "content": QUESTION}]});
    let (status, _, body) = pool.http("POST", "/api/chat", &request).await;
    assert_eq!(status, 502);
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    let error = body["error"].as_str().unwrap();
    assert!(error.contains("out of memory"), "{error}");
}

#[tokio::test]
async fn a_single_upstream_is_retried() {
    for handling in HANDLINGS {
        let flaky = server(|number, _| match number {
            0 => Reply::text("oops").with_status(500),
            _ => says("fine"),
        })
        .await;
        let pool = pool_on(handling, vec![upstream("flaky", &flaky)]).await;
        assert_eq!(pool.ask(QUESTION).await.unwrap(), "fine");
        assert_eq!(asked(&flaky).len(), 2);
    }
}
