//! Which part of the router answers what: the engine, a choice between prepared calls, or the
//! model without tools.

use haft_core::{AiMessage, ToolAnnotations, ToolCall, ToolMessage, ToolOutput};
use haft_testing::{ScriptedModel, SpyTool};
use serde_json::{Value, json};

use super::*;

fn reader(name: &str, description: &str, schema: Value) -> Arc<dyn Tool> {
    let annotations = ToolAnnotations {
        read_only: true,
        ..ToolAnnotations::default()
    };
    Arc::new(
        SpyTool::new(name, |_| Ok(ToolOutput::from("done")))
            .with_description(description)
            .with_schema(schema)
            .with_annotations(annotations),
    )
}

fn weather() -> Arc<dyn Tool> {
    reader(
        "get_weather",
        "Get the current weather in a city. Uses a public service.",
        json!({
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "The name of the city"},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            },
            "required": ["city"],
        }),
    )
}

async fn ask(model: &ScriptedModel, tools: &[Arc<dyn Tool>], messages: &[Message]) -> AiMessage {
    let router = Router::new(Arc::new(model.clone()))
        .bind_tools(tools)
        .unwrap();
    let options = CallOptions::default();
    router.invoke(messages, &options).await.unwrap()
}

#[tokio::test]
async fn the_engine_calls_what_it_understands_and_words_the_result() {
    let model = ScriptedModel::saying([]);
    let tools: Vec<Arc<dyn Tool>> = vec![Arc::new(haft_tools::get_current_datetime())];
    let mut messages = vec![Message::user("What time is it in Tokyo?")];
    let reply = ask(&model, &tools, &messages).await;
    assert_eq!(reply.tool_calls[0].name, "get_current_datetime");
    let id = reply.tool_calls[0].id.clone();
    messages.push(reply.into());
    let result = "It is 5:30 PM on Monday, March 9, 2026 in Tokyo (Asia/Tokyo).";
    messages.push(ToolMessage::success(result, id).into());
    let answer = ask(&model, &tools, &messages).await;
    assert!(answer.content.text().contains("5:30"), "{answer:?}");
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn a_conversation_is_answered_without_tools() {
    let model = ScriptedModel::saying([AiMessage::new("Goethe.")]);
    let reply = ask(&model, &[weather()], &[Message::user("Who wrote Faust?")]).await;
    assert_eq!(reply.content.text(), "Goethe.");
    assert!(model.requests()[0].tools.is_empty());
}

#[test]
fn what_changes_is_never_answered_from_memory() {
    for question in [
        "Is the kitchen light brighter than the hallway light?",
        "Does the balcony light still respond, or is it offline?",
        "What's the weather like?",
        "Is it going to rain tomorrow?",
        "Who won the match yesterday?",
        "Set a timer for ten minutes",
    ] {
        assert!(needs_lookup(question), "{question}");
    }
    for question in [
        "What is the capital of Australia?",
        "What is a thermostat good for?",
        "Write one sentence about rain.",
        "Thanks, that was helpful!",
        "Tell me a joke about cats",
    ] {
        assert!(!needs_lookup(question), "{question}");
    }
}

#[tokio::test]
async fn the_model_chooses_between_calls_with_arguments_from_the_question() {
    let call = ToolCall::new("get_weather", json!({"city": "Oslo"}), "call_1");
    let model = ScriptedModel::saying([
        AiMessage::new("").with_tool_calls([call]),
        AiMessage::new("It is sunny in Oslo."),
    ]);
    let mut messages = vec![Message::user("What is the current weather in Oslo?")];
    let reply = ask(&model, &[weather()], &messages).await;
    assert_eq!(reply.tool_calls.len(), 1);
    let request = &model.requests()[0];
    assert_eq!(request.tools, ["get_weather"]);
    assert_eq!(request.options.tool_choice, ToolChoice::OneOrNone);

    messages.push(reply.into());
    messages.push(ToolMessage::success("sunny, 21 degrees", "call_1").into());
    let answer = ask(&model, &[weather()], &messages).await;
    assert_eq!(answer.content.text(), "It is sunny in Oslo.");
    let request = &model.requests()[1];
    assert!(request.tools.is_empty());
    assert_eq!(request.messages[0], Message::system(WRITE_SENTENCE));
}

fn parcel() -> Arc<dyn Tool> {
    reader(
        "get_parcel_status",
        "Where a parcel is",
        json!({
            "type": "object",
            "properties": {"number": {"type": "string", "description": "Number of the parcel"}},
            "required": ["number"],
        }),
    )
}

#[tokio::test]
async fn a_call_far_nearer_than_all_others_is_made_without_the_model() {
    let tools = [weather(), parcel()];
    for (question, name, args) in [
        (
            "What is the weather in Oslo?",
            "get_weather",
            json!({"city": "Oslo"}),
        ),
        (
            "Where is parcel number 48213?",
            "get_parcel_status",
            json!({"number": "48213"}),
        ),
    ] {
        let model = ScriptedModel::saying([]);
        let reply = ask(&model, &tools, &[Message::user(question)]).await;
        assert_eq!(reply.tool_calls[0].name, name);
        assert_eq!(Value::Object(reply.tool_calls[0].args.clone()), args);
    }
    // Two values may be meant; nothing is named.
    for question in [
        "Is the weather better in Oslo or in Rome?",
        "Why is weather in winter bad?",
    ] {
        let found = candidates(
            question,
            &ToolChooser::new(ToolGroups::default(), tools.to_vec()),
            &tools,
        );
        assert!(
            !matches!(found, Candidates::Clear(_)),
            "{question}: {found:?}"
        );
    }
}

#[tokio::test]
async fn what_the_model_adds_to_a_result_is_not_said() {
    let model = ScriptedModel::saying([AiMessage::new("It is stormy in Oslo, and 40 degrees.")]);
    let call = ToolCall::new("get_weather", json!({"city": "Oslo"}), "call_1");
    let messages = [
        Message::user("What is the weather in Oslo?"),
        AiMessage::new("").with_tool_calls([call]).into(),
        ToolMessage::success("Sunny, 21 degrees.", "call_1").into(),
    ];
    let reply = ask(&model, &[weather()], &messages).await;
    assert_eq!(reply.content.text(), "Sunny, 21 degrees.");
}

#[tokio::test]
async fn an_answer_of_the_engine_is_not_repeated_when_asked_for_a_call() {
    let model = ScriptedModel::saying([]);
    let router = Router::new(Arc::new(model.clone()))
        .bind_tools(&[weather()])
        .unwrap();
    let question = [Message::user("Don't turn on the kitchen light")];
    let options = CallOptions {
        tool_choice: ToolChoice::OneOrNone,
        ..CallOptions::default()
    };
    let reply = router.invoke(&question, &options).await.unwrap();
    assert!(reply.content.is_blank());
}

#[tokio::test]
async fn a_failure_is_said_without_the_model() {
    let model = ScriptedModel::saying([]);
    let call = ToolCall::new("get_weather", json!({"city": "Oslo"}), "call_1");
    let messages = [
        Message::user("What is the weather in Oslo?"),
        AiMessage::new("").with_tool_calls([call]).into(),
        ToolMessage::error("The service does not answer.", "call_1").into(),
    ];
    let reply = ask(&model, &[weather()], &messages).await;
    let text = reply.content.text();
    assert!(text.contains("does not answer"), "{text}");
}

#[tokio::test]
async fn none_of_the_calls_is_no_reason_to_guess() {
    let model = ScriptedModel::saying([AiMessage::new("")]);
    let question = [Message::user("What is the current weather in Oslo?")];
    let reply = ask(&model, &[weather()], &question).await;
    assert_eq!(reply.content.text(), NO_TOOL);
}

#[tokio::test]
async fn a_demanded_call_is_the_models() {
    for choice in [
        ToolChoice::Required,
        ToolChoice::Tool("get_weather".to_owned()),
    ] {
        let call = ToolCall::new("get_weather", json!({"city": "Rome"}), "call_1");
        let model = ScriptedModel::saying([AiMessage::new("").with_tool_calls([call])]);
        let router = Router::new(Arc::new(model.clone()));
        let router = router.bind_tools(&[weather()]).unwrap();
        let options = CallOptions {
            tool_choice: choice.clone(),
            ..CallOptions::default()
        };
        let question = [Message::user("Who wrote Faust?")];
        let reply = router.invoke(&question, &options).await.unwrap();
        assert_eq!(reply.tool_calls.len(), 1);
        assert_eq!(model.requests()[0].options.tool_choice, choice);
        assert_eq!(model.requests()[0].tools, ["get_weather"]);
    }
}

#[tokio::test]
async fn a_missing_argument_is_asked_for() {
    let model = ScriptedModel::saying([]);
    let question = [Message::user("Tell me the current weather, please")];
    let reply = ask(&model, &[weather()], &question).await;
    assert_eq!(
        reply.content.text(),
        "I need to know the city (The name of the city) for that. Please ask again with it."
    );
}

#[tokio::test]
async fn a_tool_that_changes_things_is_no_candidate() {
    let door: Arc<dyn Tool> = Arc::new(
        SpyTool::new("open_gate", |_| Ok(ToolOutput::from("open")))
            .with_description("Open the gate of the garden")
            .with_schema(json!({"type": "object", "properties": {}})),
    );
    let chooser = ToolChooser::new(ToolGroups::default(), vec![door.clone()]);
    let found = candidates("Is the gate of the garden open?", &chooser, &[door]);
    assert!(matches!(found, Candidates::None), "{found:?}");
}

#[tokio::test]
async fn a_refusal_to_guess_is_no_answer_and_has_a_record_of_its_own() {
    let model = ScriptedModel::saying([]);
    let options = crate::AgentOptions {
        routing: crate::Routing::Always,
        ..crate::AgentOptions::default()
    };
    let executor = haft_tools::ToolExecutor::new(haft_tools::ToolManager::new());
    let agent = crate::Agent::new(Arc::new(model.clone()), executor, options).unwrap();
    let answer = agent.ask("What's the weather like?").await.unwrap();
    assert_eq!(answer.text, NO_TOOL);
    assert_eq!(answer.outcome, haft_core::Outcome::Unverified);
    assert!(model.requests().is_empty());
    assert_eq!(agent.recorded_name(), "scripted (routed)");
}
