//! The Responses API over a model server of another API: what the model server is sent, and what the
//! client receives.

mod stored;
mod tools;

use haft_testing::Reply;
use reqwest::Response;
use serde_json::{Value, json};

use super::{Rig, said};

const PATH: &str = "/v1/responses";

/// The function of the other tests, as this API has it.
fn forecast() -> Value {
    json!({"type": "function", "name": "forecast", "description": "The weather", "strict": false,
        "parameters": {"type": "object", "required": ["city"], "properties": {
            "city": {"type": "string"}, "days": {"type": "integer"}}}})
}

async fn whole(rig: &Rig, request: &Value) -> Value {
    let answer = rig.post(PATH, request).send().await.unwrap();
    json_of(answer).await
}

async fn json_of(answer: Response) -> Value {
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

/// The events of a stream, after a check that each is named and numbered.
async fn streamed(rig: &Rig, request: &Value) -> Vec<Value> {
    let mut request = request.clone();
    request["stream"] = true.into();
    let answer = rig.post(PATH, &request).send().await.unwrap();
    let text = answer.text().await.unwrap();
    let mut events = Vec::new();
    for (number, block) in text.split("\n\n").filter(|one| !one.is_empty()).enumerate() {
        let (name, data) = block.split_once('\n').unwrap();
        let event: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(name.strip_prefix("event: ").unwrap(), event["type"]);
        assert_eq!(event["sequence_number"], number);
        events.push(event);
    }
    events
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event["type"].as_str().unwrap().strip_prefix("response."))
        .map(|kind| kind.unwrap_or("error"))
        .collect()
}

/// The items without their ids.
fn without_ids(items: &Value) -> Value {
    let mut items = items.clone();
    for item in items.as_array_mut().unwrap() {
        item.as_object_mut().unwrap().remove("id");
    }
    items
}

#[tokio::test]
async fn a_conversation_becomes_messages_of_the_model_server() {
    let rig = Rig::new(vec![said("Dry.", &[])]).await;
    let request = json!({
        "model": "tiny", "instructions": "Be brief.", "tools": [forecast()],
        "input": [
            {"role": "developer", "content": "Be kind."},
            {"type": "message", "role": "user",
                "content": [{"type": "input_text", "text": "Oslo?"},
                    {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}]},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "unknown"},
            {"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": "Let me look."}]},
            {"type": "function_call", "call_id": "a", "name": "forecast",
                "arguments": "{\"city\": \"Oslo\"}"},
            {"type": "function_call_output", "call_id": "a",
                "output": [{"type": "input_text", "text": "Rain"}]},
            {"role": "user", "content": "And tomorrow?"},
        ],
        "max_output_tokens": 50, "temperature": 0.5, "top_p": 0.9,
        "reasoning": {"effort": "low"}, "parallel_tool_calls": true, "user": "u",
    });
    let answer = whole(&rig, &request).await;
    assert_eq!(answer["output"][0]["content"][0]["text"], "Dry.");
    let asked = &rig.asked()[0];
    let messages = asked["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "system");
    assert_eq!(messages[0]["content"], "Be brief.\n\nBe kind.");
    assert_eq!(messages[1]["content"][1]["type"], "image_url");
    assert_eq!(messages[2]["content"], "Let me look.");
    assert_eq!(messages[2]["tool_calls"][0]["id"], "a");
    assert_eq!(messages[3]["content"], "Rain");
    assert_eq!(messages[4]["content"], "And tomorrow?");
    assert_eq!(messages.len(), 5);
    assert_eq!(asked["temperature"], 0.5);
    assert_eq!(asked["reasoning_effort"], "low");
    assert_eq!(asked["user"], "u");
}

#[tokio::test]
async fn text_comes_as_events_in_their_documented_order() {
    let reply = || said("Hello", &[]);
    let rig = Rig::new(vec![reply(), reply()]).await;
    let request = json!({"model": "tiny", "input": "Hi", "metadata": {"a": "b"}});
    let events = streamed(&rig, &request).await;
    let expected = [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ];
    assert_eq!(kinds(&events), expected);
    let last = &events[8]["response"];
    assert_eq!(last["status"], "completed");
    assert_eq!(last["metadata"], json!({"a": "b"}));
    assert_eq!(last["output"][0], events[7]["item"]);
    assert_eq!(events[0]["response"]["status"], "in_progress");
    assert_eq!(events[0]["response"]["output"], json!([]));
    let answer = whole(&rig, &request).await;
    assert_eq!(without_ids(&answer["output"]), without_ids(&last["output"]));
    assert_eq!(answer["usage"], last["usage"]);
}

