//! Conversations that pass through: what the model server receives, what the client receives, and
//! what is reported.

use std::time::Duration;

use haft_testing::Reply;
use serde_json::{Value, json};

use super::{Rig, question, said};

/// A gateway without repair.
async fn passing(replies: Vec<Reply>) -> Rig {
    Rig::with(replies, |options| options.overrides.repair = Some(false)).await
}

fn word(text: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {"content": text}}]}).to_string()
}

fn role() -> String {
    json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}).to_string()
}

/// Status and body of the answer.
async fn answer(rig: &Rig, body: &Value) -> (u16, String) {
    let answer = rig.post("/v1/chat/completions", body).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

#[tokio::test]
async fn a_request_passes_through_unchanged() {
    let rig = passing(vec![said("Sunny.", &[]), said("Sunny.", &[])]).await;
    let mut body = question(true);
    body["logprobs"] = json!(true);
    body["messages"][0]["content"] = json!([{"type": "text", "text": "Oslo?"}]);
    body["stream_options"] = json!({"include_usage": true});
    assert_eq!(answer(&rig, &body).await.0, 200);
    assert_eq!(rig.asked()[0], body);
    // Tokens are counted even if the client does not ask for the counts.
    let counting = body["stream_options"].take();
    body.as_object_mut().unwrap().remove("stream_options");
    assert_eq!(answer(&rig, &body).await.0, 200);
    body["stream_options"] = counting;
    assert_eq!(rig.asked()[1], body);
}

#[tokio::test]
async fn a_request_that_needs_changes_does_not_pass_through() {
    let mut bodies = vec![question(true); 4];
    bodies[0]["tool_choice"] = json!("none");
    bodies[1]["messages"][0]["role"] = json!("developer");
    bodies[2]["tools"][0]["function"]["name"] = json!("weather.forecast");
    let call = json!({"type": "function", "function": {"name": "forecast", "arguments": "{}"}});
    bodies[3]["messages"] = json!([
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "content": "Rain"},
    ]);
    for body in bodies {
        let rig = passing(vec![said("{}", &[]), said("{}", &[])]).await;
        answer(&rig, &body).await;
        let mut counting = body.clone();
        counting["stream_options"] = json!({"include_usage": true});
        assert_ne!(rig.asked()[0], counting, "{body}");
    }
    let rig = passing(vec![]).await;
    let mut several = question(true);
    several["n"] = json!(2);
    assert_eq!(answer(&rig, &several).await.0, 400);
}

#[tokio::test]
async fn token_counts_go_to_clients_that_ask_and_into_the_metrics() {
    let count = json!({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7}});
    let call = json!({"index": 0, "id": "a", "type": "function",
        "function": {"name": "forecast", "arguments": "{}"}});
    let events = [
        json!({"choices": [{"delta": {"tool_calls": [call]}}]}).to_string(),
        json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string(),
        count.to_string(),
        "[DONE]".to_owned(),
    ];
    let rig = passing(vec![Reply::sse(events.clone()), Reply::sse(events)]).await;
    let (_, text) = answer(&rig, &question(true)).await;
    assert!(!text.contains("usage"), "{text}");
    assert!(text.ends_with("data: [DONE]\n\n"), "{text}");
    let mut body = question(true);
    body["stream_options"] = json!({"include_usage": true});
    let (_, text) = answer(&rig, &body).await;
    assert!(text.contains("usage"), "{text}");
    let page = rig.client.get(format!("{}/metrics", rig.address));
    let page = page.send().await.unwrap().text().await.unwrap();
    let host = rig.server.url().replace("http://", "");
    let place = format!("model=\"tiny\",upstream=\"{host}\"");
    for line in [
        &format!(
            "haft_requests_total{{dialect=\"openai\",mode=\"stream\",status=\"200\",{place}}} 2"
        ),
        "haft_calls_total{dialect=\"openai\"} 2",
        &format!("haft_tokens_total{{direction=\"in\",{place}}} 22"),
        &format!("haft_tokens_total{{direction=\"out\",{place}}} 14"),
        &format!("haft_time_to_first_token_seconds_count{{dialect=\"openai\",{place}}} 2"),
        "haft_in_flight 0",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
}

#[tokio::test]
async fn a_failure_before_the_first_word_is_a_status_and_after_it_an_error_event() {
    let broken = json!({"error": {"message": "boom", "type": "server_error"}}).to_string();
    let early = || Reply::sse([role(), broken.clone()]);
    let rig = passing((0..3).map(|_| early()).collect()).await;
    let (status, text) = answer(&rig, &question(true)).await;
    assert_eq!(status, 502, "{text}");
    assert!(text.contains("boom"), "{text}");
    for late in [
        broken,
        "{\"choices\": [{\"del".to_owned(),
        "{\"choices\": 7}".to_owned(),
    ] {
        let rig = passing(vec![Reply::sse([role(), word("Sun"), late.clone()])]).await;
        let (status, text) = answer(&rig, &question(true)).await;
        assert_eq!(status, 200, "{text}");
        let last = text.trim_end().lines().last().unwrap();
        let last: Value = serde_json::from_str(last.trim_start_matches("data: ")).unwrap();
        assert!(last["error"]["message"].is_string(), "{text}");
        assert!(text.contains("Sun") && !text.contains("[DONE]"), "{text}");
        assert!(!text.contains("\"del\n"), "{text}");
    }
}

#[tokio::test]
async fn a_reply_without_its_end_marker_gets_one() {
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}).to_string();
    let rig = passing(vec![Reply::sse([word("Sunny."), end])]).await;
    let (_, text) = answer(&rig, &question(true)).await;
    assert!(text.ends_with("data: [DONE]\n\n"), "{text}");
}

#[tokio::test]
async fn requests_that_cannot_pass_through_are_converted() {
    // The tools of a model without native tool calls are described in its prompt.
    let refused = || {
        let message = "tiny does not support tools";
        Reply::json(json!({"error": {"message": message}})).with_status(400)
    };
    let rig = passing(vec![refused(), refused(), said("Sunny.", &[])]).await;
    let (status, text) = answer(&rig, &question(true)).await;
    assert_eq!(status, 200, "{text}");
    let asked = rig.asked();
    assert!(asked[2]["tools"].is_null(), "{}", asked[2]);
    assert!(asked[2]["messages"].to_string().contains("forecast"));
}

#[tokio::test]
async fn the_slot_is_free_after_the_client_disconnects() {
    let rig = passing(vec![Reply::sse([word("Sun")]).then_hang()]).await;
    let request = rig.post("/v1/chat/completions", &question(true));
    let mut answer = request.send().await.unwrap();
    assert!(answer.chunk().await.unwrap().is_some());
    drop(answer);
    let left = rig.server.client_hung_up();
    tokio::time::timeout(Duration::from_secs(5), left)
        .await
        .unwrap();
}
