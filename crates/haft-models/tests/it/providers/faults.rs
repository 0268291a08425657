//! All faults of a model server: each has its own kind of error, is retried only if nothing was
//! delivered, and is never taken for an answer.

use std::time::Duration;

use futures_util::StreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, Message, ModelError, ModelErrorKind,
};
use haft_models::Transport;
use haft_testing::{CapturedLog, Reply, ScriptedServer};
use serde_json::json;

use super::{KEY, MODEL, Setup, quick, rows};

async fn ask(model: &dyn ChatModel) -> Result<AiMessage, ModelError> {
    model
        .invoke(&[Message::human("Hello")], &CallOptions::default())
        .await
}

async fn error(model: &dyn ChatModel) -> ModelError {
    ask(model).await.expect_err("this must fail")
}

fn failure(status: u16) -> Reply {
    Reply::json(json!({"error": {"message": "no luck today"}})).with_status(status)
}

/// The text that was delivered before the error.
async fn text_and_error(model: &dyn ChatModel) -> (String, ModelError) {
    let mut stream = model.stream(&[Message::human("Hello")], &CallOptions::default());
    let mut text = String::new();
    while let Some(chunk) = stream.next().await {
        match chunk {
            Ok(ChatChunk::Text(delta)) => text.push_str(&delta),
            Ok(ChatChunk::Done(reply)) => panic!("a cut stream became an answer: {reply:?}"),
            Ok(_) => {}
            Err(error) => {
                assert!(stream.next().await.is_none(), "an error is the last item");
                return (text, error);
            }
        }
    }
    panic!("the stream ended without an answer or an error");
}

#[tokio::test]
async fn s000_r2_a_server_that_does_not_listen_is_an_error() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = port.local_addr().unwrap().to_string();
    drop(port);
    for (provider, streamed) in rows() {
        let model = (provider.model)(Setup {
            url: &format!("http://user:{KEY}@{address}"),
            streamed,
            transport: Transport::http().with_limits(quick()),
        });
        let error = error(&*model).await;
        assert_eq!(error.kind(), ModelErrorKind::Connect);
        assert!(error.to_string().contains(&address), "{error}");
        assert!(error.hint().is_some());
        assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
    }
}

#[tokio::test]
async fn s000_r2_the_key_is_wrong() {
    for (provider, streamed) in rows() {
        for status in [401, 403] {
            let server = ScriptedServer::with(move |_| failure(status)).await;
            let error = error(&*provider.at(&server, streamed)).await;
            assert_eq!(error.kind(), ModelErrorKind::Unauthorized);
            assert_eq!(error.status(), Some(status));
            assert!(error.to_string().contains("no luck today"), "{error}");
            assert!(error.hint().unwrap().contains("_API_KEY"), "{error:?}");
            assert_eq!(server.requests().len(), 1);
        }
    }
}

#[tokio::test]
async fn s000_r2_a_missing_model_names_the_models_there_are() {
    for (provider, streamed) in rows() {
        let models = provider.models;
        let server = ScriptedServer::with(move |request| match request.method.as_str() {
            "GET" => models(&["tiniest:1b", "other"]),
            _ => failure(404),
        })
        .await;
        let error = error(&*provider.at(&server, streamed)).await;
        assert_eq!(error.kind(), ModelErrorKind::ModelNotFound);
        let message = format!("{error} {}", error.hint().unwrap());
        for name in [MODEL, "tiniest:1b", "other"] {
            assert!(message.contains(name), "{message}");
        }
    }
}

#[tokio::test]
async fn s000_r2_a_bad_request_says_why_and_is_not_repeated() {
    for (provider, streamed) in rows() {
        for status in [400, 422] {
            let server = ScriptedServer::with(move |_| failure(status)).await;
            let error = error(&*provider.at(&server, streamed)).await;
            assert_eq!(error.kind(), ModelErrorKind::BadRequest);
            assert!(error.to_string().contains("no luck today"), "{error}");
            assert_eq!(server.requests().len(), 1);
        }
    }
}

#[tokio::test]
async fn s000_r2_a_prompt_that_does_not_fit_has_its_own_kind() {
    for (provider, streamed) in rows() {
        let reply = json!({"error": {"message": "prompt is too long: 9000 tokens > 8000"}});
        let server = ScriptedServer::start([Reply::json(reply).with_status(400)]).await;
        let error = error(&*provider.at(&server, streamed)).await;
        assert_eq!(error.kind(), ModelErrorKind::ContextOverflow);
    }
}

