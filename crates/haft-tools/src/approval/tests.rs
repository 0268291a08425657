use std::sync::Mutex;

use haft_testing::SpyTool;
use serde_json::json;

use super::*;

fn request(annotations: ToolAnnotations) -> ApprovalRequest {
    let call = ToolCall::new("format", json!({"disk": "a"}), "id");
    let tool = Arc::new(SpyTool::new("format", |_| Ok("ok".into())));
    ApprovalRequest::new(call, tool, annotations)
}

fn destructive(destructive: bool) -> ToolAnnotations {
    ToolAnnotations {
        destructive,
        ..ToolAnnotations::default()
    }
}

#[tokio::test]
async fn each_mode_asks_about_its_calls() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noting = asked.clone();
    let ask: Approve = Arc::new(move |request| {
        noting.lock().unwrap().push(request.annotations.destructive);
        Box::pin(ready(Approval::Denied("no".to_owned())))
    });
    let by_mode = |mode: ApprovalMode| mode.approver(ask.clone());
    assert!(by_mode(ApprovalMode::Never).is_none());
    let some = by_mode(ApprovalMode::default()).unwrap();
    assert_eq!(some(request(destructive(false))).await, Approval::Allowed);
    assert_eq!(
        some(request(destructive(true))).await,
        Approval::Denied("no".to_owned())
    );
    assert_eq!(*asked.lock().unwrap(), [true]);
    let all = by_mode(ApprovalMode::Always).unwrap();
    assert_ne!(all(request(destructive(false))).await, Approval::Allowed);
    assert_eq!(*asked.lock().unwrap(), [true, false]);
}

#[tokio::test]
async fn a_refusal_names_the_tool_and_the_remedy() {
    let refused = refuse("Say please.")(request(destructive(true))).await;
    assert_eq!(
        refused,
        Approval::Denied(
            "format was not run: this call (A tool for tests: a) needs a person's approval. Say please."
                .to_owned()
        )
    );
}

#[test]
fn modes_have_names() {
    for mode in ApprovalMode::ALL {
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
    assert_eq!(
        "Never".parse::<ApprovalMode>(),
        Err("say never, destructive or always")
    );
}
