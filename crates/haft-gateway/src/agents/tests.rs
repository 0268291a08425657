use haft_core::CallOptions;
use haft_models::{Dialect, ModelServer, ModelSettings, ServerKind};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::{Value, json};

use super::*;

fn request(change: impl FnOnce(&mut Value)) -> ClientRequest {
    let mut body = json!({
        "model": "m",
        "messages": [{"role": "user", "content": "Hi"}],
        "tools": [{"type": "function", "function": {"name": "t", "parameters": {"type": "object"}}}],
    });
    change(&mut body);
    Dialect::OpenAi.read(body.to_string().as_bytes()).unwrap()
}

fn agent() -> Agent {
    let server = ModelServer::new(
        ServerKind::OpenAi,
        "http://127.0.0.1:1/v1",
        &ModelSettings::default(),
    );
    let executor = ToolExecutor::new(ToolManager::new());
    Agent::new(
        server.open("m").unwrap(),
        executor,
        haft_agent::AgentOptions::default(),
    )
    .unwrap()
}

/// How many agents are made for these requests, in this order.
fn made(agents: &Agents, requests: impl IntoIterator<Item = ClientRequest>) -> usize {
    let mut made = 0;
    for request in requests {
        let wanted = Wanted::of(&request, Switches::default(), &[]);
        let make = || {
            made += 1;
            Ok(agent())
        };
        agents.get(wanted, make).unwrap();
    }
    made
}

#[test]
fn one_agent_answers_what_differs_in_the_conversation_alone() {
    let agents = Agents::default();
    let other = |body: &mut Value| body["messages"][0]["content"] = json!("Bye");
    assert_eq!(
        made(&agents, [request(|_| ()), request(other), request(|_| ())]),
        1
    );
}

#[test]
fn whatever_else_differs_takes_another_agent() {
    let changes: [fn(&mut Value); 5] = [
        |body| body["model"] = json!("n"),
        |body| body["stream"] = json!(true),
        |body| body["temperature"] = json!(0.5),
        |body| body["tools"] = json!([]),
        |body| body["tools"][0]["function"]["parameters"] = json!({"type": "object", "title": "T"}),
    ];
    let agents = Agents::default();
    assert_eq!(made(&agents, [request(|_| ())]), 1);
    for change in changes {
        assert_eq!(made(&agents, [request(change), request(change)]), 1);
    }
    assert_eq!(made(&agents, [request(|_| ())]), 0);
    let switches = Switches {
        repair: Some(false),
        ..Switches::default()
    };
    let plain = Wanted::of(&request(|_| ()), Switches::default(), &[]).unwrap();
    assert!(!plain.is(&Wanted::of(&request(|_| ()), switches, &[]).unwrap()));
}

#[test]
fn a_schema_for_the_text_is_of_one_question() {
    let mut wanted = request(|_| ());
    wanted.options = CallOptions {
        response_schema: Some(Arc::new(json!({"type": "object"}))),
        ..CallOptions::default()
    };
    assert!(Wanted::of(&wanted, Switches::default(), &[]).is_none());
    assert_eq!(made(&Agents::default(), [wanted.clone(), wanted]), 2);
}

#[test]
fn the_agents_in_use_are_kept_and_not_more() {
    let agents = Agents::default();
    let of = |number: usize| request(move |body| body["model"] = json!(number.to_string()));
    let mut total = 0;
    for number in 0..2 * KEPT {
        total += made(&agents, [of(number), request(|_| ())]);
    }
    assert_eq!(total, 2 * KEPT + 1);
    assert_eq!(agents.0.lock().unwrap().len(), KEPT);
    assert_eq!(made(&agents, [of(0)]), 1);
}