#[tokio::test]
async fn reasoning_is_an_item_before_the_text() {
    let reply = || {
        let delta = |field: &str, text: &str| json!({"choices": [{"delta": {field: text}}]});
        let last = json!({"choices": [{"delta": {}, "finish_reason": "length"}]});
        Reply::sse([
            delta("reasoning_content", "Hm").to_string(),
            delta("content", "Yes").to_string(),
            last.to_string(),
            "[DONE]".to_owned(),
        ])
    };
    let rig = Rig::new(vec![reply(), reply()]).await;
    let mut request = json!({"model": "tiny", "input": "?", "reasoning": {"summary": "auto"}});
    let events = streamed(&rig, &request).await;
    let summary = [
        "created",
        "in_progress",
        "output_item.added",
        "reasoning_summary_part.added",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
        "output_item.done",
    ];
    assert_eq!(kinds(&events)[..8], summary);
    assert_eq!(events[7]["item"]["summary"][0]["text"], "Hm");
    let last = &events.last().unwrap()["response"];
    assert_eq!(last["status"], "incomplete");
    assert_eq!(last["incomplete_details"]["reason"], "max_output_tokens");
    assert_eq!(last["output"][1]["status"], "incomplete");
    request["reasoning"] = json!({"effort": "low"});
    let answer = whole(&rig, &request).await;
    let said = json!([{"type": "reasoning_text", "text": "Hm"}]);
    assert_eq!(answer["output"][0]["content"], said);
    assert_eq!(answer["status"], "incomplete");
}

#[tokio::test]
async fn a_form_of_the_text_reaches_the_model_server() {
    let rig = Rig::new(vec![said("{\"city\": \"Oslo\"}", &[])]).await;
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}},
        "required": ["city"]});
    let format = json!({"type": "json_schema", "name": "city", "schema": schema, "strict": true});
    let request = json!({"model": "tiny", "input": "Where?", "text": {"format": format}});
    let answer = whole(&rig, &request).await;
    assert_eq!(answer["text"]["format"], format);
    let text = answer["output"][0]["content"][0]["text"].as_str().unwrap();
    let text: Value = serde_json::from_str(text).unwrap();
    assert_eq!(text, json!({"city": "Oslo"}));
    let asked = &rig.asked()[0]["response_format"]["json_schema"]["schema"];
    assert_eq!(*asked, schema);
}

#[tokio::test]
async fn a_stream_that_breaks_ends_with_an_error_and_a_failed_reply() {
    let piece = json!({"choices": [{"delta": {"content": "Half"}}]});
    let rig = Rig::new(vec![Reply::sse([piece.to_string()]).then_cut()]).await;
    let events = streamed(&rig, &json!({"model": "tiny", "input": "?"})).await;
    let names = kinds(&events);
    assert_eq!(names[names.len() - 2..], ["error", "failed"]);
    let error = &events[names.len() - 2];
    assert_eq!(error["message"], error["error"]["message"]);
    let failed = &events[names.len() - 1]["response"];
    assert_eq!(failed["status"], "failed");
    assert_eq!(failed["error"]["code"], "server_error");
}

#[tokio::test]
async fn what_runs_only_at_openai_is_refused_with_the_remedy() {
    let rig = Rig::new(vec![]).await;
    let cases = [
        ("background", json!(true), "stream"),
        ("prompt", json!({"id": "pmpt_1"}), "instructions"),
        ("conversation", json!("conv_1"), "previous_response_id"),
        ("previous_response_id", json!("resp_1"), "store: true"),
        ("tool_choice", json!({"type": "web_search"}), "function"),
        (
            "input",
            json!([{"type": "item_reference", "id": "msg_1"}]),
            "send the item",
        ),
        (
            "input",
            json!([{"role": "user", "content": [{"type": "input_file"}]}]),
            "input_text",
        ),
        ("reasoning", json!({"effort": "huge"}), "minimal"),
        ("max_output_tokens", json!("many"), "max_output_tokens"),
    ];
    for (field, value, remedy) in cases {
        let mut request = json!({"model": "tiny", "input": "?"});
        request[field] = value;
        let answer = rig.post(PATH, &request).send().await.unwrap();
        assert_eq!(answer.status(), 400, "{field}");
        let body = json_of(answer).await;
        let message = body["error"]["message"].as_str().unwrap();
        assert!(message.contains(remedy), "{message}");
        assert_eq!(body["error"]["type"], "invalid_request_error");
    }
}
