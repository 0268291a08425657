use super::Quoted;
use crate::scan::lexis::Ends;

/// The object without the quotes, if they are there.
fn mended(object: &str, after: &str, finished: bool) -> Result<String, Ends> {
    Quoted::find(object, after, finished).map(|quoted| quoted.mended(object).unwrap())
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
        assert_eq!(mended(object, after, true).as_deref(), Ok(whole));
    }
}

#[test]
fn what_follows_decides() {
    let object = r#"{"name": "f", "arguments": "{"a": 1}"#;
    for (after, finished, answer) in [
        ("", false, Ends::Unclear),
        ("\"", false, Ends::Unclear),
        ("\" ", false, Ends::Unclear),
        ("", true, Ends::No),
        ("\"", true, Ends::No),
        ("}", false, Ends::No),
        ("\", ", false, Ends::No),
        ("                    ", false, Ends::No),
    ] {
        assert_eq!(mended(object, after, finished), Err(answer), "{after:?}");
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
        assert_eq!(mended(object, "\"}", true), Err(Ends::No), "{object}");
    }
}
