//! How large a context and a reply are asked for, as it goes out.

use super::*;

/// `count` tokens of English or more, by any estimate.
fn long(count: usize) -> [Message; 1] {
    [Message::human(
        "The kitchen light is on. ".repeat(count / 4),
    )]
}

#[tokio::test]
async fn the_context_is_asked_for_in_steps_that_stay() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/ps" => Reply::json(json!({"models": []})),
        _ => Reply::json(json!({"message": {"content": "Hi"}, "done": true})),
    })
    .await;
    let model = at(&server);
    let options = CallOptions::default();
    for messages in [
        long(100),
        long(5000),
        long(100),
        long(12_000),
        long(100_000),
    ] {
        model.invoke(&messages, &options).await.unwrap();
    }
    let requests = server.requests();
    let chats = requests.iter().filter(|sent| sent.path == "/api/chat");
    let sizes: Vec<_> = chats
        .map(|sent| sent.body["options"]["num_ctx"].clone())
        .collect();
    assert_eq!(
        sizes,
        [
            json!(null),
            json!(16_384),
            json!(16_384),
            json!(32_768),
            json!(32_768)
        ]
    );
    assert!(
        requests
            .iter()
            .all(|sent| sent.path == "/api/ps" || sent.body["truncate"] == false)
    );
    assert_eq!(model.context(), Some(32_768));
}

#[tokio::test]
async fn a_context_that_is_loaded_and_large_enough_is_kept() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/ps" => Reply::json(json!({"models": [
            {"name": "other:latest", "context_length": 8192},
            {"name": "tiny:latest", "context_length": 65_536},
        ]})),
        _ => Reply::json(json!({"message": {"content": "Hi"}, "done": true})),
    })
    .await;
    let model = at(&server);
    model
        .invoke(&long(5000), &CallOptions::default())
        .await
        .unwrap();
    let last = server.requests().pop().unwrap();
    assert_eq!(last.body["options"]["num_ctx"], 65_536);
    assert_eq!(model.context(), Some(65_536));
}

#[tokio::test]
async fn a_client_may_wish_for_more_room_and_not_for_less_than_the_prompt_needs() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/ps" => Reply::json(json!({"models": []})),
        _ => Reply::json(json!({"message": {"content": "Hi"}, "done": true})),
    })
    .await;
    let model = at(&server);
    let wish = |tokens| CallOptions {
        generation: Generation {
            context_tokens: Some(tokens),
            ..Generation::default()
        },
        ..CallOptions::default()
    };
    for (messages, tokens) in [(long(100), 6000), (long(5000), 2048), (long(100), 20_000)] {
        model.invoke(&messages, &wish(tokens)).await.unwrap();
    }
    let chats = server.requests().into_iter();
    let sizes: Vec<_> = chats
        .filter(|sent| sent.path == "/api/chat")
        .map(|sent| sent.body["options"]["num_ctx"].clone())
        .collect();
    assert_eq!(sizes, [json!(6000), json!(16_384), json!(20_000)]);
}

#[tokio::test]
async fn an_overflow_is_asked_again_with_a_larger_context_and_a_fixed_one_is_not() {
    let refusal = || {
        Reply::json(json!({"error": "the input length exceeds the context length"}))
            .with_status(400)
    };
    let hi = Reply::json(json!({"message": {"content": "Hi"}, "done": true}));
    let server = ScriptedServer::start([refusal(), hi, refusal(), refusal()]).await;
    let (messages, options) = (long(1000), CallOptions::default());
    let reply = at(&server).invoke(&messages, &options).await.unwrap();
    assert_eq!(reply.content.text(), "Hi");
    let sizes: Vec<_> = server
        .requests()
        .iter()
        .map(|sent| sent.body["options"]["num_ctx"].clone())
        .collect();
    assert_eq!(sizes, [json!(null), json!(8192)]);
    let fixed = at(&server).num_ctx(2048);
    let error = fixed.invoke(&messages, &options).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextOverflow);
    // More would not help so short a prompt.
    let error = ask(&at(&server)).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextOverflow);
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn a_retry_gets_more_room_and_no_thoughts() {
    let server = ScriptedServer::start([says("a"), says("b"), says("c")]).await;
    let more = CallOptions {
        raise_max_tokens: true,
        without_thinking: true,
        ..CallOptions::default()
    };
    let messages = [Message::human("Hello")];
    at(&server)
        .num_predict(64)
        .think(true)
        .invoke(&messages, &more)
        .await
        .unwrap();
    at(&server)
        .num_predict(-1)
        .num_ctx(99)
        .invoke(&messages, &more)
        .await
        .unwrap();
    let sent = server.requests();
    assert_eq!(sent[0].body["options"]["num_predict"], 256);
    assert_eq!(sent[0].body["think"], false);
    assert_eq!(
        sent[1].body["options"],
        json!({"num_predict": -1, "num_ctx": 99})
    );
}

#[tokio::test]
async fn the_context_in_the_cloud_is_not_ours_to_choose() {
    let server = ScriptedServer::start([Reply::json(
        json!({"message": {"content": "Hi"}, "done": true}),
    )])
    .await;
    let model = ChatOllama::new("big:1t-cloud").base_url(server.url());
    model
        .invoke(&long(9000), &CallOptions::default())
        .await
        .unwrap();
    assert_eq!(server.requests()[0].body.get("options"), None);
    assert_eq!(model.context(), None);
}
