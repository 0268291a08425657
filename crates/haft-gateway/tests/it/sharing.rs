//! Several upstreams share the load: which one serves a request, which requests wait, and which are
//! refused.

use haft_core::Message;
use haft_gateway::Upstreams;
use haft_models::ServerKind;
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

use crate::pool::*;

#[tokio::test]
async fn a_conversation_stays_with_the_upstream_that_has_its_beginning() {
    let (one, two) = (saying("one").await, saying("two").await);
    let pool = pool(vec![upstream("one", &one), upstream("two", &two)]).await;
    let mut homes = Vec::new();
    // An odd number, so that round robin would be noticed.
    let mut conversations: Vec<Vec<Message>> = (0..5)
        .map(|number| {
            vec![
                Message::system("Be brief."),
                Message::human(format!("{number}?")),
            ]
        })
        .collect();
    for turn in 0..4 {
        for (number, conversation) in conversations.iter_mut().enumerate() {
            let home = pool.ask_messages("tiny", conversation).await.unwrap();
            conversation.push(answered(&home));
            conversation.push(Message::human(format!("And {turn}?")));
            if turn == 0 {
                homes.push(home);
            } else {
                assert_eq!(home, homes[number], "turn {turn}");
            }
        }
    }
    assert!(homes.contains(&"one".to_owned()) && homes.contains(&"two".to_owned()));
}

#[tokio::test]
async fn lines_that_change_do_not_move_a_conversation_to_another_upstream() {
    for handling in HANDLINGS {
        let (one, two) = (saying("one").await, saying("two").await);
        let upstreams = vec![upstream("one", &one), upstream("two", &two)];
        let pool = pool_on(handling, upstreams).await;
        let mut homes = Vec::new();
        for turn in 0..4 {
            for number in 0..5 {
                let conversation = [
                    Message::system(format!("Current time: 14:{turn}{number}\nBe brief.")),
                    Message::human(format!("{number}?")),
                ];
                homes.push(pool.ask_messages("tiny", &conversation).await.unwrap());
            }
        }
        // An odd number of conversations, so that round robin would be noticed.
        for turn in homes.chunks(5) {
            assert_eq!(turn, &homes[..5], "{handling:?}");
        }
    }
}

#[tokio::test]
async fn the_upstream_with_the_least_load_is_chosen() {
    let hanging = |text: &'static str| server(move |_, _| begins(text).then_hang());
    let (one, two) = (hanging("one").await, hanging("two").await);
    let pool = pool(vec![upstream("one", &one), upstream("two", &two)]).await;
    let mut replies = Vec::new();
    for number in 0..6 {
        replies.push(pool.begun(&format!("{number}?")).await);
    }
    let in_flight = || pool.upstreams.status().into_iter().map(|one| one.in_flight);
    assert_eq!(in_flight().collect::<Vec<_>>(), [3, 3]);
    // Clients that disconnect free their slots.
    replies.clear();
    pool.until(|status| status.iter().all(|one| one.in_flight == 0))
        .await;
}

#[tokio::test]
async fn a_model_in_memory_is_preferred() {
    let ollama = |loaded: bool| {
        ScriptedServer::with(move |request| match request.path.as_str() {
            "/api/tags" => Reply::json(json!({"models": [{"name": "tiny:latest", "size": 1}]})),
            "/api/ps" if loaded => Reply::json(json!({"models": [{"name": "tiny:latest"}]})),
            "/api/ps" => Reply::json(json!({"models": []})),
            "/api/chat" => Reply::ndjson([
                json!({"message": {"role": "assistant", "content": "yes"}, "done": false}),
                json!({"message": {"role": "assistant", "content": ""}, "done": true}),
            ]),
            _ => Reply::text("404").with_status(404),
        })
    };
    let (cold, warm) = (ollama(false).await, ollama(true).await);
    let pool = pool(vec![
        upstream_of(ServerKind::Ollama, "cold", cold.url()),
        upstream_of(ServerKind::Ollama, "warm", warm.url()),
    ])
    .await;
    for number in 0..4 {
        assert_eq!(pool.ask(&format!("{number}?")).await.unwrap(), "yes");
    }
    let requests: Vec<_> = pool
        .upstreams
        .status()
        .iter()
        .map(|one| one.requests)
        .collect();
    assert_eq!(requests, [0, 4]);
}

