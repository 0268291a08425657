//! The beginning of the prompt is the same in each request of a conversation.

use haft_models::{ModelServer, ModelSettings, ServerKind};
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

use super::{Rig, forecast, said};

/// What Claude Code sends in one turn, with a time and counters added: a new billing line, and the
/// conversation so far.
fn turn(number: usize) -> Value {
    let billing = format!(
        "x-anthropic-billing-header: cc_version=2.1.37.0d9; cc_entrypoint=cli; cch={number:05x};"
    );
    let rules = format!("You are a coding agent.\nCurrent time: 14:{number:02}\nBe brief.");
    let mut messages = vec![json!({"role": "user", "content": "Fix the test."})];
    for past in 0..number {
        let id = format!("toolu_{past}");
        let left = format!("<total_tokens>{} tokens left</total_tokens>", 9000 - past);
        messages.extend([
            json!({"role": "assistant", "content": [
                {"type": "tool_use", "id": id, "name": "forecast", "input": {"city": "Oslo"}}]}),
            json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": id, "content": format!("Sunny {past}")}]}),
            json!({"role": "system", "content": left}),
        ]);
    }
    json!({"model": "tiny", "max_tokens": 99, "messages": messages,
        "system": [{"type": "text", "text": billing}, {"type": "text", "text": rules}],
        "tools": [{"name": "forecast", "description": "The weather",
            "input_schema": forecast()["function"]["parameters"]}]})
}

/// What a server of this kind receives in two turns of a conversation.
async fn first_and_second_turn(kind: ServerKind, switch: Option<&str>) -> [Value; 2] {
    let chat = match kind {
        ServerKind::Anthropic => "/v1/messages",
        _ => "/v1/chat/completions",
    };
    let server = ScriptedServer::with(move |request| match request.path.as_str() {
        path if path != chat => Reply::text("404").with_status(404),
        "/v1/messages" => Reply::json(json!({"type": "message", "role": "assistant",
            "content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"})),
        _ => said("Done.", &[]),
    })
    .await;
    let url = match kind {
        ServerKind::Anthropic => server.url().to_owned(),
        _ => format!("{}/v1", server.url()),
    };
    let upstream = ModelServer::new(kind, url, &ModelSettings::default());
    let rig = Rig::over(server, upstream).await;
    for number in [2, 3] {
        let mut request = rig.post("/v1/messages", &turn(number));
        if let Some(switch) = switch {
            request = request.header("x-haft-stable-prefix", switch);
        }
        let _ = request.send().await.unwrap().text().await.unwrap();
    }
    let asked = rig.server.requests().into_iter();
    let asked: Vec<Value> = asked
        .filter(|request| request.path == chat)
        .map(|request| request.body)
        .collect();
    asked.try_into().unwrap()
}

/// The messages as text; those of the second request begin with those of the first, up to the end
/// of what was heard last in the first.
fn begins_alike([first, second]: &[Value; 2]) -> bool {
    let text = |body: &Value| serde_json::to_string(&body["messages"]).unwrap();
    let (first, second) = (text(first), text(second));
    let moved = first.rfind("\\n\\nFrom the system prompt:\\nCurrent time");
    moved.is_some_and(|moved| second.starts_with(first.split_at(moved).0))
}

#[tokio::test]
async fn a_turn_begins_with_the_prompt_of_the_one_before() {
    for kind in [ServerKind::OpenAi, ServerKind::Anthropic] {
        let turns = first_and_second_turn(kind, None).await;
        assert!(begins_alike(&turns), "{turns:#?}");
        assert_eq!(turns[0]["system"], turns[1]["system"]);
        assert_eq!(turns[0]["tools"], turns[1]["tools"]);
        let text = turns[1].to_string();
        assert!(!text.contains("billing"), "{text}");
        // The model still knows the time and all counts.
        assert_eq!(text.matches("Current time: 14:03").count(), 1, "{text}");
        assert_eq!(text.matches("tokens left").count(), 3, "{text}");
    }
}

#[tokio::test]
async fn a_request_can_switch_it_off() {
    for kind in [ServerKind::OpenAi, ServerKind::Anthropic] {
        let turns = first_and_second_turn(kind, Some("off")).await;
        assert!(!begins_alike(&turns), "{turns:#?}");
        assert!(turns[0].to_string().contains("cch=00002"), "{turns:#?}");
    }
}

#[tokio::test]
async fn added_tools_come_after_the_known_ones() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/v1/chat/completions" => said("Done.", &[]),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let rig = Rig::before(server, |_| {}).await;
    let named = |name: &str| {
        let mut tool = forecast();
        tool["function"]["name"] = name.into();
        tool
    };
    let known = vec![named("zebra"), named("ant"), named("forecast")];
    for added in [vec![], vec![named("bee")]] {
        let tools = [known.clone(), added].concat();
        let body = json!({"model": "tiny", "tools": tools,
            "messages": [{"role": "user", "content": "Hi"}]});
        rig.post("/v1/chat/completions", &body)
            .send()
            .await
            .unwrap();
    }
    let asked = rig.asked();
    let tools = |index: usize| asked[index]["tools"].to_string();
    let (first, second) = (tools(0), tools(1));
    let open = first.strip_suffix(']').unwrap();
    assert!(second.starts_with(&format!("{open},")), "{first} {second}");
}
