//! Tools of the Responses API, and calls of them.

use haft_models::{ModelServer, ModelSettings, Secret, ServerKind};
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

use super::super::{Rig, said};
use super::{PATH, forecast, json_of, kinds, streamed, whole, without_ids};

fn patch_tool() -> Value {
    json!({"type": "custom", "name": "apply_patch", "description": "Edits files",
        "format": {"type": "grammar", "syntax": "lark", "definition": "start: \"*** Begin\""}})
}

fn agents() -> Value {
    json!({"type": "namespace", "name": "agents", "description": "Helpers", "tools": [
        {"type": "function", "name": "spawn", "parameters": {"type": "object", "properties": {
            "task": {"type": "string"}}}}]})
}

#[tokio::test]
async fn a_printed_call_is_a_function_call_whole_and_streamed() {
    let printed = "<tool_call>\n{\"name\": \"forecast\", \"arguments\": {\"city\": \"Oslo\", \
        \"days\": \"3\"}}\n</tool_call>";
    let rig = Rig::new(vec![said(printed, &[]), said(printed, &[])]).await;
    let request = json!({"model": "tiny", "input": "The weather in Oslo for 3 days?",
        "tools": [forecast()]});
    let answer = rig.post(PATH, &request).send().await.unwrap();
    assert!(answer.headers().contains_key("x-haft-done"));
    let answer = json_of(answer).await;
    let call = &answer["output"][0];
    assert_eq!(call["type"], "function_call");
    assert_eq!(call["arguments"], "{\"city\":\"Oslo\",\"days\":3}");
    assert!(call["id"].as_str().unwrap().starts_with("fc_"));
    assert!(!call["call_id"].as_str().unwrap().is_empty());
    let events = streamed(&rig, &request).await;
    let expected = [
        "created",
        "in_progress",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ];
    assert_eq!(kinds(&events), expected);
    assert_eq!(events[2]["item"]["arguments"], "");
    assert_eq!(events[4]["arguments"], call["arguments"]);
    let mut items = [
        answer["output"].clone(),
        events[6]["response"]["output"].clone(),
    ];
    for items in &mut items {
        *items = without_ids(items);
        items[0]["call_id"] = Value::Null;
    }
    assert_eq!(items[0], items[1]);
}

#[tokio::test]
async fn a_custom_tool_takes_text_and_its_calls_are_custom_calls() {
    let patch = "*** Begin Patch\n*** End Patch";
    let call = || said("", &[("a", "apply_patch", json!({"input": patch}))]);
    let rig = Rig::new(vec![call(), call(), said("Done.", &[])]).await;
    let mut request = json!({"model": "tiny", "input": "Change it", "tools": [patch_tool()]});
    let answer = whole(&rig, &request).await;
    let made = &answer["output"][0];
    assert_eq!(made["type"], "custom_tool_call");
    assert_eq!(made["input"], patch);
    assert!(made["id"].as_str().unwrap().starts_with("ctc_"));
    let events = streamed(&rig, &request).await;
    let input = [
        "custom_tool_call_input.delta",
        "custom_tool_call_input.done",
    ];
    assert_eq!(kinds(&events)[3..5], input);
    assert_eq!(events[4]["input"], patch);
    request["input"] = json!([
        {"role": "user", "content": "Change it"},
        made,
        {"type": "custom_tool_call_output", "call_id": made["call_id"], "output": "ok"},
    ]);
    whole(&rig, &request).await;
    let asked = rig.asked();
    let offered = &asked[0]["tools"][0]["function"];
    assert_eq!(offered["parameters"]["required"], json!(["input"]));
    let description = offered["description"].as_str().unwrap();
    assert!(
        description.contains("start: \"*** Begin\""),
        "{description}"
    );
    let history = &asked[2]["messages"];
    let arguments = history[1]["tool_calls"][0]["function"]["arguments"].as_str();
    let arguments: Value = serde_json::from_str(arguments.unwrap()).unwrap();
    assert_eq!(arguments, json!({"input": patch}));
    assert_eq!(history[2]["content"], "ok");
}

#[tokio::test]
async fn custom_calls_that_are_not_repaired_are_whole_too() {
    let arguments = json!({"input": "text"}).to_string();
    let piece = |delta: Value| json!({"choices": [{"delta": {"tool_calls": [delta]}}]}).to_string();
    let (first, rest) = arguments.split_at(7);
    let reply = Reply::sse([
        piece(json!({"index": 0, "id": "a", "function": {"name": "apply_patch", "arguments": ""}})),
        piece(json!({"index": 0, "function": {"arguments": first}})),
        piece(json!({"index": 0, "function": {"arguments": rest}})),
        json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string(),
        "[DONE]".to_owned(),
    ]);
    let rig = Rig::with(vec![reply], |options| {
        options.overrides.repair = Some(false);
    })
    .await;
    let request = json!({"model": "tiny", "input": "?", "tools": [patch_tool()]});
    let events = streamed(&rig, &request).await;
    assert_eq!(
        events.last().unwrap()["response"]["output"][0]["input"],
        "text"
    );
}

