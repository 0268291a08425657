//! Tools that run at the gateway.

use std::sync::Arc;

use haft_core::{Tool, ToolAnnotations};
use haft_testing::SpyTool;
use haft_tools::ApprovalMode;
use serde_json::{Value, json};

use super::{Rig, calls_of, question, said};

fn clock() -> SpyTool {
    SpyTool::new("clock", |_| Ok("noon".into()))
}

async fn answer(rig: &Rig, body: &Value) -> Value {
    let answer = rig.post("/v1/chat/completions", body).send().await.unwrap();
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

#[tokio::test]
async fn the_client_sees_results_of_server_tools_and_not_their_calls() {
    let replies = || {
        vec![
            said("", &[("c", "clock", json!({}))]),
            said("It is noon.", &[]),
        ]
    };
    let rig = Rig::with(replies(), |options| {
        options
            .tools
            .add(Arc::new(clock()) as Arc<dyn Tool>)
            .unwrap();
    })
    .await;
    let read = answer(&rig, &question(false)).await;
    assert!(calls_of(&read).is_empty());
    assert_eq!(read["choices"][0]["message"]["content"], "It is noon.");
    assert_eq!(read["choices"][0]["finish_reason"], "stop");
    let asked = rig.asked();
    let offered = asked[0]["tools"].to_string();
    assert!(
        offered.contains("clock") && offered.contains("forecast"),
        "{offered}"
    );
    let result = asked[1]["messages"].as_array().unwrap().last().unwrap();
    assert_eq!(result["content"], "noon");

    let rig = Rig::with(replies(), |options| {
        options
            .tools
            .add(Arc::new(clock()) as Arc<dyn Tool>)
            .unwrap();
    })
    .await;
    let stream = rig.post("/v1/chat/completions", &question(true));
    let stream = stream.send().await.unwrap().text().await.unwrap();
    assert!(
        stream.contains("It is noon.") && !stream.contains("tool_calls\":["),
        "{stream}"
    );
}

#[tokio::test]
async fn calls_of_client_tools_in_the_same_reply_go_to_the_client() {
    let mixed = said(
        "",
        &[
            ("c", "clock", json!({})),
            ("f", "forecast", json!({"city": "Oslo"})),
        ],
    );
    let rig = Rig::with(vec![mixed, said("Sunny at noon.", &[])], |options| {
        options
            .tools
            .add(Arc::new(clock()) as Arc<dyn Tool>)
            .unwrap();
    })
    .await;
    let mut body = question(false);
    let read = answer(&rig, &body).await;
    assert_eq!(
        calls_of(&read),
        [("forecast".to_owned(), json!({"city": "Oslo"}))]
    );

    // The client answers its call; the model also receives the result of the clock.
    let message = read["choices"][0]["message"].clone();
    let id = message["tool_calls"][0]["id"].clone();
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(message);
    messages.push(json!({"role": "tool", "tool_call_id": id, "content": "Sunny"}));
    let read = answer(&rig, &body).await;
    assert_eq!(read["choices"][0]["message"]["content"], "Sunny at noon.");
    let asked = rig.asked();
    let sent = asked[1]["messages"].as_array().unwrap();
    let calls = sent[1]["tool_calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2, "{sent:?}");
    let results: Vec<_> = sent[2..].iter().map(|sent| &sent["content"]).collect();
    assert_eq!(results, ["noon", "Sunny"]);
}

#[tokio::test]
async fn a_request_can_switch_server_tools_off() {
    let rig = Rig::with(vec![said("Hello.", &[])], |options| {
        options
            .tools
            .add(Arc::new(clock()) as Arc<dyn Tool>)
            .unwrap();
    })
    .await;
    let request = rig.post("/v1/chat/completions", &question(false));
    request
        .header("x-haft-server-tools", "off")
        .send()
        .await
        .unwrap();
    assert!(!rig.asked()[0]["tools"].to_string().contains("clock"));
}

#[tokio::test]
async fn a_client_tool_replaces_a_server_tool_of_the_same_name() {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let own = SpyTool::new("forecast", |_| Ok("never".into())).with_schema(schema);
    let call = said("", &[("f", "forecast", json!({"city": "Oslo"}))]);
    let rig = Rig::with(vec![call], |options| {
        options.tools.add(Arc::new(own) as Arc<dyn Tool>).unwrap();
    })
    .await;
    let read = answer(&rig, &question(false)).await;
    assert_eq!(calls_of(&read).len(), 1);
    assert_eq!(rig.asked().len(), 1);
}

#[tokio::test]
async fn a_destructive_server_tool_is_refused_unless_approval_is_off() {
    let replies = || {
        vec![
            said("", &[("c", "wipe", json!({}))]),
            said("So be it.", &[]),
        ]
    };
    let wipe = || {
        let wipe = SpyTool::new("wipe", |_| Ok("gone".into()));
        Arc::new(wipe.with_annotations(ToolAnnotations {
            destructive: true,
            ..ToolAnnotations::default()
        }))
    };
    for (approval, expected) in [
        (ApprovalMode::Destructive, "Error: wipe was not run: "),
        (ApprovalMode::Always, "Error: wipe was not run: "),
        (ApprovalMode::Never, "gone"),
    ] {
        let rig = Rig::with(replies(), |options| {
            options.tools.add(wipe() as Arc<dyn Tool>).unwrap();
            options.approval = approval;
        })
        .await;
        let mut command = question(false);
        command["messages"][0]["content"] = json!("Wipe the disk");
        let read = answer(&rig, &command).await;
        assert_eq!(read["choices"][0]["message"]["content"], "So be it.");
        let asked = rig.asked();
        let result = asked[1]["messages"].as_array().unwrap().last().unwrap();
        let result = result["content"].as_str().unwrap();
        assert!(result.starts_with(expected), "{approval}: {result}");
    }
}
