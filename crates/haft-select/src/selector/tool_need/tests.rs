use serde_json::json;

use super::*;

fn needs_tool(query: &str, name: &str, description: &str, parameters: &Value) -> bool {
    let tool = ToolText::new(name, description, parameters);
    Asked::of(query).is_some_and(|asked| asked.calls_for(&tool))
}

fn triangle(query: &str) -> bool {
    let parameters = json!({
        "properties": {
            "base": {"type": "integer", "description": "The base of the triangle"},
            "height": {"type": "integer", "description": "The height of the triangle"},
            "unit": {"type": "string", "description": "Unit of measurement"},
        },
        "required": ["base", "height"],
    });
    let does = "Calculate the area of a triangle";
    needs_tool(query, "calculate_triangle_area", does, &parameters)
}

fn order(query: &str) -> bool {
    let parameters = json!({
        "properties": {
            "size": {"type": "string", "enum": ["small", "large"], "description": "Size of the pizza"},
            "count": {"type": "integer", "description": "How many pizzas"},
        },
        "required": ["size", "count"],
    });
    needs_tool(query, "order_pizza", "Order pizza", &parameters)
}

#[test]
fn a_query_with_the_words_and_the_values_of_a_tool_calls_for_it() {
    assert!(triangle(
        "Find the area of a triangle with a base of 10 units and a height of 5 units"
    ));
    assert!(order("Please order two large pizzas"));
}

#[test]
fn missing_values_lower_the_score() {
    assert!(!triangle("How is the area of a triangle found?"));
    assert!(!order("Which pizza is best in Naples?"));
}

#[test]
fn a_query_about_something_else_needs_no_tool() {
    for query in [
        "",
        "What is the capital of France?",
        "Thanks, that was all!",
        "Explain how a heat pump works to a child of 10",
        "Wie groß ist die Fläche eines Dreiecks mit Basis 10 und Höhe 5?",
    ] {
        assert!(!triangle(query), "{query}");
        assert!(!order(query), "{query}");
    }
}

#[test]
fn a_long_text_is_not_judged() {
    let long = "Find the area of a triangle with a base of 10 and a height of 5. ".repeat(40);
    assert!(!triangle(&long));
}

#[test]
fn numbers_and_names_are_counted() {
    assert_eq!(numbers("Add 3.5 and twelve to the 2nd of B12"), 4);
    assert_eq!(names("I flew from New York. Then I called \"mum\"."), 3);
    assert_eq!(names(""), 0);
}

#[test]
fn strange_definitions_do_not_panic() {
    for parameters in [
        json!(null),
        json!({"required": "base"}),
        json!({"required": ["base", 3, "base"], "properties": []}),
        json!({"required": ["base"], "properties": {"base": {"enum": [1, null, ""]}}}),
    ] {
        let _ = needs_tool("area of base 3", "", "", &parameters);
    }
}
