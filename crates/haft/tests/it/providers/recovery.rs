//! Recovery with every provider: the requests after a reply that is not usable, and their results.

use std::sync::Arc;

use haft::models::{ChatAnthropic, ChatOllama, ChatOpenAi, ToolMode};
use haft::{Agent, Answer, ChatModel, Outcome, RecoveryStep, Tool, ToolNeedDetector};
use haft_testing::{CapturedRequest, Reply, ScriptedServer, SpyTool};
use serde_json::{Value, json};

use super::wires::{Said, WIRES, Wire};

const GUIDANCE: &str = "Answer the question directly without calling any tools";

/// The result of a question.
struct Asked {
    answer: Answer,
    requests: Vec<CapturedRequest>,
    tool: Arc<SpyTool>,
}

/// Asks for the weather with these replies of the server; a call is needed.
async fn ask(model: Arc<dyn ChatModel>, server: &ScriptedServer) -> Asked {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}},
        "required": ["city"]});
    let tool = SpyTool::new("get_weather", |_| Ok("sunny".into())).with_schema(schema);
    let tool = Arc::new(tool);
    let agent = Agent::builder()
        .model(model)
        .tools([tool.clone() as Arc<dyn Tool>])
        .tool_need(ToolNeedDetector::new(|question, _| {
            question.contains("weather")
        }))
        .build()
        .await
        .unwrap();
    let answer = agent.ask("How is the weather in Oslo?").await.unwrap();
    Asked {
        answer,
        requests: server.requests(),
        tool,
    }
}

fn text(text: &str) -> Said<'_> {
    Said { text, calls: &[] }
}

