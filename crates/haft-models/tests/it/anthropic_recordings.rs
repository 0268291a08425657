//! Recorded replies of Anthropic's API, replayed by a server and read by the client. Each must give
//! the reply that a small independent parser reads from its JSON, in any chunking, and an error if
//! its end is missing.
//!
//! The recordings are in the folder that `HAFT_DATA` names; without it the tests print a note and
//! pass.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, ChatModel, Message, ModelError, ModelErrorKind, StopReason,
};
use haft_models::{ChatAnthropic, Limits, Transport};
use haft_testing::{Reply, ScriptedServer, data_dir};
use serde_json::{Map, Value, json};

/// The recorded exchanges; `None` if they are not available.
fn records(test: &str) -> Option<Vec<Value>> {
    let file = data_dir(test)?.join("cassettes/anthropic-messages.jsonl");
    let lines = fs::read_to_string(file).unwrap();
    let records = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    Some(records.collect())
}

fn body(record: &Value) -> &str {
    record["response"].as_str().unwrap()
}

fn is_streamed(record: &Value) -> bool {
    record["stream"] == true
}

/// The reply of the client if a server answers with `body`.
async fn read(record: &Value, reply: Reply) -> Result<AiMessage, ModelError> {
    let status = u16::try_from(record["status"].as_u64().unwrap()).unwrap();
    let reply = reply.with_status(status);
    let server = ScriptedServer::with(move |request| {
        if request.method == "GET" {
            return Reply::json(json!({"data": [{"id": "claude-sonnet-4-5"}]}));
        }
        reply.clone()
    })
    .await;
    let mut limits = Limits::default();
    limits.retries = 0;
    let model = ChatAnthropic::new(record["request"]["model"].as_str().unwrap())
        .base_url(server.url())
        .streaming(is_streamed(record))
        .transport(Transport::http().with_limits(limits));
    let question = [Message::human("?")];
    model.invoke(&question, &CallOptions::default()).await
}

fn reply(record: &Value, body: &str) -> Reply {
    Reply::new(record["content_type"].as_str().unwrap(), body)
}

/// Text and calls (id, name, arguments) of an answer.
type Gist = (String, Vec<(String, String, Value)>);

/// The gist according to a parser that shares no code with the client.
fn gist(record: &Value) -> Gist {
    let blocks = if is_streamed(record) {
        joined_blocks(body(record))
    } else {
        let answer: Value = serde_json::from_str(body(record)).unwrap();
        answer["content"].as_array().unwrap().clone()
    };
    let mut gist = Gist::default();
    for block in blocks {
        let text = |key: &str| block[key].as_str().unwrap().to_owned();
        match block["type"].as_str().unwrap() {
            "text" => gist.0.push_str(&text("text")),
            "tool_use" => gist
                .1
                .push((text("id"), text("name"), block["input"].clone())),
            _ => {}
        }
    }
    gist
}

/// The blocks of a stream in the form of a whole reply.
fn joined_blocks(events: &str) -> Vec<Value> {
    let mut blocks: BTreeMap<u64, (Value, String)> = BTreeMap::new();
    for line in events.lines() {
        let Some(data) = line.strip_prefix("data:") else {
            continue;
        };
        let event: Value = serde_json::from_str(data).unwrap();
        let index = event["index"].as_u64();
        match event["type"].as_str().unwrap() {
            "content_block_start" => {
                let block = event["content_block"].clone();
                blocks.insert(index.unwrap(), (block, String::new()));
            }
            "content_block_delta" => {
                let delta = &event["delta"];
                let piece = delta.get("text").or(delta.get("partial_json"));
                let rest = &mut blocks.get_mut(&index.unwrap()).unwrap().1;
                rest.push_str(piece.and_then(Value::as_str).unwrap_or_default());
            }
            _ => {}
        }
    }
    let joined = blocks.into_values().map(|(mut block, rest)| {
        if block["type"] == "text" {
            block["text"] = json!(rest);
        } else if block["type"] == "tool_use" && !rest.is_empty() {
            block["input"] = serde_json::from_str(&rest).unwrap();
        }
        block
    });
    joined.collect()
}

fn read_gist(message: &AiMessage) -> Gist {
    let calls = message.tool_calls.iter().map(|call| {
        let args: &Map<String, Value> = &call.args;
        (
            call.id.clone(),
            call.name.clone(),
            Value::Object(args.clone()),
        )
    });
    (message.content.text(), calls.collect())
}

