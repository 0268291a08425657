use super::without_quotes;
use crate::scan::More;

/// The object without the quotes, if they are there.
fn repaired(object: &str, after: &str, finished: bool) -> Result<Option<String>, More> {
    without_quotes(object, after, finished).map(|found| Some(found?.0))
}

#[test]
fn quotes_around_arguments_are_taken_off() {
    for (object, after, whole) in [
        (
            r#"{"name": "f", "arguments": "{"a": 1}"#,
            "\"}",
            r#"{"name": "f", "arguments": {"a": 1}}"#,
        ),
        (
            r#"{"name":"f","parameters" : "{ "a": {"b": "}"}}"#,
            " \"\n}</tool_call>",
            r#"{"name":"f","parameters" : { "a": {"b": "}"}}}"#,
        ),
    ] {
        assert_eq!(repaired(object, after, true), Ok(Some(whole.to_owned())));
    }
}

#[test]
fn what_follows_decides() {
    let object = r#"{"name": "f", "arguments": "{"a": 1}"#;
    for (after, finished, answer) in [
        ("", false, Err(More)),
        ("\"", false, Err(More)),
        ("\" ", false, Err(More)),
        ("", true, Ok(None)),
        ("\"", true, Ok(None)),
        ("}", false, Ok(None)),
        ("\", ", false, Ok(None)),
        ("                    ", false, Ok(None)),
    ] {
        assert_eq!(repaired(object, after, finished), answer, "{after:?}");
    }
}

#[test]
fn other_texts_keep_their_quotes() {
    for object in [
        r#"{"name": "f", "arguments": {"a": "{"b": 1}"#,
        r#"{"name": "f", "arguments": "{"}"#,
        r#"{"name": "f", "arguments": "{\"a\": 1}"#,
        r#"{"name": "f", "arguments": {"a": 1}"#,
    ] {
        assert_eq!(repaired(object, "\"}", true), Ok(None), "{object}");
    }
}
