//! The loop over traffic of a real engine, recorded with `--record` (see
//! `tests/outside/llama_server`): each file of `tests/cassettes` is one conversation.
//!
//! A recording answers only the request that it holds, so these tests also pin every byte that
//! the adapters send: a changed request is a drift and turns them red.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use haft::{Agent, Answer, Message, Outcome, Tool, ToolError, ToolInput, ToolOutput};
use serde_json::{Value, json};

/// A tool as described in a recorded request; it always returns the same text.
#[derive(Debug)]
struct RecordedTool {
    name: String,
    description: String,
    schema: Value,
}

#[async_trait]
impl Tool for RecordedTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Ok("21 degrees and sunny".into())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cassettes")
}

/// The first request of a recording.
fn first_request(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    let exchange: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    exchange["request"].clone()
}

/// The tools of a request, of either dialect.
fn tools(request: &Value) -> Vec<Arc<dyn Tool>> {
    let tools = request["tools"].as_array().unwrap().iter();
    let tools = tools.map(|tool| tool.get("function").unwrap_or(tool));
    let tools = tools.map(|tool| {
        Arc::new(RecordedTool {
            name: tool["name"].as_str().unwrap().to_owned(),
            description: tool["description"].as_str().unwrap().to_owned(),
            schema: tool
                .get("parameters")
                .unwrap_or(&tool["input_schema"])
                .clone(),
        }) as Arc<dyn Tool>
    });
    tools.collect()
}

/// What the user asked, in either dialect.
fn question(request: &Value) -> String {
    let content = &request["messages"][0]["content"];
    content
        .as_str()
        .or(content[0]["text"].as_str())
        .unwrap()
        .to_owned()
}

async fn replayed(name: &str) -> Answer {
    let path = folder().join(name);
    let request = first_request(&path);
    let agent = Agent::builder()
        .model(format!("replay:{}", path.display()))
        .tools(tools(&request))
        .build()
        .await
        .unwrap();
    agent
        .ask(question(&request))
        .await
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn calls(answer: &Answer) -> Vec<(String, Value)> {
    let calls = answer.messages.iter().filter_map(|message| match message {
        Message::Ai(message) => Some(message.tool_calls.clone()),
        _ => None,
    });
    calls
        .flatten()
        .map(|call| (call.name, Value::Object(call.args)))
        .collect()
}

#[tokio::test]
async fn s000_r2_a_real_engine_asks_for_tools_over_both_dialects() {
    let expected = [
        (
            "call",
            vec![("get_weather", json!({"city": "Paris", "unit": "celsius"}))],
        ),
        (
            "two",
            vec![
                ("get_weather", json!({"city": "Oslo"})),
                ("get_weather", json!({"city": "Rome"})),
            ],
        ),
        ("noargs", vec![("get_time", json!({}))]),
        (
            "nested",
            vec![(
                "place_order",
                json!({"items": [{"sku": "A-1", "qty": 2}, {"sku": "B\"2", "qty": 1}],
                    "gift": true, "note": null, "price": 1.5}),
            )],
        ),
        (
            "unicode",
            vec![("get_weather", json!({"city": "Zürich 東京 🌦"}))],
        ),
        ("think", vec![("get_weather", json!({"city": "Lima"}))]),
    ];
    for dialect in ["openai", "anthropic"] {
        for (case, expected) in &expected {
            let answer = replayed(&format!("llama-server-{dialect}-{case}.jsonl")).await;
            let expected: Vec<_> = expected
                .iter()
                .map(|(name, args)| ((*name).to_owned(), args.clone()))
                .collect();
            assert_eq!(calls(&answer), expected, "{dialect} {case}");
            assert_eq!(
                answer.text, "It is 21 degrees and sunny.",
                "{dialect} {case}"
            );
            assert_eq!((answer.outcome, answer.rounds), (Outcome::Answered, 2));
            assert!(answer.usage.input_tokens > 0 && answer.usage.output_tokens > 0);
        }
    }
}

#[tokio::test]
async fn s000_r2_a_real_engine_that_calls_nothing_is_just_quoted() {
    for dialect in ["openai", "anthropic"] {
        let hello = replayed(&format!("llama-server-{dialect}-hello.jsonl")).await;
        assert_eq!(
            (hello.text.as_str(), hello.rounds),
            ("Hello there! How may I help?", 1)
        );
        let fake = replayed(&format!("llama-server-{dialect}-fake.jsonl")).await;
        let text = "In HTML one would write <tool_calls> or {\"name\": \"x\"} and it is no call.";
        assert_eq!((fake.text.as_str(), calls(&fake).len()), (text, 0));
    }
}

#[tokio::test]
async fn another_question_is_a_drift_and_no_answer() {
    let path = folder().join("llama-server-openai-hello.jsonl");
    let agent = Agent::builder()
        .model(format!("replay:{}", path.display()))
        .tools(tools(&first_request(&path)))
        .build()
        .await
        .unwrap();
    let error = agent.ask("Something else?").await.unwrap_err();
    let kind = haft::AgentErrorKind::Model(haft::ModelErrorKind::ReplayDrift);
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains("messages"), "{error}");
}
