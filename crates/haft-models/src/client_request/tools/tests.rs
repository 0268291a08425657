use serde_json::json;

use super::*;

fn tool(name: &str, schema: Value) -> ClientTool {
    ClientTool::new(
        name.to_owned(),
        Some("What it does".to_owned()),
        Some(schema),
    )
}

fn of(tools: impl IntoIterator<Item = ClientTool>) -> ClientTools {
    tools.into_iter().collect()
}

#[test]
fn a_tool_that_comes_again_is_the_same() {
    let schema = || json!({"type": "object", "properties": {"a": {}, "b": {}}});
    let first = of([tool("same", schema()), tool("other", schema())]);
    let again = of([tool("same", schema())]);
    assert!(first.are_known && again.are_known);
    let [same, other] = first.tools.as_slice() else {
        panic!("two tools");
    };
    assert!(Arc::ptr_eq(same, &again.tools[0]));
    assert!(!Arc::ptr_eq(same, other));
    // The order in which a schema is written is kept, so it makes a difference.
    let turned = json!({"type": "object", "properties": {"b": {}, "a": {}}});
    let turned = of([tool("same", turned.clone())]);
    assert!(!Arc::ptr_eq(same, &turned.tools[0]));
    assert!(
        turned.tools[0]
            .schema()
            .to_string()
            .contains(r#"{"b":{},"a":{}}"#)
    );
}

#[test]
fn an_unused_tool_is_removed_from_the_cache() {
    let schema = || json!({"title": "forgotten"});
    let there = of([tool("forgotten", schema())]);
    let place = Arc::downgrade(&there.tools[0]);
    drop(there);
    assert!(place.upgrade().is_none());
    assert_eq!(of([tool("forgotten", schema())]).tools.len(), 1);
}

#[test]
fn what_is_too_large_is_not_known_again() {
    let long = "a".repeat(LONGEST);
    let schema = || json!({"title": long});
    let (first, again) = (of([tool("long", schema())]), of([tool("long", schema())]));
    assert!(!first.are_known && !again.are_known);
    assert!(!Arc::ptr_eq(&first.tools[0], &again.tools[0]));
}

#[test]
fn many_tools_do_not_fill_the_memory() {
    let all: Vec<_> = (0..3 * MOST)
        .map(|number| of([tool(&format!("many_{number}"), json!({}))]))
        .collect();
    assert!(all.iter().all(|one| one.are_known));
    assert!(!of((0..=MOST).map(|number| tool(&number.to_string(), json!({})))).are_known);
}
