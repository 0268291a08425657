use haft_core::CallOptions;
use haft_models::{ModelServer, ModelSettings, ServerKind};
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
    ClientRequest::from_openai(body.to_string().as_bytes()).unwrap()
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

/// The number of agents that are created for these requests, in this order.
fn made(agents: &Agents, requests: impl IntoIterator<Item = ClientRequest>) -> usize {
    let mut made = 0;
    for request in requests {
        let wanted = Wanted::of(&request, Overrides::default(), &[]);
        let make = || {
            made += 1;
            Ok(agent())
        };
        agents.get(wanted, make).unwrap();
    }
    made
}

#[test]
fn one_agent_answers_requests_that_differ_only_in_the_conversation() {
    let agents = Agents::default();
    let other = |body: &mut Value| body["messages"][0]["content"] = json!("Bye");
    assert_eq!(
        made(&agents, [request(|_| ()), request(other), request(|_| ())]),
        1
    );
}

#[test]
fn any_other_difference_needs_another_agent() {
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
    let overrides = Overrides {
        repair: Some(false),
        ..Overrides::default()
    };
    let plain = Wanted::of(&request(|_| ()), Overrides::default(), &[]).unwrap();
    assert!(!plain.is(&Wanted::of(&request(|_| ()), overrides, &[]).unwrap()));
}

#[test]
fn an_agent_with_a_response_schema_is_not_kept() {
    let mut wanted = request(|_| ());
    wanted.options = CallOptions {
        response_schema: Some(Arc::new(json!({"type": "object"}))),
        ..CallOptions::default()
    };
    assert!(Wanted::of(&wanted, Overrides::default(), &[]).is_none());
    assert_eq!(made(&Agents::default(), [wanted.clone(), wanted]), 2);
}

#[test]
fn only_the_latest_agents_are_cached() {
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
