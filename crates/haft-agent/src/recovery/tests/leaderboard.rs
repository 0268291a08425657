//! How often the rules about calls would stop a right one: measured on the calls of the Berkeley
//! Function-Calling Leaderboard (`ShishirPatil/gorilla`), which `HAFT_DATA` may hold.

use std::collections::HashMap;
use std::fs;

use haft_select::DialogueAct;

use super::*;
use crate::agreement::{Said, placeholder};
use crate::tool_effect::surely_changes;

/// Lines of JSON.
fn lines(path: &std::path::Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// An expected call with the first accepted value of each argument.
fn expected(call: &Value) -> ToolCall {
    let mut args = serde_json::Map::new();
    for (name, accepted) in call["args"].as_object().into_iter().flatten() {
        let first = &accepted[0];
        if first != "" && !first.is_object() {
            args.insert(name.clone(), first.clone());
        }
    }
    ToolCall::new(call["name"].as_str().unwrap(), Value::Object(args), "1")
}

fn tools(folder: &std::path::Path) -> HashMap<String, Arc<dyn Tool>> {
    let mut tools: HashMap<String, Arc<dyn Tool>> = HashMap::new();
    for tool in lines(&folder.join("tools.jsonl")) {
        let spy = SpyTool::new(tool["name"].as_str().unwrap(), |_| Ok("".into()));
        let spy = spy.with_schema(tool["parameters"].clone());
        let key = tool["key"].as_str().unwrap().to_owned();
        tools.insert(key, Arc::new(spy));
    }
    tools
}

#[test]
fn right_calls_are_seldom_stopped() {
    let Some(data) = haft_testing::data_dir("right_calls_are_seldom_stopped") else {
        return;
    };
    let folder = data.join("bfcl");
    let tools = tools(&folder);
    let (mut calls, mut agreeing) = (0_u32, 0_u32);
    let mut stopped = Vec::new();
    for case in lines(&folder.join("cases.jsonl")) {
        let Some(query) = case["query"].as_str() else {
            continue;
        };
        let keys = case["tools"].as_array().unwrap().iter();
        let bound: Vec<Arc<dyn Tool>> = keys
            .filter_map(|key| tools.get(key.as_str()?).cloned())
            .collect();
        let asks = DialogueAct::of(query) == DialogueAct::Question;
        for call in case["answer"].as_array().into_iter().flatten() {
            let call = expected(call);
            let Some(tool) = bound.iter().find(|tool| tool.name() == call.name) else {
                continue;
            };
            calls += 1;
            let is_stopped = asks && surely_changes(tool.as_ref());
            if is_stopped || placeholder(&call, &bound, query).is_some() {
                stopped.push(format!("{} {query}", call.name));
            }
            if Said::new(query, &[]).agrees(&call, tool.as_ref()).is_ok() {
                agreeing += 1;
            }
        }
    }
    println!("{calls} calls, {agreeing} agree; stopped: {stopped:#?}");
    assert!(calls > 1000, "{calls}");
    let stopped = u32::try_from(stopped.len()).unwrap();
    assert!(stopped * 200 <= calls, "{stopped} of {calls} are stopped");
    assert!(agreeing * 10 >= calls * 6, "{agreeing} of {calls} agree");
}