#[tokio::test]
async fn tools_of_a_namespace_are_named_back() {
    let call = said("", &[("a", "agents__spawn", json!({"task": "look"}))]);
    let rig = Rig::new(vec![call, said("Done.", &[])]).await;
    let mut request = json!({"model": "tiny", "input": "Look", "tools": [agents()]});
    let answer = whole(&rig, &request).await;
    let made = &answer["output"][0];
    assert_eq!(
        (&made["namespace"], &made["name"]),
        (&json!("agents"), &json!("spawn"))
    );
    request["input"] = json!([
        {"role": "user", "content": "Look"},
        made,
        {"type": "function_call_output", "call_id": made["call_id"], "output": "ok"},
    ]);
    whole(&rig, &request).await;
    let asked = rig.asked();
    assert_eq!(asked[0]["tools"][0]["function"]["name"], "agents__spawn");
    let repeated = &asked[1]["messages"][1]["tool_calls"][0]["function"]["name"];
    assert_eq!(*repeated, "agents__spawn");
}

#[tokio::test]
async fn tools_that_run_at_openai_are_left_out_with_a_notice() {
    let rig = Rig::new(vec![said("Hi", &[])]).await;
    let request = json!({"model": "tiny", "client_metadata": {"a": "b"},
        "include": ["reasoning.encrypted_content", "web_search_call.action.sources"],
        "input": [{"type": "web_search_call", "id": "ws_1"}, {"role": "user", "content": "Hi"}],
        "tools": [forecast(), {"type": "web_search"}, {"type": "mcp", "server_label": "x"}]});
    let answer = rig.post(PATH, &request).send().await.unwrap();
    let dropped = answer.headers()["x-haft-dropped"].to_str().unwrap();
    let expected = [
        "client_metadata",
        "include.web_search_call.action.sources",
        "tools.web_search",
        "tools.mcp",
        "input.web_search_call",
    ];
    assert_eq!(dropped.split(", ").collect::<Vec<_>>(), expected);
    assert_eq!(rig.asked()[0]["tools"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_choice_of_tools_is_kept() {
    let call = || said("", &[("a", "forecast", json!({"city": "Oslo"}))]);
    let rig = Rig::new(vec![call(), call(), call()]).await;
    let named = json!({"type": "function", "name": "forecast"});
    let mut request = json!({"model": "tiny", "input": "Oslo?",
        "tools": [forecast(), patch_tool()], "tool_choice": named});
    whole(&rig, &request).await;
    request["tool_choice"] = json!({"type": "allowed_tools", "mode": "required", "tools": [named]});
    let answer = whole(&rig, &request).await;
    assert_eq!(answer["tool_choice"]["type"], "allowed_tools");
    let asked = rig.asked();
    let names: Vec<&Value> = asked[1]["tools"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 1);
    assert_eq!(names[0]["function"]["name"], "forecast");
}

#[tokio::test]
async fn without_parallel_calls_a_reply_has_one() {
    let calls = [
        ("a", "forecast", json!({"city": "Oslo"})),
        ("b", "forecast", json!({"city": "Rome"})),
    ];
    let rig = Rig::new(vec![said("", &calls), said("", &calls)]).await;
    let request = json!({"model": "tiny", "input": "Oslo and Rome?", "tools": [forecast()],
        "parallel_tool_calls": false});
    let answer = whole(&rig, &request).await;
    assert_eq!(answer["output"].as_array().unwrap().len(), 1);
    let events = streamed(&rig, &request).await;
    let items = &events.last().unwrap()["response"]["output"];
    assert_eq!(items.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn ollama_and_anthropic_answer_too() {
    let ollama = json!({"message": {"role": "assistant", "content": "", "tool_calls": [
        {"function": {"name": "forecast", "arguments": {"city": "Oslo"}}}]}, "done": true,
        "done_reason": "stop", "prompt_eval_count": 5, "eval_count": 7, "model": "tiny"});
    let anthropic = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "tiny",
        "content": [{"type": "tool_use", "id": "a", "name": "forecast", "input": {"city": "Oslo"}}],
        "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 7}});
    let anthropic_events = [
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message",
            "role": "assistant", "model": "tiny", "content": [],
            "usage": {"input_tokens": 5, "output_tokens": 0}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use",
            "id": "a", "name": "forecast", "input": {}}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta",
            "partial_json": "{\"city\": \"Oslo\"}"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"},
            "usage": {"output_tokens": 7}}),
        json!({"type": "message_stop"}),
    ];
    for kind in [ServerKind::Ollama, ServerKind::Anthropic] {
        let (ollama, anthropic, events) =
            (ollama.clone(), anthropic.clone(), anthropic_events.clone());
        let server = ScriptedServer::with(move |request| match request.path.as_str() {
            "/api/chat" => Reply::ndjson([ollama.clone()]),
            "/v1/messages" if request.body["stream"] == true => {
                Reply::sse(events.iter().map(Value::to_string))
            }
            "/v1/messages" => Reply::json(anthropic.clone()),
            _ => Reply::text("not here").with_status(404),
        })
        .await;
        let mut settings = ModelSettings::default();
        settings.server_mut(ServerKind::Anthropic).api_key = Some(Secret::new("k"));
        let upstream = ModelServer::new(kind, server.url(), &settings);
        let rig = Rig::over(server, upstream).await;
        let request = json!({"model": "tiny", "input": "Oslo?", "tools": [forecast()]});
        let answer = whole(&rig, &request).await;
        assert_eq!(
            answer["output"][0]["arguments"], "{\"city\":\"Oslo\"}",
            "{answer}"
        );
        assert_eq!(answer["usage"]["total_tokens"], 12);
        let events = streamed(&rig, &request).await;
        let last = &events.last().unwrap()["response"];
        assert_eq!(last["output"][0]["name"], "forecast", "{last}");
    }
}