#[tokio::test]
async fn s000_r2_too_many_requests_are_repeated_when_the_server_says() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::start([
            failure(429).with_header("retry-after", "0"),
            provider.says(streamed, "Hi"),
        ])
        .await;
        let reply = ask(&*provider.at(&server, streamed)).await.unwrap();
        assert_eq!(reply.content.text(), "Hi");
        assert_eq!(server.requests().len(), 2);
        assert_eq!(server.requests()[0].body, server.requests()[1].body);
    }
}

#[tokio::test]
async fn s000_r2_a_long_wait_is_reported_instead_of_waited_for() {
    for (provider, streamed) in rows() {
        let server =
            ScriptedServer::with(|_| failure(429).with_header("retry-after", "3600")).await;
        let error = error(&*provider.at(&server, streamed)).await;
        assert_eq!(error.kind(), ModelErrorKind::RateLimited);
        assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn s000_r2_a_server_that_fails_is_asked_again() {
    for (provider, streamed) in rows() {
        for status in [500, 503, 529] {
            let replies = [
                failure(status),
                failure(status),
                provider.says(streamed, "Hi"),
            ];
            let server = ScriptedServer::start(replies).await;
            let reply = ask(&*provider.at(&server, streamed)).await.unwrap();
            assert_eq!(reply.content.text(), "Hi");
        }
    }
}

#[tokio::test]
async fn s000_r2_a_server_that_always_fails_is_asked_three_times() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::with(|_| failure(503)).await;
        let error = error(&*provider.at(&server, streamed)).await;
        assert_eq!(error.kind(), ModelErrorKind::Server);
        assert_eq!(error.status(), Some(503));
        assert_eq!(server.requests().len(), 3);
    }
}

#[tokio::test]
async fn s000_r2_a_cut_before_anything_was_delivered_is_asked_again() {
    for (provider, streamed) in rows() {
        let nothing = || Reply::new("text/event-stream", "");
        for cut in [nothing().then_cut(), nothing().then_reset()] {
            let server = ScriptedServer::start([cut, provider.says(streamed, "Hi")]).await;
            let reply = ask(&*provider.at(&server, streamed)).await.unwrap();
            assert_eq!(reply.content.text(), "Hi");
            assert_eq!(server.requests().len(), 2);
        }
    }
}

#[tokio::test]
async fn s000_r2_a_cut_after_something_was_delivered_is_an_error() {
    for (provider, _) in rows().filter(|(_, streamed)| *streamed) {
        let unfinished = provider.unfinished;
        // The last is a proper end of the body, but not of the reply.
        for cut in [Reply::then_cut, Reply::then_reset, |reply| reply] {
            let server = ScriptedServer::start([cut(unfinished())]).await;
            let (text, error) = text_and_error(&*provider.at(&server, true)).await;
            assert_eq!(error.kind(), ModelErrorKind::CutStream, "{error:?}");
            assert!("Hel".starts_with(&text), "{text}");
            assert_eq!(server.requests().len(), 1);
        }
    }
}

#[tokio::test]
async fn s000_r2_what_came_before_the_cut_was_delivered() {
    for (provider, _) in rows().filter(|(_, streamed)| *streamed) {
        // Slowly, so that the reset does not overtake the words.
        let reply = (provider.unfinished)()
            .slowly(Duration::from_millis(5))
            .then_cut();
        let server = ScriptedServer::start([reply]).await;
        let (text, _) = text_and_error(&*provider.at(&server, true)).await;
        assert_eq!(text, "Hel");
    }
}

#[tokio::test]
async fn s000_r2_nonsense_is_malformed() {
    for (provider, streamed) in rows() {
        let page = Reply::new("text/html", "<html>Sign in</html>");
        for reply in [(provider.malformed)(streamed), page] {
            let server = ScriptedServer::start([reply]).await;
            let error = error(&*provider.at(&server, streamed)).await;
            assert_eq!(error.kind(), ModelErrorKind::Malformed, "{error:?}");
            assert!(error.hint().is_some());
            assert_eq!(server.requests().len(), 1);
        }
    }
}

#[tokio::test]
async fn s000_r2_an_empty_body_is_not_an_empty_answer() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::with(|_| Reply::new("application/json", "")).await;
        let error = error(&*provider.at(&server, streamed)).await;
        assert_eq!(error.kind(), ModelErrorKind::EmptyBody);
        assert_eq!(server.requests().len(), 3);
    }
}

#[tokio::test]
async fn s000_r2_an_error_in_place_of_a_reply_is_an_error() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::with(|_| failure(200)).await;
        let error = error(&*provider.at(&server, streamed)).await;
        assert_eq!(error.kind(), ModelErrorKind::Server, "{error:?}");
        assert!(error.to_string().contains("no luck today"), "{error}");
    }
}

