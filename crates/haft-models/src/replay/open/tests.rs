//! Recording real exchanges and playing them back, for every provider.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use haft_core::{
    AiMessage, CallOptions, ChatModel, Message, ModelError, ModelErrorKind, ToolMessage,
};
use haft_testing::{Reply, ScriptedServer, named_tool};
use serde_json::{Value, json};

use super::open_replay;
use crate::http::{Limits, Transport};
use crate::{ChatAnthropic, ChatOllama, ChatOpenAi, Recorder};

/// One conversation of two requests; the id of the call differs in every run, since the wire
/// gives none.
async fn converse(model: &dyn ChatModel, question: &str) -> Result<Vec<AiMessage>, ModelError> {
    let model = model.bind_tools(&[named_tool("add", None)])?;
    let mut messages = vec![Message::human(question)];
    let first = model.invoke(&messages, &CallOptions::default()).await?;
    messages.push(first.clone().into());
    for call in &first.tool_calls {
        messages.push(
            ToolMessage::success("4", call.id.clone())
                .with_name("add")
                .into(),
        );
    }
    let second = model.invoke(&messages, &CallOptions::default()).await?;
    Ok(vec![first, second])
}

fn recording(path: &Path) -> Transport {
    let limits = Limits {
        retry_wait: Duration::ZERO,
        ..Limits::default()
    };
    Transport::http()
        .with_limits(limits)
        .with_recorder(Recorder::create(path).unwrap())
}

fn openai(call: bool) -> Reply {
    let delta = if call {
        json!({"tool_calls": [{"function": {"name": "add", "arguments": {"a": 2}}}]})
    } else {
        json!({"content": "It is 4."})
    };
    let chunk = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}]});
    Reply::sse([chunk.to_string(), "[DONE]".to_owned()])
}

fn ollama(call: bool) -> Reply {
    let message = if call {
        json!({"role": "assistant", "content": "",
            "tool_calls": [{"function": {"name": "add", "arguments": {"a": 2}}}]})
    } else {
        json!({"role": "assistant", "content": "It is 4."})
    };
    Reply::ndjson([
        json!({"model": "tiny", "message": message, "done": true, "done_reason": "stop",
        "prompt_eval_count": 5, "eval_count": 2}),
    ])
}

fn anthropic(call: bool) -> Reply {
    let block = if call {
        json!({"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 2}})
    } else {
        json!({"type": "text", "text": "It is 4."})
    };
    Reply::json(
        json!({"id": "m", "type": "message", "role": "assistant", "model": "tiny",
        "content": [block], "stop_reason": "end_turn",
        "usage": {"input_tokens": 5, "output_tokens": 2}}),
    )
}

/// What a server says first, with a call, and then.
type Answers = fn(bool) -> Reply;

fn models(url: &str, transport: &Transport) -> [(Answers, Arc<dyn ChatModel>); 3] {
    let (url, transport) = (url.to_owned(), || transport.clone());
    let base = format!("{url}/v1");
    [
        (
            openai,
            Arc::new(
                ChatOpenAi::new("tiny")
                    .base_url(base)
                    .temperature(0.5)
                    .transport(transport()),
            ),
        ),
        (
            ollama,
            Arc::new(
                ChatOllama::new("tiny")
                    .base_url(&url)
                    .num_ctx(512)
                    .transport(transport()),
            ),
        ),
        (
            anthropic,
            Arc::new(
                ChatAnthropic::new("tiny")
                    .base_url(url)
                    .api_key("sk-ant-0123456789abcdef")
                    .max_tokens(77)
                    .streaming(false)
                    .transport(transport()),
            ),
        ),
    ]
}

fn without_ids(mut replies: Vec<AiMessage>) -> Vec<AiMessage> {
    for call in replies.iter_mut().flat_map(|reply| &mut reply.tool_calls) {
        call.id.clear();
    }
    replies
}

#[tokio::test]
async fn recordings_are_replayed_by_every_provider() {
    for provider in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tape.jsonl");
        let transport = recording(&path);
        let reply = models("", &transport)[provider].0;
        // A failure on the way is part of the recording.
        let busy = Reply::json(json!({"error": {"message": "busy"}})).with_status(503);
        let server = ScriptedServer::start([reply(true), busy, reply(false)]).await;
        let (_, model) = models(server.url(), &transport)[provider].clone();
        let live = converse(&*model, "2+2?").await.unwrap();
        assert_eq!(live[1].content.text(), "It is 4.");
        drop(server);

        let replayed = open_replay(&path).unwrap();
        assert_eq!(replayed.id(), format!("replay:{}", path.display()));
        let played = converse(&*replayed, "2+2?").await.unwrap();
        assert_eq!(without_ids(played), without_ids(live));

        let error = converse(&*open_replay(&path).unwrap(), "3+3?")
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::ReplayDrift);
        let text = error.to_string();
        assert!(text.contains("2+2?") && text.contains("3+3?"), "{text}");
        let tape = std::fs::read_to_string(&path).unwrap();
        assert!(!tape.contains("sk-ant"), "{tape}");
        assert_eq!(tape.lines().count(), 3);
    }
}

#[tokio::test]
async fn the_replay_of_a_dropped_stream_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    let chunk = json!({"choices": [{"index": 0, "delta": {"content": "Hel"}}]});
    let server = ScriptedServer::start([Reply::sse([chunk.to_string()]).then_hang()]).await;
    let base = format!("{}/v1", server.url());
    let model = ChatOpenAi::new("tiny")
        .base_url(base)
        .transport(recording(&path));
    let messages = [Message::human("?")];
    let mut stream = model.stream(&messages, &CallOptions::default());
    futures_util::StreamExt::next(&mut stream)
        .await
        .unwrap()
        .unwrap();
    drop(stream);
    let replayed = open_replay(&path).unwrap();
    let error = replayed
        .invoke(&messages, &CallOptions::default())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::CutStream);
}

#[test]
fn recordings_of_unknown_or_mixed_servers_are_refused() {
    let open = |lines: &[Value]| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        for line in lines {
            writeln!(file, "{line}").unwrap();
        }
        open_replay(file.path()).map(|_| ()).unwrap_err()
    };
    let line = |api: &str| json!({"api": api, "status": 200, "request": {}, "response": ""});
    let error = open(&[line("openai-chat"), line("ollama-chat")]);
    assert!(error.to_string().contains("mixes"), "{error}");
    let error = open(&[line("telepathy")]);
    assert!(error.to_string().contains("\"telepathy\""), "{error}");
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
}
