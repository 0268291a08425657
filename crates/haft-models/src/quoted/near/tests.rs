use serde_json::json;

use super::*;

fn stands(name: &str, arguments: &Value, text: &str) -> bool {
    let arguments = arguments.as_object().unwrap();
    let sought = Sought::new(
        name,
        arguments,
        ["name", "path", "deviceName", "query"],
        true,
    );
    sought.stands_in(&Words::of(text), Notation::Any)
}

#[test]
fn a_call_is_found_in_any_notation() {
    for text in [
        "turn_on Kitchen Light",
        "turn_on --name 'kitchen light'",
        "{\"do\": \"turn_on\", \"name\": \"Kitchen Light\"}",
        "<run tool=turn_on><name>Kitchen Light</name></run>",
        "| turn_on | kitchen-light |",
        "turnOn(kitchen_light)",
        "please turn_\non the\nKitchen\nLight",
        "functions.turn_on: kitchen light",
        "Kitchen Light: turn_on",
    ] {
        assert!(
            stands("turn_on", &json!({"name": "Kitchen Light"}), text),
            "{text}"
        );
    }
}

#[test]
fn separate_names_and_values_are_no_call() {
    for text in [
        "[{\"name\": \"Kitchen Light\", \"actions\": [\"turn_on\", \"turn_off\"]}]",
        "turn_on_all Kitchen Light",
        "turn_on is a tool. There is also a Kitchen Light.",
        "turn on the Kitchen Light",
        "turn_on Kitchen Lamp",
    ] {
        assert!(
            !stands("turn_on", &json!({"name": "Kitchen Light"}), text),
            "{text}"
        );
    }
}

#[test]
fn a_word_of_any_sentence_must_be_written_like_a_call() {
    let call = json!({"query": "Oslo"});
    assert!(!stands("weather", &call, "The weather in Oslo is fine."));
    assert!(!stands("weather", &call, "Result: weather in Oslo"));
    for text in [
        "weather(Oslo)",
        "{\"weather\": \"Oslo\"}",
        "tool: weather, query: Oslo",
    ] {
        assert!(stands("weather", &call, text), "{text}");
    }
}

#[test]
fn in_the_users_text_a_call_must_look_like_one() {
    let arguments = json!({"query": "Oslo"});
    let sought = Sought::new(
        "get_weather",
        arguments.as_object().unwrap(),
        ["query"],
        true,
    );
    for (text, stands) in [
        ("How is the weather in Oslo? Use get_weather.", false),
        ("Use get_weather for Oslo", false),
        ("get_weather(Oslo)", true),
        ("{\"get_weather\": \"Oslo\"}", true),
    ] {
        let found = sought.stands_in(&Words::of(text), Notation::CallLike);
        assert_eq!(found, stands, "{text}");
    }
}

#[test]
fn a_bare_name_counts_where_a_word_calls_it() {
    assert!(stands(
        "reboot_server",
        &json!({}),
        "Now execute reboot_server."
    ));
    assert!(!stands(
        "reboot_server",
        &json!({}),
        "The tools are reboot_server and ping."
    ));
}

#[test]
fn long_texts_full_of_names_take_linear_time() {
    // Quadratic work would not end: a million names, and a value half as long as all of them.
    let text = "turn_on name ".repeat(200_000);
    let value = "a ".repeat(100_000);
    assert!(!stands("turn_on", &json!({"name": value}), &text));
    let text = format!("turn_on {}", "a ".repeat(200_000));
    assert!(!stands("turn_on", &json!({"path": "a b"}), &text));
}
