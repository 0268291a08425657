use haft_core::{ToolAnnotations, ToolError, ToolInput, ToolOutput};
use serde_json::Value;

use super::*;

#[derive(Debug)]
struct Named {
    name: &'static str,
    annotations: ToolAnnotations,
    source: ToolSource,
}

#[async_trait::async_trait]
impl Tool for Named {
    fn name(&self) -> &str {
        self.name
    }
    fn description(&self) -> &str {
        ""
    }
    fn schema(&self) -> &Value {
        &Value::Null
    }
    fn annotations(&self) -> ToolAnnotations {
        self.annotations
    }
    fn source(&self) -> ToolSource {
        self.source.clone()
    }
    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Ok("".into())
    }
}

fn named(name: &'static str) -> Named {
    Named {
        name,
        annotations: ToolAnnotations::default(),
        source: ToolSource::Custom,
    }
}

#[test]
fn names_tell_where_annotations_do_not() {
    for name in [
        "get_weather",
        "GetLiveContext",
        "math.calculate_area",
        "lock_status",
    ] {
        let tool = named(name);
        assert!(!surely_changes(&tool), "{name}");
    }
    for name in [
        "get_weather",
        "GetLiveContext",
        "math.calculate_area",
        "list_devices",
    ] {
        assert!(reads(&named(name)), "{name}");
    }
    for name in [
        "HassTurnOn",
        "control_zwave_device",
        "HassLightSet",
        "unlock_door",
    ] {
        let tool = named(name);
        assert!(surely_changes(&tool) && !reads(&tool), "{name}");
    }
    // Neither is sure.
    for name in [
        "factorial",
        "execute_sql",
        "browser_navigate",
        "add",
        "create_session",
    ] {
        let tool = named(name);
        assert!(!surely_changes(&tool) && !reads(&tool), "{name}");
    }
}

#[test]
fn annotations_count_before_names() {
    let read_only = ToolAnnotations {
        read_only: true,
        ..ToolAnnotations::default()
    };
    let destructive = ToolAnnotations {
        destructive: true,
        ..ToolAnnotations::default()
    };
    let tool = Named {
        annotations: read_only,
        ..named("set_operations")
    };
    assert!(reads(&tool) && !surely_changes(&tool));
    let tool = Named {
        annotations: destructive,
        ..named("get_rid_of")
    };
    assert!(!reads(&tool) && surely_changes(&tool));
    // The protocol's default for servers that give no hint says nothing.
    let tool = Named {
        annotations: destructive,
        source: ToolSource::Mcp {
            server: "db".into(),
        },
        ..named("query")
    };
    assert!(reads(&tool) && !surely_changes(&tool));
}
