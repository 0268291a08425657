//! Recorded replies, whole, truncated and with other line ends, compared with a simple parser of
//! their JSON. Skipped with a message if the recordings are missing.

use std::fs;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use haft_core::{AiMessage, ChatChunk, ModelError, ModelErrorKind, generate};
use serde::Deserialize;
use serde_json::Value;

use super::super::decode::Decoder;
use super::super::exchange::read;
use crate::bound::BoundTools;
use crate::http::{Frames, Framing, Request, endpoint};
use crate::reply::Reading;

#[derive(Deserialize)]
struct Record {
    id: String,
    status: u16,
    #[serde(default)]
    retry_after: Option<String>,
    stream: bool,
    request: Value,
    response: String,
}

fn records() -> Vec<Record> {
    let Some(folder) = haft_testing::data_dir("openai corpus") else {
        return Vec::new();
    };
    let text = fs::read_to_string(folder.join("cassettes/openai-chat.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The reply in `body` when it comes in pieces of `size` bytes.
async fn decoded(streamed: bool, body: &str, size: usize) -> Result<AiMessage, ModelError> {
    let pieces: Vec<Bytes> = body
        .as_bytes()
        .chunks(size)
        .map(Bytes::copy_from_slice)
        .collect();
    let framing = if streamed {
        Framing::Sse
    } else {
        Framing::Whole
    };
    let mut frames = Frames::of_body(stream::iter(pieces.into_iter().map(Ok)).boxed(), framing);
    let chunks = generate(move |emitter| async move {
        let decoder = Decoder::new(Reading::native(&BoundTools::default()));
        for chunk in read(&mut frames, Box::new(decoder), &emitter).await? {
            emitter.emit(chunk).await;
        }
        Ok(())
    });
    let chunks: Vec<ChatChunk> = chunks.try_collect().await?;
    match chunks.last() {
        Some(ChatChunk::Done(reply)) => Ok(reply.clone()),
        other => panic!("the last chunk is the whole reply, not {other:?}"),
    }
}

/// The content of a reply, parsed without haft's code.
#[derive(Debug, Default, PartialEq)]
struct Plain {
    text: String,
    reasoning: String,
    calls: Vec<(String, Value)>,
    output_tokens: u64,
}

impl Plain {
    fn of_record(record: &Record) -> Self {
        let mut plain = Self::default();
        let mut raw: Vec<(String, String)> = Vec::new();
        let bodies: Vec<Value> = if record.stream {
            let lines = record
                .response
                .lines()
                .filter_map(|line| line.strip_prefix("data:"));
            lines
                .filter_map(|data| serde_json::from_str(data).ok())
                .collect()
        } else {
            vec![serde_json::from_str(&record.response).unwrap()]
        };
        for body in &bodies {
            if let Some(tokens) = body["usage"]["completion_tokens"].as_u64() {
                plain.output_tokens = tokens;
            }
            let said = &body["choices"][0][if record.stream { "delta" } else { "message" }];
            plain.text += said["content"].as_str().unwrap_or_default();
            plain.text += said["refusal"].as_str().unwrap_or_default();
            let thoughts = ["reasoning_content", "reasoning"].map(|name| said[name].as_str());
            let thought = thoughts.into_iter().flatten().find(|text| !text.is_empty());
            plain.reasoning += thought.unwrap_or_default();
            for (position, call) in said["tool_calls"]
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
            {
                let index = call["index"]
                    .as_u64()
                    .map_or(position, |index| index as usize);
                let index = if record.stream { index } else { position };
                raw.resize_with(raw.len().max(index + 1), Default::default);
                raw[index].0 += call["function"]["name"].as_str().unwrap_or_default();
                raw[index].1 += call["function"]["arguments"].as_str().unwrap_or_default();
            }
        }
        plain.calls = raw
            .into_iter()
            .map(|(name, arguments)| match arguments.as_str() {
                // Services without arguments write one or the other.
                "" | "null" => (name, Value::Object(Default::default())),
                _ => (name, serde_json::from_str(&arguments).unwrap()),
            })
            .collect();
        plain
    }

    fn of_reply(reply: &AiMessage) -> Self {
        use haft_core::ContentBlock::Thinking;
        let blocks = reply.content.blocks().iter();
        let calls = reply.tool_calls.iter().cloned();
        Self {
            text: reply.content.text(),
            reasoning: blocks
                .filter_map(|block| match block {
                    Thinking { thinking, .. } => Some(thinking.as_str()),
                    _ => None,
                })
                .collect(),
            calls: calls
                .map(|call| (call.name, Value::Object(call.args)))
                .collect(),
            output_tokens: reply.usage.map_or(0, |usage| usage.output_tokens),
        }
    }
}

/// A reply without ids, which are fresh wherever the wire has none.
fn without_ids(mut reply: AiMessage) -> AiMessage {
    for call in &mut reply.tool_calls {
        call.id.clear();
    }
    for call in &mut reply.invalid_tool_calls {
        call.id.clear();
    }
    reply
}

#[tokio::test]
async fn s000_07_recorded_replies_say_what_their_json_says() {
    let mut broken = 0;
    for record in records().iter().filter(|record| record.status == 200) {
        let id = &record.id;
        let reply = match decoded(record.stream, &record.response, usize::MAX).await {
            Ok(reply) => reply,
            Err(error) => {
                // The one recorded error in mid-stream.
                assert!(record.response.contains("event: error"), "{id}: {error:?}");
                assert_eq!(error.kind(), ModelErrorKind::Server, "{id}");
                broken += 1;
                continue;
            }
        };
        // A call cut off by the token limit is a call all the same, but no runnable one.
        if reply.invalid_tool_calls.is_empty() {
            assert_eq!(Plain::of_reply(&reply), Plain::of_record(record), "{id}");
        }
        let mut ids: Vec<_> = reply.tool_calls.iter().map(|call| &call.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), reply.tool_calls.len(), "{id}: ids are unique");
        assert!(ids.iter().all(|id| !id.is_empty()), "{id}");

        let crlf = record.response.replace("\r\n", "\n").replace('\n', "\r\n");
        let reply = without_ids(reply);
        let variants = [(&record.response, 1), (&crlf, 7), (&crlf, 1 << 20)];
        for (body, size) in variants {
            let variant = decoded(record.stream, body, size).await.unwrap();
            assert_eq!(without_ids(variant), reply, "{id} in pieces of {size}");
        }
        if record.stream {
            let open = record.response.replace("data: [DONE]", "");
            let variant = decoded(true, &open, usize::MAX).await.unwrap();
            assert_eq!(without_ids(variant), reply, "{id} without its last line");
        }
    }
    assert!(broken <= 1, "{broken} recordings could not be read");
}

#[tokio::test]
async fn recorded_streams_cut_short_are_never_answers() {
    for record in records()
        .iter()
        .filter(|record| record.status == 200 && record.stream)
    {
        let lines = record.response.lines();
        let until_end = lines.take_while(|line| {
            let ends =
                line.contains("\"finish_reason\":\"") || line.contains("\"finish_reason\": \"");
            !ends && !line.contains("[DONE]")
        });
        let head: String = until_end.map(|line| format!("{line}\n")).collect();
        let result = decoded(true, &head, usize::MAX).await;
        assert!(result.is_err(), "{}: {result:?}", record.id);
    }
}

#[test]
fn recorded_errors_have_their_kinds() {
    use ModelErrorKind as Kind;
    let url = endpoint("https://api.example.org/v1", "chat/completions").unwrap();
    let request = Request::post(crate::openai::API, url, Bytes::new(), Framing::Sse);
    for record in records().iter().filter(|record| record.status != 200) {
        let retry_after = record.retry_after.as_deref();
        let error = crate::http::refusal(&request, record.status, retry_after, &record.response);
        let overflow = [
            "exceeds the available context",
            "too_many_prompt",
            "prompt too long",
        ];
        let no_tools = ["requires --jinja", "does not support tool"];
        let kind = match record.status {
            _ if no_tools.iter().any(|text| record.response.contains(text)) => {
                Kind::ToolsUnsupported
            }
            401 | 403 => Kind::Unauthorized,
            404 => Kind::ModelNotFound,
            429 => Kind::RateLimited,
            500.. => Kind::Server,
            _ if overflow.iter().any(|text| record.response.contains(text)) => {
                Kind::ContextOverflow
            }
            _ => Kind::BadRequest,
        };
        let shown = error.to_string();
        assert_eq!(error.kind(), kind, "{}: {shown}", record.id);
        assert!(
            !shown.contains('{') || shown.contains("failed"),
            "{}: {shown}",
            record.id
        );
        assert!(shown.chars().count() > 40, "{}: {shown}", record.id);
    }
}

/// A client's request in the corpus must be readable with haft's wire types, and be written back
/// with the same known fields.
#[test]
fn recorded_requests_are_read_and_written_back() {
    use super::super::wire::ChatRequest;
    let mut read = 0;
    let records = records();
    for record in &records {
        let Ok(request) = serde_json::from_value::<ChatRequest>(record.request.clone()) else {
            continue;
        };
        read += 1;
        let written = serde_json::to_value(&request).unwrap();
        let again: ChatRequest = serde_json::from_value(written).unwrap();
        assert_eq!(again, request, "{}", record.id);
        let tools = record.request["tools"].as_array().map_or(0, Vec::len);
        assert_eq!(request.tools.list().len(), tools, "{}", record.id);
    }
    assert!(
        read * 10 >= records.len() * 9,
        "only {read} of {} are read",
        records.len()
    );
}
