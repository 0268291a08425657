use serde_json::json;

use super::*;

/// Sunday, 22 November 2026, 04:45:30 UTC.
fn now() -> Timestamp {
    Timestamp::from_second(1_795_322_730).unwrap()
}

async fn ask_from(here: fn() -> TimeZone, arguments: Value) -> Result<ToolOutput, ToolError> {
    let tool = CurrentDatetime::new(Clock { now, here });
    let Value::Object(input) = arguments else {
        panic!("arguments are an object");
    };
    tool.invoke(ToolInput::from(input)).await
}

async fn ask(arguments: Value) -> Result<ToolOutput, ToolError> {
    ask_from(|| TimeZone::UTC, arguments).await
}

#[tokio::test]
async fn a_place_is_answered_with_a_sentence_and_an_artifact() {
    let output = ask(json!({"timezone": "tokyo"})).await.unwrap();
    assert_eq!(
        output.value,
        "It is 13:45 in Tokyo on Sunday, 22 November 2026 (Asia/Tokyo)."
    );
    assert_eq!(
        output.artifact.unwrap(),
        json!({
            "iso8601": "2026-11-22T13:45:30+09:00",
            "date": "2026-11-22",
            "time": "13:45",
            "weekday": "Sunday",
            "day": 22,
            "month": 11,
            "month_name": "November",
            "year": 2026,
            "week": 47,
            "day_of_year": 326,
            "timezone": "Asia/Tokyo",
            "utc_offset": "+09:00",
            "place": "Tokyo",
        })
    );
}

#[tokio::test]
async fn without_a_place_it_returns_the_local_time() {
    let here = || TimeZone::get("Europe/Berlin").unwrap();
    for arguments in [
        json!({}),
        json!({"timezone": null}),
        json!({"timezone": " "}),
        json!({"timezone": "Local", "format": "long"}),
    ] {
        let output = ask_from(here, arguments).await.unwrap();
        assert_eq!(
            output.value,
            "It is 05:45 on Sunday, 22 November 2026 (Europe/Berlin)."
        );
        assert_eq!(output.artifact.unwrap()["place"], Value::Null);
    }
}

#[tokio::test]
async fn a_machine_without_a_zone_returns_utc() {
    let output = ask_from(TimeZone::unknown, json!({})).await.unwrap();
    assert_eq!(
        output.value,
        "It is 04:45 on Sunday, 22 November 2026 (UTC)."
    );
}

#[tokio::test]
async fn the_date_is_the_one_of_the_place() {
    let output = ask(json!({"timezone": "Honolulu"})).await.unwrap();
    assert_eq!(
        output.value,
        "It is 18:45 in Honolulu on Saturday, 21 November 2026 (Pacific/Honolulu)."
    );
    assert_eq!(output.artifact.unwrap()["date"], "2026-11-21");
}

#[tokio::test]
async fn an_offset_is_a_zone_too() {
    let output = ask(json!({"timezone": "UTC+5:45"})).await.unwrap();
    assert_eq!(
        output.value,
        "It is 10:30 in UTC+05:45 on Sunday, 22 November 2026."
    );
}

#[tokio::test]
async fn an_unknown_place_is_an_invalid_argument() {
    let error = ask(json!({"timezone": "Tokkyo"})).await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::InvalidArguments);
    assert_eq!(
        error.to_string(),
        "I do not know the place \"Tokkyo\". Did you mean Tokyo?"
    );
    let error = ask(json!({"timezone": 7})).await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::InvalidArguments);
}

#[test]
fn it_is_read_only_and_takes_one_optional_text() {
    let tool = get_current_datetime();
    assert_eq!(tool.name(), "get_current_datetime");
    assert!(tool.annotations().read_only);
    assert_eq!(tool.schema()["properties"]["timezone"]["type"], "string");
    assert_eq!(tool.schema().get("required"), None);
}

/// What the model reads of a call, as it comes from the executor.
async fn called_with(arguments: Value) -> String {
    let tool = CurrentDatetime::new(Clock {
        now,
        here: || TimeZone::UTC,
    });
    let mut tools = crate::ToolManager::new();
    tools.add(Arc::new(tool) as Arc<dyn Tool>).unwrap();
    let call = haft_core::ToolCall::new("get_current_datetime", arguments, "1");
    match crate::ToolExecutor::new(tools).execute(&call).await {
        Ok(output) => output.value.as_str().unwrap().to_owned(),
        Err(error) => format!("Error: {error}"),
    }
}

#[tokio::test]
async fn issue_3_every_word_for_a_place_gives_the_time_there() {
    for word in [
        "city",
        "location",
        "place",
        "zone",
        "tz",
        "country",
        "timezone",
        "time_zone",
    ] {
        assert_eq!(
            called_with(json!({word: "Lima"})).await,
            "It is 23:45 in Lima on Saturday, 21 November 2026 (America/Lima).",
            "{word}"
        );
    }
}

#[tokio::test]
async fn issue_3_an_unknown_place_is_an_error_and_never_the_time_here() {
    for arguments in [
        json!({"city": "Nowhereville"}),
        json!({"timezone": "Nowhereville"}),
        json!({"format": "long"}),
        json!({"city": "Lima", "country": "Peru"}),
        json!({"timezone": "Tokyo", "city": "Lima"}),
        json!({"location": {"city": "Lima"}}),
        json!({"cities": ["Lima", "Tokyo"]}),
        json!({"city": 5}),
    ] {
        let said = called_with(arguments.clone()).await;
        assert!(said.starts_with("Error: "), "{arguments}: {said}");
    }
}
