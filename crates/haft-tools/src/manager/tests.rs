use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use haft_core::{ToolError, ToolInput, ToolOutput};
use haft_testing::{SpyTool, named_tool};
use serde_json::{Value, json};

use super::*;

#[test]
fn s002_02_custom_tools_go_in_as_they_are_and_nameless_ones_do_not() {
    let mut tools = ToolManager::new();
    let tool = named_tool("f", None);
    tools.add(tool.clone()).unwrap();
    assert!(Arc::ptr_eq(&tools.get_tools()[0], &tool));
    let error = tools.add(named_tool(" ", None)).unwrap_err();
    assert_eq!(error.kind(), ToolsErrorKind::Tool);
    assert_eq!(tools.get_tools().len(), 1);
}

#[test]
fn a_taken_name_is_refused() {
    let mut tools = ToolManager::new();
    tools.add(named_tool("f", Some("g"))).unwrap();
    assert!(tools.add(named_tool("f", None)).is_err());
    assert!(tools.add(named_tool("g", None)).is_err());
    assert!(tools.add(named_tool("h", Some("f"))).is_err());
}

#[test]
fn s002_03_all_tools_come_out_as_the_list_itself() {
    let mut tools = ToolManager::new();
    for name in ["b", "a", "c"] {
        tools.add(named_tool(name, None)).unwrap();
    }
    let slice = tools.get_tools();
    assert_eq!(slice.as_ptr(), tools.get_tools().as_ptr());
    let names: Vec<_> = slice.iter().map(Tool::name).collect();
    assert_eq!(names, ["b", "a", "c"]);
}

#[test]
fn s002_04_a_tool_is_found_by_either_name() {
    let mut tools = ToolManager::new();
    tools.add(named_tool("name", Some("lc_name"))).unwrap();
    tools.add(named_tool("other", None)).unwrap();
    let tool = tools.get_tools()[0].clone();
    assert!(Arc::ptr_eq(tools.find("name").unwrap(), &tool));
    assert!(Arc::ptr_eq(tools.find("lc_name").unwrap(), &tool));
    assert!(tools.find("Name").is_none());
    assert!(tools.find("").is_none());
}

#[test]
fn s002_10_tools_of_every_origin_share_one_list() {
    let mut tools = ToolManager::new();
    tools.add(named_tool("from_mcp", None)).unwrap();
    tools
        .add(crate::tool("of_ours", "Ours", |(): ()| async {
            Ok::<_, ToolError>("")
        }))
        .unwrap();
    assert_eq!(tools.get_tools().len(), 2);
    assert!(tools.find("from_mcp").is_some() && tools.find("of_ours").is_some());
}

/// Counts how often a lookup asks for a name.
#[derive(Debug)]
struct Counted {
    name: String,
    asked: Arc<AtomicUsize>,
}

#[async_trait]
impl Tool for Counted {
    fn name(&self) -> &str {
        self.asked.fetch_add(1, Ordering::Relaxed);
        &self.name
    }
    fn description(&self) -> &str {
        ""
    }
    fn schema(&self) -> &Value {
        &Value::Null
    }
    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Ok("".into())
    }
}

#[test]
fn s002_11_a_lookup_among_twenty_tools_compares_each_name_once_at_most() {
    let asked = Arc::new(AtomicUsize::new(0));
    let mut tools = ToolManager::new();
    for index in 0..20 {
        let tool: Arc<dyn Tool> = Arc::new(Counted {
            name: format!("tool_{index}"),
            asked: asked.clone(),
        });
        tools.add(tool).unwrap();
    }
    for (name, comparisons) in [("tool_0", 1), ("tool_19", 20), ("absent", 20)] {
        asked.store(0, Ordering::Relaxed);
        let _ = tools.find(name);
        assert_eq!(asked.load(Ordering::Relaxed), comparisons, "{name}");
    }
}

fn zwave() -> SpyTool {
    let schema = json!({"type": "object", "properties": {
        "deviceName": {"type": "string"}, "action": {"type": "string"}, "level": {"type": "number"}}});
    SpyTool::new("control_zwave_device", |_| Ok("ok".into())).with_schema(schema)
}

fn renamed(tool: &dyn Tool, arguments: Value) -> (Value, usize) {
    let Value::Object(mut arguments) = arguments else {
        panic!("not an object")
    };
    let changes = ToolManager::new().rename_synonyms(tool, &mut arguments);
    (Value::Object(arguments), changes.len())
}

#[test]
fn s002_12_configured_synonyms_are_renamed_for_their_tool_only() {
    let given = json!({"deviceName": "lamp", "command": "dim", "brightness": 40});
    let wanted = json!({"deviceName": "lamp", "action": "dim", "level": 40});
    assert_eq!(renamed(&zwave(), given.clone()), (wanted, 2));
    // Names that differ only in spelling are handled by haft-schema.
    let spelled = json!({"device_name": "lamp"});
    assert_eq!(renamed(&zwave(), spelled.clone()), (spelled, 0));
    let other = SpyTool::new("other", |_| Ok("ok".into())).with_schema(zwave().schema().clone());
    assert_eq!(renamed(&other, given.clone()), (given, 0));
}

#[test]
fn s002_12_a_synonym_never_overwrites_and_never_replaces_a_known_name() {
    let both = json!({"command": "dim", "action": "on"});
    assert_eq!(renamed(&zwave(), both.clone()), (both, 0));
    let both = json!({"action": "on", "command": "dim"});
    assert_eq!(renamed(&zwave(), both.clone()), (both, 0));
    let schema = json!({"type": "object", "properties": {"command": {}, "action": {}}});
    let knows_both = zwave().with_schema(schema);
    assert_eq!(
        renamed(&knows_both, json!({"command": "x"})),
        (json!({"command": "x"}), 0)
    );
    let schema = json!({"type": "object", "properties": {"other": {}}});
    let knows_neither = zwave().with_schema(schema);
    assert_eq!(
        renamed(&knows_neither, json!({"command": "x"})),
        (json!({"command": "x"}), 0)
    );
}