#[tokio::test]
async fn s000_r2_no_first_byte() {
    for (provider, _) in rows().filter(|(_, streamed)| *streamed) {
        for reply in [Reply::silence(), Reply::text("").then_hang()] {
            let server = ScriptedServer::start([reply]).await;
            let mut limits = quick();
            limits.first_byte = Duration::from_millis(40);
            let error = error(&*provider.within(&server, true, limits)).await;
            assert_eq!(error.kind(), ModelErrorKind::Timeout);
            assert!(
                error.to_string().contains("sent nothing for 40 ms"),
                "{error}"
            );
            assert!(error.hint().is_some());
            assert_eq!(
                server.requests().len(),
                1,
                "a slow server is not asked twice"
            );
            server.client_hung_up().await;
        }
    }
}

#[tokio::test]
async fn s000_r2_no_next_byte() {
    for (provider, _) in rows().filter(|(_, streamed)| *streamed) {
        let server = ScriptedServer::start([(provider.unfinished)().then_hang()]).await;
        let mut limits = quick();
        limits.idle = Duration::from_millis(40);
        let model = provider.within(&server, true, limits);
        let (text, error) = text_and_error(&*model).await;
        assert_eq!(
            (text.as_str(), error.kind()),
            ("Hel", ModelErrorKind::Timeout)
        );
        assert!(
            error.to_string().contains("nothing more came for 40 ms"),
            "{error}"
        );
        server.client_hung_up().await;
    }
}

#[tokio::test]
async fn s000_r2_no_end() {
    for (provider, streamed) in rows() {
        let reply = if streamed {
            (provider.unfinished)().then_hang()
        } else {
            Reply::silence()
        };
        let server = ScriptedServer::start([reply]).await;
        let limits = quick().with_total(Duration::from_millis(60));
        let error = error(&*provider.within(&server, streamed, limits)).await;
        assert_eq!(error.kind(), ModelErrorKind::Timeout);
        assert!(
            error.to_string().contains("not complete after 60 ms"),
            "{error}"
        );
        assert!(error.hint().unwrap().contains("--timeout"));
    }
}

#[tokio::test]
async fn s000_r2_a_reply_without_end_is_bounded_in_size() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::start([provider.says(streamed, &"x".repeat(5000))]).await;
        let mut limits = quick();
        limits.response_bytes = 4000;
        let error = error(&*provider.within(&server, streamed, limits)).await;
        assert_eq!(error.kind(), ModelErrorKind::Malformed);
        assert!(error.to_string().contains("4000 bytes"), "{error}");
    }
}

#[tokio::test]
async fn s000_r2_dropping_the_stream_hangs_up() {
    for (provider, _) in rows().filter(|(_, streamed)| *streamed) {
        let server = ScriptedServer::start([(provider.unfinished)().then_hang()]).await;
        let model = provider.at(&server, true);
        let mut stream = model.stream(&[Message::human("Hello")], &CallOptions::default());
        stream.next().await.unwrap().unwrap();
        drop(stream);
        server.client_hung_up().await;
    }
}

#[tokio::test]
async fn a_key_that_an_error_in_a_reply_repeats_is_not_shown() {
    for (provider, streamed) in rows() {
        let refusal =
            json!({"type": "error", "error": {"message": format!("no credit for {KEY}")}});
        let other =
            json!({"type": "message_start", "message": format!("for {KEY}"), "choices": KEY});
        for reply in [refusal, other] {
            let reply = match (provider.name, streamed) {
                ("ollama", true) => Reply::ndjson([reply]),
                (_, true) => Reply::sse([reply.to_string()]),
                (_, false) => Reply::json(reply),
            };
            // It gives the same answer when asked again.
            let replies = vec![reply; 8];
            let server = ScriptedServer::start(replies).await;
            let error = error(&*provider.at(&server, streamed)).await;
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains(KEY), "{shown}");
        }
    }
    assert!(!CapturedLog::of_program().text().contains(KEY));
}

#[tokio::test]
async fn s000_r2_the_key_is_sent_and_never_shown() {
    for (provider, streamed) in rows() {
        let echo = json!({"error": {"message": format!("bad key {KEY}")}});
        let server = ScriptedServer::start([
            provider.says(streamed, "Hi"),
            Reply::json(echo).with_status(401),
        ])
        .await;
        let model = provider.at(&server, streamed);
        ask(&*model).await.unwrap();
        let error = error(&*model).await;
        let sent = &server.requests()[0].headers;
        assert!(
            sent.iter().any(|(_, value)| value.contains(KEY)),
            "{sent:?}"
        );
        let shown = format!("{model:?} {error} {error:?}");
        assert!(!shown.contains(KEY), "{shown}");
    }
    // All tests of this program log there.
    let log = CapturedLog::of_program().text();
    assert!(log.contains("model request"), "the log was watched");
    assert!(!log.contains(KEY), "{log}");
}
