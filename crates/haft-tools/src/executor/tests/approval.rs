//! Calls that need approval.

use futures_util::future::ready;

use crate::approval::{Approval, ApprovalRequest};

use super::*;

#[tokio::test]
async fn approval_sees_repaired_arguments_and_its_reason_reaches_the_model() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counter = ran.clone();
    let schema = json!({"type": "object", "properties": {"level": {"type": "integer"}}});
    let lock = SpyTool::new("lock", move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok("ok".into())
    })
    .with_schema(schema)
    .with_annotations(ToolAnnotations {
        destructive: true,
        ..ToolAnnotations::default()
    });
    let mut tools = ToolManager::new();
    tools.add(Arc::new(lock) as Arc<dyn Tool>).unwrap();
    let approve: Approve = Arc::new(|request: ApprovalRequest| {
        let level = request.call.args["level"].clone();
        let denied = request.annotations.destructive && level == json!(1);
        let approval = if denied {
            Approval::Denied("The user said no".into())
        } else {
            Approval::Allowed
        };
        Box::pin(std::future::ready(approval))
    });
    let executor = ToolExecutor::with_options(tools, ExecutorOptions::default(), Some(approve));
    let message = asks([
        ("lock", json!({"level": "1"})),
        ("lock", json!({"level": 2})),
    ]);
    assert_eq!(
        texts(&executor, &message).await,
        ["Error: The user said no", "ok"]
    );
    assert_eq!(ran.load(Ordering::Relaxed), 1);
}

/// A tool that records when it runs, and whose effects depend on its arguments.
#[derive(Debug)]
struct Door {
    schema: Value,
    log: Arc<Mutex<Vec<String>>>,
}

#[async_trait::async_trait]
impl Tool for Door {
    fn name(&self) -> &str {
        "door"
    }

    fn description(&self) -> &str {
        "A door"
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    async fn annotations_of(&self, input: &ToolInput) -> Result<ToolAnnotations, ToolError> {
        assert!(input.input["which"] != "broken", "nobody knows");
        if input.input["which"] == "away" {
            let sentence = "There is no such house.";
            return Err(ToolError::of_kind(ToolErrorKind::Network, sentence));
        }
        Ok(ToolAnnotations {
            destructive: input.input["which"] == "front",
            ..self.annotations()
        })
    }

    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        self.log
            .lock()
            .unwrap()
            .push(format!("runs {}", input.input["which"]));
        Ok("open".into())
    }
}

#[tokio::test]
async fn approvals_are_requested_one_at_a_time_before_any_call_runs() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let noting = log.clone();
    let approve: Approve = Arc::new(move |request: ApprovalRequest| {
        let log = noting.clone();
        let which = request.call.args["which"].to_string();
        let destructive = request.annotations.destructive;
        Box::pin(async move {
            log.lock()
                .unwrap()
                .push(format!("asks {which} {destructive}"));
            // Answering takes time, in which other requests could arrive.
            tokio::time::sleep(Duration::from_millis(5)).await;
            log.lock().unwrap().push(format!("heard {which}"));
            if which.contains("back") {
                Approval::Denied("Not the back door.".to_owned())
            } else {
                Approval::Allowed
            }
        })
    });
    let mut tools = ToolManager::new();
    let door = Door {
        schema: json!({"type": "object", "properties": {"which": {"type": "string"}}}),
        log: log.clone(),
    };
    tools.add(Arc::new(door) as Arc<dyn Tool>).unwrap();
    let executor = ToolExecutor::with_options(tools, ExecutorOptions::default(), Some(approve));
    let message = asks([
        ("door", json!({"which": "front"})),
        ("door", json!({"which": "back"})),
        ("door", json!({"which": "broken"})),
        ("door", json!({"which": "away"})),
    ]);
    assert_eq!(
        texts(&executor, &message).await,
        [
            "open",
            "Error: Not the back door.",
            "open",
            // That call needed no approval.
            "Error: There is no such house."
        ]
    );
    let log = log.lock().unwrap().clone();
    assert_eq!(
        log,
        [
            "asks \"front\" true",
            "heard \"front\"",
            "asks \"back\" false",
            "heard \"back\"",
            "asks \"broken\" true",
            "heard \"broken\"",
            "runs \"front\"",
            "runs \"broken\"",
        ]
    );
}

#[tokio::test]
async fn calls_that_cannot_run_need_no_approval() {
    let approve: Approve = Arc::new(|_| Box::pin(ready(Approval::Denied("asked".to_owned()))));
    let schema = json!({"type": "object", "required": ["a"]});
    let spy = Arc::new(SpyTool::new("f", |_| Ok("ok".into())).with_schema(schema));
    let mut tools = ToolManager::new();
    tools.add(spy.clone() as Arc<dyn Tool>).unwrap();
    let executor = ToolExecutor::with_options(tools, ExecutorOptions::default(), Some(approve));
    let answers = texts(&executor, &asks([("f", json!({})), ("g", json!({}))])).await;
    assert!(answers[0].contains("a is missing"), "{answers:?}");
    assert_eq!(answers[1], "Error: Unknown tool \"g\"");
    let denied = executor
        .execute(&ToolCall::new("f", json!({"a": 1}), "id"))
        .await;
    assert_eq!(denied.unwrap_err().kind(), ToolErrorKind::Denied);
    assert!(spy.seen().is_empty());
}
