use std::sync::Arc;

use futures_util::StreamExt;
use haft_core::{AiMessage, Event, Message, Outcome, RecoveryStep, Tool, ToolCall, ToolChoice};
use haft_testing::{ScriptedModel, SpyTool};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;

use super::*;
use crate::{Agent, AgentOptions};

const ZWAVE: [&str; 6] = [
    "list_zwave_devices",
    "list_devices",
    "verify_device",
    "control_zwave_device",
    "get_device_sensor_data",
    "check_zwave_health",
];

const CUSTOM: [&str; 3] = [
    "get_current_datetime",
    "search_web",
    "control_speaker_volume",
];

/// The 31 tools of the specification: six of Z-Wave, 22 of a browser, three more.
fn names() -> Vec<String> {
    let browser = (1..=22).map(|number| format!("browser_{number}"));
    let others = ZWAVE.into_iter().chain(CUSTOM).map(str::to_owned);
    others.chain(browser).collect()
}

fn agent_of(model: &ScriptedModel, names: &[String], selection: Option<ToolSelection>) -> Agent {
    let mut manager = ToolManager::new();
    for name in names {
        let tool = SpyTool::new(name, |_| Ok("done".into()));
        manager.add(Arc::new(tool) as Arc<dyn Tool>).unwrap();
    }
    let options = AgentOptions {
        selection,
        ..AgentOptions::default()
    };
    Agent::new(Arc::new(model.clone()), ToolExecutor::new(manager), options).unwrap()
}

fn agent(model: &ScriptedModel) -> Agent {
    agent_of(model, &names(), Some(ToolSelection::default()))
}

/// The tools in the request for this question, and the answer.
async fn bound_for(question: &str) -> Vec<String> {
    let model = ScriptedModel::saying([
        AiMessage::new("").with_tool_calls([ToolCall::new("list_devices", json!({}), "1")]),
        AiMessage::new("So it is."),
    ]);
    let answer = agent(&model).ask(question).await.unwrap();
    assert_eq!(answer.tools_bound, model.requests()[0].tools);
    model.requests()[0].tools.clone()
}

#[tokio::test]
async fn s003_04_a_device_query_gets_only_the_zwave_tools() {
    assert_eq!(bound_for("turn on the kitchen light").await, ZWAVE);
    let both = bound_for("turn on the kitchen light and tell me the time").await;
    assert_eq!(both.len(), 7);
    assert!(
        both.contains(&"get_current_datetime".to_owned()),
        "{both:?}"
    );
}

#[tokio::test]
async fn s003_05_a_time_query_gets_only_the_clock() {
    assert_eq!(bound_for("what time is it").await, ["get_current_datetime"]);
}

#[tokio::test]
async fn s003_06_a_general_query_gets_no_tools() {
    let question = "what is the capital of France";
    assert_eq!(bound_for(question).await, [""; 0]);
    // The blank reply is asked again all the same.
    let model = ScriptedModel::saying([AiMessage::new(""), AiMessage::new("Paris.")]);
    let answer = agent(&model).ask(question).await.unwrap();
    assert_eq!(answer.text, "Paris.");
    assert_eq!(
        answer.outcome,
        Outcome::Recovered(RecoveryStep::WithoutTools)
    );
    assert!(
        model
            .requests()
            .iter()
            .all(|request| request.tools.is_empty())
    );
}

#[tokio::test]
async fn tools_left_out_are_reported() {
    let model = ScriptedModel::saying([AiMessage::new("It is noon.")]);
    let events = agent(&model).run(vec![Message::human("what is the capital of France")]);
    let events: Vec<_> = events.map(Result::unwrap).collect().await;
    let Event::ToolsChosen {
        bound,
        left_out,
        reason,
        tokens_saved,
    } = &events[0]
    else {
        panic!("{:?}", events[0])
    };
    assert_eq!((bound.len(), left_out.len()), (0, 31));
    assert!(reason.starts_with("general"), "{reason}");
    assert!(*tokens_saved > 31 * 8, "{tokens_saved}");
}

