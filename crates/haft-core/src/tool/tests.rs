use futures_util::FutureExt;

use super::*;

/// A tool that overrides every default of the trait.
#[derive(Debug)]
struct Lock(Value);

const DESTRUCTIVE: ToolAnnotations = ToolAnnotations {
    read_only: false,
    destructive: true,
    idempotent: true,
    sequential: true,
};

#[async_trait]
impl Tool for Lock {
    fn name(&self) -> &str {
        "lock"
    }
    fn lc_name(&self) -> Option<&str> {
        Some("home_lock")
    }
    fn description(&self) -> &str {
        "Locks a door"
    }
    fn schema(&self) -> &Value {
        &self.0
    }
    fn annotations(&self) -> ToolAnnotations {
        DESTRUCTIVE
    }
    async fn annotations_of(&self, _: &ToolInput) -> Result<ToolAnnotations, ToolError> {
        Err("not reachable".into())
    }
    async fn current(&self) -> Result<Option<Arc<dyn Tool>>, ToolError> {
        Err("gone".into())
    }
    async fn effect_of(&self, _: &ToolInput) -> Option<String> {
        Some("lock Front Door".to_owned())
    }
    fn source(&self) -> ToolSource {
        let server = "home".to_owned();
        ToolSource::Mcp { server }
    }
    fn timeout(&self) -> Option<Duration> {
        Some(Duration::from_secs(7))
    }
    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Ok("locked".into())
    }
}

#[test]
fn a_shared_tool_forwards_every_method() {
    fn check(tool: &impl Tool) {
        let input = ToolInput::default();
        assert_eq!(tool.name(), "lock");
        assert_eq!(tool.lc_name(), Some("home_lock"));
        assert_eq!(tool.description(), "Locks a door");
        assert_eq!(tool.schema()["type"], "object");
        assert_eq!(tool.annotations(), DESTRUCTIVE);
        assert!(matches!(tool.source(), ToolSource::Mcp { .. }));
        assert_eq!(tool.timeout(), Some(Duration::from_secs(7)));
        let judged = tool.annotations_of(&input).now_or_never().unwrap();
        assert_eq!(judged.unwrap_err().message(), "not reachable");
        let current = tool.current().now_or_never().unwrap();
        assert_eq!(current.unwrap_err().message(), "gone");
        let effect = tool.effect_of(&input).now_or_never().unwrap();
        assert_eq!(effect.as_deref(), Some("lock Front Door"));
        let output = tool.invoke(input).now_or_never().unwrap().unwrap();
        assert_eq!(output.value, "locked");
    }
    let lock = || Arc::new(Lock(serde_json::json!({"type": "object"})));
    check(&lock());
    let shared: Arc<dyn Tool> = lock();
    check(&shared);
}