#[tokio::test]
async fn s000_07_recorded_answers_are_read_as_they_were_said() {
    let Some(records) = records("s000_07_recorded_answers_are_read_as_they_were_said") else {
        return;
    };
    let mut calls = 0;
    for record in records.iter().filter(|record| record["status"] == 200) {
        let id = &record["id"];
        let message = read(record, reply(record, body(record))).await;
        let message = message.unwrap_or_else(|error| panic!("{id}: {}", error.detail()));
        assert_eq!(read_gist(&message), gist(record), "{id}");
        assert!(message.invalid_tool_calls.is_empty(), "{id}");
        assert!(message.usage.unwrap().input_tokens > 0, "{id}");
        let asks = message.stop_reason == Some(StopReason::ToolUse);
        assert_eq!(asks, message.has_calls(), "{id}");
        calls += message.tool_calls.len();
    }
    assert!(calls > 0, "some of the recordings hold calls");
}

#[tokio::test]
async fn s000_r2_recorded_streams_are_read_equally_in_any_chunking() {
    let Some(records) = records("s000_r2_recorded_streams_are_read_equally_in_any_chunking") else {
        return;
    };
    for record in records.iter().filter(|record| is_streamed(record)) {
        let text = body(record);
        let crlf = text.replace('\n', "\r\n");
        let comments = text.replace("data:", ": a comment\ndata:");
        let variants = [
            reply(record, text).in_pieces_of(1),
            reply(record, &crlf).in_pieces_of(5),
            reply(record, &format!(":\n\n{comments}")),
        ];
        for variant in variants {
            let message = read(record, variant).await.unwrap();
            assert_eq!(read_gist(&message), gist(record), "{}", record["id"]);
        }
    }
}

#[tokio::test]
async fn s000_r2_a_recorded_stream_without_its_end_is_no_answer() {
    let Some(records) = records("s000_r2_a_recorded_stream_without_its_end_is_no_answer") else {
        return;
    };
    for record in records.iter().filter(|record| is_streamed(record)) {
        let text = body(record);
        let ends: Vec<usize> = text.match_indices("\n\n").map(|(end, _)| end + 2).collect();
        // Every third event is enough for each, but always the one before the last.
        let last = ends.len() - 2;
        for &end in ends.iter().take(last).step_by(3).chain([&ends[last]]) {
            let cut = reply(record, text.get(..end).unwrap());
            let error = read(record, cut).await.unwrap_err();
            let kind = error.kind();
            assert_eq!(kind, ModelErrorKind::CutStream, "{} at {end}", record["id"]);
        }
    }
}

#[tokio::test]
async fn s000_r2_recorded_refusals_have_their_kind() {
    let Some(records) = records("s000_r2_recorded_refusals_have_their_kind") else {
        return;
    };
    for record in records.iter().filter(|record| record["status"] != 200) {
        let error = read(record, reply(record, body(record))).await.unwrap_err();
        let refusal: Value = serde_json::from_str(body(record)).unwrap();
        let reason = refusal["error"]["message"].as_str().unwrap();
        let kind = error.kind();
        let hint = error.hint().unwrap_or_default();
        match record["status"].as_u64().unwrap() {
            401 => {
                assert_eq!(kind, ModelErrorKind::Unauthorized);
                assert!(hint.contains("ANTHROPIC_API_KEY"), "{hint}");
            }
            404 => {
                assert_eq!(kind, ModelErrorKind::ModelNotFound);
                assert!(error.to_string().contains("claude-sonnet-4-5"), "{error}");
            }
            _ if reason.contains("too long") => assert_eq!(kind, ModelErrorKind::ContextOverflow),
            _ => {
                assert_eq!(kind, ModelErrorKind::BadRequest);
                assert!(error.to_string().contains(reason), "{error}");
            }
        }
        assert!(error.status().is_some() || kind == ModelErrorKind::ContextOverflow);
    }
}

#[tokio::test]
async fn s000_r2_recorded_answers_go_back_as_they_came() {
    let Some(records) = records("s000_r2_recorded_answers_go_back_as_they_came") else {
        return;
    };
    for record in records
        .iter()
        .filter(|record| record["calls"] != 0 && record["status"] == 200)
    {
        let (text, calls) = gist(record);
        let reply = Arc::new(read(record, reply(record, body(record))).await.unwrap());
        let server = ScriptedServer::with(|_| Reply::json(json!({"content": []}))).await;
        let model = ChatAnthropic::new("m").base_url(server.url());
        let conversation = [Message::human("?"), Message::Ai((*reply).clone())];
        model
            .invoke(&conversation, &CallOptions::default())
            .await
            .unwrap();
        let sent = &server.requests()[0].body["messages"][1]["content"];
        let sent: Vec<&Value> = sent.as_array().into_iter().flatten().collect();
        let echoed: Vec<_> = sent
            .iter()
            .filter(|block| block["type"] == "tool_use")
            .map(|block| {
                let text = |key: &str| block[key].as_str().unwrap().to_owned();
                (text("id"), text("name"), block["input"].clone())
            })
            .collect();
        assert_eq!(echoed, calls, "{}", record["id"]);
        let said: String = sent
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect();
        assert_eq!(said.trim(), text.trim(), "{}", record["id"]);
    }
}
