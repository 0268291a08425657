use std::sync::Arc;

use haft_core::{Tool, ToolError, ToolInput, ToolOutput};
use serde_json::{Value, json};

use super::*;

#[derive(Debug)]
struct Clock(Value);

#[async_trait::async_trait]
impl Tool for Clock {
    fn name(&self) -> &str {
        "get_current_datetime"
    }
    fn description(&self) -> &str {
        "The current date and time of a place"
    }
    fn schema(&self) -> &Value {
        &self.0
    }
    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Ok("".into())
    }
}

#[test]
fn only_what_changes_must_be_looked_up() {
    let schema = json!({"type": "object", "properties": {"timezone": {"type": "string"}}});
    let clock: Arc<dyn Tool> = Arc::new(Clock(schema));
    let engine = Builtin::with_tools(&[clock]);
    for text in [
        "What time is it?",
        "What is the date today?",
        "What day is tomorrow?",
        "What time is it in Lima and in Oslo?",
    ] {
        assert!(engine.must_look_up(text), "{text}");
    }
    for text in [
        "What weekday is 24 December 2030?",
        "When is Christmas?",
        "What time zone is Tokyo in?",
        "How far ahead is Tokyo of London?",
        "Who wrote Faust?",
        "Is the kitchen light on?",
    ] {
        assert!(!engine.must_look_up(text), "{text}");
    }
}