/// One upstream with one slot that never ends its first reply, and a queue of this length.
async fn narrow(most_waiting: usize) -> (Pool, ScriptedServer) {
    let server = server(|number, _| match number {
        0 => begins("One").then_hang(),
        _ => says("fine"),
    })
    .await;
    let mut narrow = upstream("narrow", &server);
    narrow.max_in_flight = Some(1);
    let upstreams = Upstreams::with_queue(vec![narrow], most_waiting).unwrap();
    (served(upstreams, false).await, server)
}

#[tokio::test]
async fn a_waiting_request_is_served_in_turn_when_a_client_leaves() {
    let (pool, server) = narrow(10).await;
    let first = pool.begun("first").await;
    let mut waiting = tokio::task::JoinSet::new();
    let pool = std::sync::Arc::new(pool);
    for number in 0..5 {
        let asking = pool.clone();
        waiting.spawn(async move { asking.ask(&format!("{number}")).await.unwrap() });
        pool.until(|status| status[0].waiting == number + 1).await;
    }
    assert_eq!(pool.upstreams.status()[0].in_flight, 1);
    drop(first);
    while let Some(said) = waiting.join_next().await {
        assert_eq!(said.unwrap(), "fine");
    }
    assert_eq!(asked(&server), ["first", "0", "1", "2", "3", "4"]);
    assert_eq!(pool.upstreams.status()[0].in_flight, 0);
}

#[tokio::test]
async fn a_request_beyond_the_queue_is_refused_in_its_dialect() {
    let (pool, _server) = narrow(1).await;
    let _first = pool.begun("first").await;
    let pool = std::sync::Arc::new(pool);
    let asking = pool.clone();
    let second = tokio::spawn(async move { asking.ask("second").await });
    pool.until(|status| status[0].waiting == 1).await;
    let request = json!({"model": "tiny", "max_tokens": 9, "stream": true,
        "messages": [{"role": "user", "content": QUESTION}]});
    let message = |body: &Value, path: &str| match path {
        "/api/chat" => body["error"].as_str().map(str::to_owned),
        _ => body["error"]["message"].as_str().map(str::to_owned),
    };
    for path in ["/v1/chat/completions", "/api/chat", "/v1/messages"] {
        let (status, headers, body) = pool.http("POST", path, &request).await;
        assert_eq!(status, 503, "{path}: {body}");
        assert_eq!(headers["retry-after"], "5", "{path}");
        let body = serde_json::from_str(&body).unwrap();
        assert!(
            message(&body, path).unwrap().contains("busy"),
            "{path}: {body}"
        );
    }
    // A waiting request that is cancelled leaves the queue.
    second.abort();
    pool.until(|status| status[0].waiting == 0).await;
    let asking = pool.clone();
    let third = tokio::spawn(async move { asking.ask("third").await });
    pool.until(|status| status[0].waiting == 1).await;
    third.abort();
}

#[tokio::test]
async fn clients_that_disconnect_under_load_free_all_slots() {
    let slow = |text: &'static str| server(move |_, _| begins(text).then_hang());
    let (one, two) = (slow("one").await, slow("two").await);
    let limited = |name, server: &ScriptedServer| {
        let mut upstream = upstream(name, server);
        upstream.max_in_flight = Some(3);
        upstream
    };
    let pool = pool(vec![limited("one", &one), limited("two", &two)]).await;
    let pool = std::sync::Arc::new(pool);
    let mut clients = tokio::task::JoinSet::new();
    for number in 0..40 {
        let asking = pool.clone();
        clients.spawn(async move { asking.ask(&format!("{number}?")).await });
    }
    pool.until(|status| {
        status
            .iter()
            .all(|one| one.in_flight == 3 && one.waiting == 34)
    })
    .await;
    clients.shutdown().await;
    pool.until(|status| {
        status
            .iter()
            .all(|one| one.in_flight == 0 && one.waiting == 0)
    })
    .await;
    assert!(pool.upstreams.status().iter().all(|one| one.is_healthy));
}
