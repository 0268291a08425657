use serde_json::json;

use super::*;
use crate::dataset::Dataset;

fn due(question: &str, tools: &[Arc<dyn Tool>]) -> bool {
    likely_call().is_due(question, tools)
}

#[test]
fn a_tier_counts_where_a_tool_of_it_is_bound_and_the_question_is_about_it() {
    let home = crate::CaseTools::DemoHome.open();
    for question in [
        "Turn on the kitchen light",
        "Is the front door locked?",
        "What time is it in Lima?",
    ] {
        assert!(due(question, &home), "{question}");
        assert!(!due(question, &[]), "{question}");
    }
    for question in [
        "What is a thermostat good for?",
        "At what temperature does water boil at sea level?",
        "Tell me a joke about cats",
        "Thanks, that was very helpful!",
    ] {
        assert!(!due(question, &home), "{question}");
    }
}

#[test]
fn other_tools_count_where_the_question_names_them() {
    let tool = json!({"name": "send_text_message", "description": "Send a text message to a person",
        "parameters": {"type": "object", "properties": {"recipient": {"type": "string"}}}});
    let case = json!([{"id": "1", "query": "x", "tools": [tool], "expect": "no_call"}]);
    let tools = Dataset::read("t", &case.to_string())
        .unwrap()
        .cases
        .remove(0)
        .tools
        .open();
    assert!(due("Send a text message to my sister, please", &tools));
    assert!(!due("Put milk on my shopping list", &tools));
    assert_eq!(
        words("getUserMessages of sending"),
        ["messag", "send", "user"].map(str::to_owned).into()
    );
}
