use haft_core::{ToolError, ToolInput, ToolOutput};
use serde_json::json;

use super::*;

#[derive(Debug)]
struct Described(&'static str, Value);

#[async_trait::async_trait]
impl Tool for Described {
    fn name(&self) -> &str {
        "delete_file"
    }

    fn description(&self) -> &str {
        self.0
    }

    fn schema(&self) -> &Value {
        &self.1
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Ok("ok".into())
    }
}

fn said(description: &'static str, schema: Value, arguments: &Value) -> String {
    let tool = Described(description, schema);
    effect_of(&tool, arguments.as_object().unwrap())
}

#[test]
fn an_effect_is_the_first_sentence_and_the_main_argument() {
    let needs_path = || json!({"required": ["path"]});
    let arguments = || json!({"mode": "all", "path": "/etc/hosts"});
    for (description, expected) in [
        (
            "Delete a file. It is gone then.",
            "Delete a file: /etc/hosts",
        ),
        (
            "Delete a file.\nIt is gone then.",
            "Delete a file: /etc/hosts",
        ),
        ("", "delete file: /etc/hosts"),
    ] {
        assert_eq!(said(description, needs_path(), &arguments()), expected);
    }
    assert_eq!(said("Delete", json!({}), &arguments()), "Delete: all");
    assert_eq!(said("Delete", json!(null), &json!({})), "Delete");
    let only_list = json!({"paths": ["a"], "force": true});
    assert_eq!(said("Delete", json!({}), &only_list), "Delete");
}

#[test]
fn an_effect_is_short() {
    let long = json!({"path": "é".repeat(5000)});
    let said = said("Delete a file", json!({}), &long);
    assert!(said.chars().count() < 130 && said.ends_with('…'), "{said}");
}
