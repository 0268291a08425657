use super::*;

fn selector() -> ToolSelector {
    let none = Value::Null;
    let texts = [
        ("get_weather", "Weather and forecast"),
        ("send_mail", "Sends a mail"),
        ("play_music", "Plays songs"),
    ];
    ToolSelector::new(texts.map(|(name, text)| ToolText::new(name, text, &none)))
}

#[test]
fn the_best_tools_come_first_with_their_indexes() {
    let found =
        SearchTools::answer(&selector(), &json!({"query": "hear a song", "limit": 2})).unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].index, found[0].name.as_str()), (2, "play_music"));
}

#[test]
fn a_missing_query_is_an_error_for_the_model() {
    for arguments in [
        json!({}),
        json!({"query": " "}),
        json!({"query": 5}),
        json!(null),
    ] {
        assert!(
            SearchTools::answer(&selector(), &arguments)
                .unwrap_err()
                .contains("`query`")
        );
    }
}

#[test]
fn a_limit_out_of_range_is_clamped() {
    for (limit, expected) in [(json!(0), 1), (json!(1000), 3), (json!("x"), 3)] {
        let found = SearchTools::answer(&selector(), &json!({"query": "mail", "limit": limit}));
        assert_eq!(found.unwrap().len(), expected);
    }
}

#[test]
fn a_description_is_shortened_to_one_harmless_line() {
    let text = format!("Sends\u{1b}[2J a\n\nmail {}", "very ".repeat(1000));
    let found = FoundTool::of(&ToolText::new("f", &text, &Value::Null));
    assert!(found.description.starts_with("Sends [2J a mail very"));
    assert!(found.description.ends_with(" ..."));
    assert!(found.description.chars().count() <= SHORT + 4);
    assert!(!found.description.contains(char::is_control));
}

#[test]
fn the_schema_says_what_is_required() {
    assert_eq!(SearchTools::schema()["required"], json!(["query"]));
}