/// Asks every wire, streamed and in one piece, with these replies.
async fn on_every_wire(replies: &[Said<'_>], test: impl Fn(&Wire, Asked)) {
    for wire in WIRES {
        for streamed in [true, false] {
            println!("{} streamed: {streamed}", wire.name);
            let replies = replies.iter().map(|said| (wire.reply)(streamed, said));
            let server = ScriptedServer::start(replies).await;
            let asked = ask((wire.model)(server.url(), streamed), &server).await;
            test(wire, asked);
        }
    }
}

/// The system message of a request, in any API.
fn system(wire: &Wire, body: &Value) -> String {
    let sent = (wire.sent)(body);
    let systems = sent.iter().filter(|message| message.role == "system");
    systems.map(|message| message.text.as_str()).collect()
}

#[tokio::test]
async fn s003_02_a_blank_reply_is_retried_without_tools_and_with_guidance() {
    for blank in ["", " \n"] {
        on_every_wire(&[text(blank), text("Sunny.")], |wire, asked| {
            assert_eq!(asked.answer.text, "Sunny.");
            let outcome = Outcome::Recovered(RecoveryStep::WithoutTools);
            assert_eq!(asked.answer.outcome, outcome);
            let [first, second] = &asked.requests[..] else {
                panic!("{:?}", asked.requests)
            };
            assert!((wire.may_call)(&first.body) && first.body.get("tools").is_some());
            assert!(second.body.get("tools").is_none(), "{}", second.text);
            assert_eq!(system(wire, &first.body), "");
            assert_eq!(system(wire, &second.body), GUIDANCE);
        })
        .await;
    }
}

#[tokio::test]
async fn s003_11_a_blank_reply_after_a_tool_round_keeps_the_work() {
    let oslo = [("call_1", "get_weather", json!({"city": "Oslo"}))];
    let call = Said {
        text: "",
        calls: &oslo,
    };
    on_every_wire(&[call, text(""), text("Sunny.")], |wire, asked| {
        assert_eq!(asked.answer.text, "Sunny.");
        assert_eq!(asked.tool.seen().len(), 1);
        let last = &asked.requests[2].body;
        assert!(!(wire.may_call)(last));
        assert!(system(wire, last).contains(GUIDANCE));
        let sent = (wire.sent)(last);
        assert_eq!(sent.last().unwrap().text, "sunny");
    })
    .await;
}

#[tokio::test]
async fn s003_03_a_server_that_fails_at_the_retry_leaves_the_apology() {
    for wire in WIRES {
        let down = Reply::json(json!({"error": {"message": "no"}})).with_status(400);
        let server = ScriptedServer::start([(wire.reply)(true, &text("")), down]).await;
        let asked = ask((wire.model)(server.url(), true), &server).await;
        assert_eq!(asked.answer.outcome, Outcome::Empty, "{}", wire.name);
        assert!(!asked.answer.text.trim().is_empty());
    }
}

/// The decision of a model in the form of this API: a call, or none.
fn decision(wire: &Wire, call: Option<&Value>) -> Reply {
    let name = call.map_or("none", |_| "get_weather");
    let arguments = call.cloned().unwrap_or_else(|| json!({}));
    if wire.name == "anthropic" {
        let calls = [("call_1", name, arguments)];
        return (wire.reply)(
            true,
            &Said {
                text: "",
                calls: &calls,
            },
        );
    }
    let spelled = json!({"name": name, "arguments": arguments}).to_string();
    (wire.reply)(true, &text(&spelled))
}

/// The names that a request lets the model choose from.
fn choice(wire: &Wire, body: &Value) -> Vec<String> {
    let names = |values: Vec<&Value>| -> Vec<String> {
        let names = values.iter().filter_map(|value| value.as_str());
        names.map(str::to_owned).collect()
    };
    if wire.name == "anthropic" {
        assert_eq!(body["tool_choice"]["type"], "any");
        let tools = body["tools"].as_array().unwrap();
        return names(tools.iter().map(|tool| &tool["name"]).collect());
    }
    assert!(body.get("tools").is_none());
    let schema = match wire.name {
        "ollama" => &body["format"],
        _ => &body["response_format"]["json_schema"]["schema"],
    };
    let choices = schema["anyOf"].as_array().unwrap().iter();
    let choices = choices.map(|choice| &choice["properties"]["name"]["enum"][0]);
    names(choices.collect())
}

#[tokio::test]
async fn prose_where_a_call_was_due_is_retried_with_constrained_decoding() {
    for wire in WIRES {
        let oslo = json!({"city": "Oslo"});
        let replies = [
            (wire.reply)(true, &text("I could look that up for you.")),
            decision(wire, Some(&oslo)),
            (wire.reply)(true, &text("Sunny.")),
        ];
        let server = ScriptedServer::start(replies).await;
        let asked = ask((wire.model)(server.url(), true), &server).await;
        assert_eq!(asked.answer.text, "Sunny.", "{}", wire.name);
        let outcome = Outcome::Recovered(RecoveryStep::ConstrainedCall);
        assert_eq!(asked.answer.outcome, outcome, "{}", wire.name);
        assert_eq!(Value::Object(asked.tool.seen()[0].input.clone()), oslo);
        let requests = &asked.requests;
        assert_eq!(choice(wire, &requests[1].body), ["get_weather", "none"]);
        let sent = (wire.sent)(&requests[2].body);
        assert_eq!(sent.last().unwrap().text, "sunny");
        assert!(!requests[2].text.contains("look that up"));
    }
}

#[tokio::test]
async fn the_first_text_stays_if_the_model_chooses_no_tool_or_nothing() {
    const PROSE: &str = "It is sunny, as I said.";
    for wire in WIRES {
        let prose = || (wire.reply)(true, &text(PROSE));
        let refusal = Reply::json(json!({"error": {"message": "no schema"}})).with_status(400);
        let mut seconds = vec![decision(wire, None), refusal];
        if wire.name != "anthropic" {
            seconds.push(prose());
            seconds.push(decision(wire, Some(&json!({"town": "Oslo"}))));
        }
        for second in seconds {
            let server = ScriptedServer::start([prose(), second]).await;
            let asked = ask((wire.model)(server.url(), true), &server).await;
            assert_eq!(asked.answer.text, PROSE, "{}", wire.name);
            assert_eq!(asked.answer.outcome, Outcome::Answered);
            assert!(asked.tool.seen().is_empty());
        }
    }
}

#[tokio::test]
async fn a_model_without_native_tools_decides_the_same_way() {
    let wire = |name| WIRES.iter().find(|wire| wire.name == name).unwrap();
    for name in ["ollama", "openai"] {
        let wire = wire(name);
        let oslo = json!({"city": "Oslo"});
        let replies = [
            (wire.reply)(true, &text("I could look.")),
            decision(wire, Some(&oslo)),
            (wire.reply)(true, &text("Sunny.")),
        ];
        let server = ScriptedServer::start(replies).await;
        let model: Arc<dyn ChatModel> = match name {
            "ollama" => Arc::new(
                ChatOllama::new("tiny")
                    .base_url(server.url())
                    .tool_mode(ToolMode::Text),
            ),
            _ => Arc::new(
                ChatOpenAi::new("tiny")
                    .base_url(format!("{}/v1", server.url()))
                    .tool_mode(ToolMode::Text),
            ),
        };
        let asked = ask(model, &server).await;
        assert_eq!(
            (asked.answer.text.as_str(), asked.tool.seen().len()),
            ("Sunny.", 1)
        );
        assert_eq!(
            choice(wire, &asked.requests[1].body),
            ["get_weather", "none"]
        );
    }
}

/// Replies with only reasoning, truncated or not.
fn thought(name: &str, thought: &str, cut: bool) -> Reply {
    match name {
        "ollama" => {
            let reason = if cut { "length" } else { "stop" };
            let message = json!({"role": "assistant", "content": "", "thinking": thought});
            Reply::json(json!({"message": message, "done": true, "done_reason": reason}))
        }
        "openai" => {
            let reason = if cut { "length" } else { "stop" };
            let message =
                json!({"role": "assistant", "content": null, "reasoning_content": thought});
            Reply::json(json!({"choices": [
                {"index": 0, "message": message, "finish_reason": reason}]}))
        }
        _ => {
            let reason = if cut { "max_tokens" } else { "end_turn" };
            let block = json!({"type": "thinking", "thinking": thought, "signature": "s"});
            Reply::json(json!({"id": "m", "type": "message", "role": "assistant",
                "model": "tiny", "content": [block], "stop_reason": reason,
                "usage": {"input_tokens": 1, "output_tokens": 1}}))
        }
    }
}

/// A model with a low token limit and reasoning.
fn terse(name: &str, url: &str) -> Arc<dyn ChatModel> {
    match name {
        "ollama" => Arc::new(
            ChatOllama::new("tiny")
                .base_url(url)
                .num_predict(50)
                .think(true)
                .streaming(false),
        ),
        "openai" => Arc::new(
            ChatOpenAi::new("tiny")
                .base_url(format!("{url}/v1"))
                .max_tokens(50)
                .streaming(false),
        ),
        _ => Arc::new(
            ChatAnthropic::new("tiny")
                .base_url(url)
                .max_tokens(50)
                .thinking(1024)
                .streaming(false),
        ),
    }
}

/// The maximum number of tokens in a request, including reasoning if the API counts it.
fn room(name: &str, body: &Value) -> u64 {
    let room = match name {
        "ollama" => &body["options"]["num_predict"],
        _ => &body["max_tokens"],
    };
    room.as_u64().unwrap()
}

#[tokio::test]
async fn a_thought_that_ran_out_of_tokens_gets_more_room() {
    for wire in WIRES {
        let replies = [
            thought(wire.name, "Let me see...", true),
            (wire.reply)(false, &text("Sunny.")),
        ];
        let server = ScriptedServer::start(replies).await;
        let model = terse(wire.name, server.url());
        let agent = Agent::builder().model(model).build().await.unwrap();
        let answer = agent.ask("Weather?").await.unwrap();
        assert_eq!(
            answer.outcome,
            Outcome::Recovered(RecoveryStep::RaiseMaxTokens)
        );
        let [first, second] = &server.requests()[..] else {
            panic!("two requests")
        };
        let more = room(wire.name, &second.body) - room(wire.name, &first.body);
        assert_eq!(more, 150, "{}", wire.name);
    }
}

#[tokio::test]
async fn reasoning_alone_is_retried_and_a_call_in_it_is_not_made() {
    let call = "I call <tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\
                </tool_call> and then wait. No, better not.";
    for wire in WIRES {
        let replies = [
            thought(wire.name, call, false),
            (wire.reply)(false, &text("Sunny.")),
        ];
        let server = ScriptedServer::start(replies).await;
        let asked = ask(terse(wire.name, server.url()), &server).await;
        assert_eq!(asked.answer.text, "Sunny.", "{}", wire.name);
        assert_eq!(
            asked.answer.outcome,
            Outcome::Recovered(RecoveryStep::ThinkingOnly)
        );
        assert!(asked.tool.seen().is_empty(), "{}", wire.name);
        let second = &asked.requests[1].body;
        assert!(!(wire.may_call)(second));
        assert_eq!(system(wire, second), GUIDANCE);
        match wire.name {
            "ollama" => assert_eq!(second["think"], false),
            "anthropic" => assert!(second.get("thinking").is_none()),
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_closed_thought_in_the_text_is_no_answer_and_no_call() {
    let closed = "<think>\nget_weather(city=\"Oslo\")\n</think>\n";
    for name in ["ollama", "openai"] {
        let wire = WIRES.iter().find(|wire| wire.name == name).unwrap();
        for streamed in [true, false] {
            let said = [text(closed), text("Sunny.")];
            let replies = said.iter().map(|said| (wire.reply)(streamed, said));
            let server = ScriptedServer::start(replies).await;
            let asked = ask((wire.model)(server.url(), streamed), &server).await;
            assert_eq!(asked.answer.text, "Sunny.", "{name}");
            assert!(asked.tool.seen().is_empty());
            assert_eq!(
                asked.answer.outcome,
                Outcome::Recovered(RecoveryStep::ThinkingOnly)
            );
        }
    }
}

#[tokio::test]
async fn the_same_invalid_call_again_ends_in_a_turn_without_tools() {
    let wrong = [("call_1", "get_weather", json!({"town": 7}))];
    let call = || Said {
        text: "",
        calls: &wrong,
    };
    on_every_wire(&[call(), call(), text("I cannot tell.")], |wire, asked| {
        assert_eq!(asked.answer.text, "I cannot tell.");
        assert_eq!(asked.answer.outcome, Outcome::ToolsFailed);
        let steps = asked.answer.recovery.iter().map(|report| report.step);
        assert!(
            steps
                .into_iter()
                .any(|step| step == RecoveryStep::InvalidCalls)
        );
        let sent = (wire.sent)(&asked.requests[1].body);
        let sent = &sent.last().unwrap().text;
        assert!(
            sent.starts_with("Error: Invalid arguments for get_weather"),
            "{sent}"
        );
        assert!((wire.may_call)(&asked.requests[1].body));
        assert!(!(wire.may_call)(&asked.requests[2].body));
        assert!(asked.tool.seen().is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_endless_loop_of_the_same_call_ends_after_the_third() {
    let oslo = [("call_1", "get_weather", json!({"city": "Oslo"}))];
    let call = || Said {
        text: "",
        calls: &oslo,
    };
    let said = [call(), call(), call(), text("Sunny.")];
    on_every_wire(&said, |wire, asked| {
        assert_eq!(asked.answer.text, "Sunny.");
        assert_eq!(
            asked.answer.outcome,
            Outcome::Recovered(RecoveryStep::RepeatedCalls)
        );
        assert_eq!(asked.requests.len(), 4);
        let last = &asked.requests[3].body;
        assert!(!(wire.may_call)(last));
        let sent = (wire.sent)(last);
        let results: Vec<_> = sent
            .iter()
            .filter(|message| message.role == "tool")
            .collect();
        assert_eq!(results[0].text, "sunny");
        assert!(results[1].text.contains("same call"), "{results:?}");
    })
    .await;
}
