//! Requests with `functions`, the form that tools replaced.

use haft_models::{ModelServer, ModelSettings, ServerKind};
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

use super::{Rig, forecast, said};

fn question(stream: bool) -> Value {
    json!({"model": "tiny", "stream": stream, "functions": [forecast()["function"]],
        "function_call": "auto", "messages": [
            {"role": "user", "content": "How is the weather in Oslo?"},
            {"role": "assistant", "content": null,
             "function_call": {"name": "forecast", "arguments": "{\"city\":\"Bergen\"}"}},
            {"role": "function", "name": "forecast", "content": "rain"},
            {"role": "user", "content": "In Oslo!"}]})
}

#[tokio::test]
async fn a_function_call_is_answered_in_its_own_form() {
    let call = || said("", &[("c1", "forecast", json!({"city": "Oslo"}))]);
    for repair in [true, false] {
        let rig = Rig::with(vec![call(), call()], |options| {
            options.overrides.repair = Some(repair);
        })
        .await;
        let answer = rig.post("/v1/chat/completions", &question(false)).send();
        let answer = answer.await.unwrap().text().await.unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let choice = &answer["choices"][0];
        assert_eq!(choice["finish_reason"], "function_call");
        let expected = json!({"name": "forecast", "arguments": "{\"city\":\"Oslo\"}"});
        assert_eq!(choice["message"]["function_call"], expected);
        assert!(choice["message"].get("tool_calls").is_none());

        let answer = rig.post("/v1/chat/completions", &question(true)).send();
        let answer = answer.await.unwrap().text().await.unwrap();
        assert!(
            answer.contains("\"function_call\":{\"name\":\"forecast\""),
            "{answer}"
        );
        assert!(
            answer.contains("\"finish_reason\":\"function_call\""),
            "{answer}"
        );
        assert!(!answer.contains("tool_calls"), "{answer}");

        for asked in rig.asked() {
            assert_eq!(asked["tools"][0]["function"]["name"], "forecast");
            assert!(asked.get("functions").is_none() && asked.get("function_call").is_none());
            let messages = &asked["messages"];
            assert_eq!(
                messages[1]["tool_calls"][0]["id"],
                messages[2]["tool_call_id"]
            );
            assert_eq!(messages[2]["role"], "tool");
        }
    }
}

#[tokio::test]
async fn functions_reach_servers_of_other_apis() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/v1/messages" => Reply::json(json!({"id": "m", "type": "message", "role": "assistant",
            "model": "tiny", "stop_reason": "tool_use", "usage": {"input_tokens": 1,
            "output_tokens": 1}, "content": [{"type": "tool_use", "id": "t", "name": "forecast",
            "input": {"city": "Oslo"}}]})),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let url = server.url().to_owned();
    let upstream = ModelServer::new(ServerKind::Anthropic, url, &ModelSettings::default());
    let rig = Rig::over(server, upstream).await;
    let answer = rig.post("/v1/chat/completions", &question(false)).send();
    let answer = answer.await.unwrap().text().await.unwrap();
    assert!(answer.contains("\"function_call\":{"), "{answer}");
    let requests = rig.server.requests();
    let asked = &requests[0].body;
    assert_eq!(asked["tools"][0]["name"], "forecast");
    assert_eq!(asked["messages"][1]["content"][0]["type"], "tool_use");
    assert_eq!(asked["messages"][2]["content"][0]["type"], "tool_result");
}