#[tokio::test]
async fn in_a_conversation_tools_are_only_added() {
    let model = ScriptedModel::saying([
        AiMessage::new("").with_tool_calls([ToolCall::new("list_devices", json!({}), "1")]),
        AiMessage::new("Two lamps."),
        AiMessage::new("").with_tool_calls([ToolCall::new("get_current_datetime", json!({}), "2")]),
        AiMessage::new("Noon."),
        AiMessage::new("Paris."),
    ]);
    let agent = agent(&model);
    let session = agent.session();
    for question in [
        "list my devices",
        "what time is it",
        "what is the capital of France",
    ] {
        session.ask(question).await.unwrap();
    }
    let requests = model.requests();
    assert_eq!(requests[0].tools, ZWAVE);
    for pair in requests.windows(2) {
        assert!(pair[1].tools.starts_with(&pair[0].tools));
    }
    assert_eq!(requests[4].tools[6], "get_current_datetime");
    assert!(agent.ask("what is the capital of Spain").await.is_err());
    assert_eq!(model.requests()[5].tools, [""; 0]);
}

#[tokio::test]
async fn without_selection_every_tool_is_bound() {
    let model = ScriptedModel::saying([AiMessage::new("Paris.")]);
    let agent = agent_of(&model, &names(), None);
    agent.ask("what is the capital of France").await.unwrap();
    assert_eq!(model.requests()[0].tools, names());
}

#[tokio::test]
async fn prose_about_a_device_is_asked_again_as_a_call_or_none() {
    let call = AiMessage::new("").with_tool_calls([ToolCall::new(
        "control_zwave_device",
        json!({"deviceName": "kitchen light", "action": "on"}),
        "1",
    )]);
    let model = ScriptedModel::saying([
        AiMessage::new("Sure, the light is on now!"),
        call,
        AiMessage::new("It is on."),
    ]);
    let answer = agent(&model)
        .ask("turn on the kitchen light")
        .await
        .unwrap();
    assert_eq!(answer.text, "It is on.");
    assert_eq!(
        model.requests()[1].options.tool_choice,
        ToolChoice::OneOrNone
    );
    // If no call is known to be needed, text is an answer.
    let model = ScriptedModel::saying([AiMessage::new("Why did the lamp blush?")]);
    let answer = agent(&model)
        .ask("tell me a joke about a lamp")
        .await
        .unwrap();
    assert_eq!((answer.outcome, answer.rounds), (Outcome::Answered, 1));
}

#[tokio::test]
async fn a_tool_found_by_search_tools_can_be_called() {
    let mut names: Vec<String> = (1..=90)
        .map(|number| format!("dull_thing_{number}"))
        .collect();
    names.push("convert_currency".to_owned());
    let selection = ToolSelection {
        search_tools: true,
        ..ToolSelection::default()
    };
    let model = ScriptedModel::saying([
        AiMessage::new("").with_tool_calls([ToolCall::new(
            "search_tools",
            json!({"query": "convert currency", "limit": 1}),
            "1",
        )]),
        AiMessage::new("").with_tool_calls([ToolCall::new("convert_currency", json!({}), "2")]),
        AiMessage::new("Ten euros."),
    ]);
    let agent = agent_of(&model, &names, Some(selection));
    let answer = agent.ask("dull thing 7 please").await.unwrap();
    let requests = model.requests();
    assert_eq!(requests[0].tools[0], "search_tools");
    assert!(!requests[0].tools.contains(&"convert_currency".to_owned()));
    let (first, second) = (&requests[0].tools, &requests[1].tools);
    assert!(second.starts_with(first), "{first:?}, then {second:?}");
    assert!(requests[1].tools.contains(&"convert_currency".to_owned()));
    let found = answer.messages[2].content().text();
    assert!(found.contains("convert_currency"), "{found}");
    assert_eq!(answer.text, "Ten euros.");
}
