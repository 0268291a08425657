#![expect(clippy::string_slice, reason = "tests may die")]

use proptest::prelude::*;

use super::{WholeCall, settled};
use crate::ToolSet;
use crate::scan::balance::{Balance, Stop};
use crate::scan::lexis::Ends;
use crate::scan::lexis::tests::json;

/// The call at `at`, if it is settled.
fn plain_call(text: &str, at: usize, finished: bool) -> Option<WholeCall<'_>> {
    let is_settled =
        |call: &WholeCall<'_>| settled(text.as_bytes(), call.end, finished) == Ends::Yes;
    let mut call = WholeCall::default();
    call.find((text, at), None, &ToolSet::any())?;
    Some(call).filter(is_settled)
}

/// Where the object at the beginning ends, if it is settled.
fn plain_object(text: &str, finished: bool) -> Option<usize> {
    let mut call = WholeCall::default();
    call.find_arguments((text, 0))?;
    (settled(text.as_bytes(), call.end, finished) == Ends::Yes).then_some(call.end)
}

#[test]
fn a_plain_call_is_found_with_its_parts() {
    let text = r#"x {"name": "f", "arguments": {"a": [1, {"b": "\"}"}], "c": true}} y"#;
    let call = plain_call(text, 2, false).unwrap();
    assert_eq!(call.name, "f");
    assert_eq!(
        &text[call.arguments],
        r#"{"a": [1, {"b": "\"}"}], "c": true}"#
    );
    assert_eq!(&text[call.end..], " y");
}

#[test]
fn what_is_written_otherwise_is_no_whole_call() {
    for text in [
        r#"{"name": "f"} "#,
        r#"{"name": "f", "arguments": {"a": 1} "#,
        r#"{"name": "f", "arguments": {"a": 1,}} "#,
        r#"{"name": "f", "arguments": {"a": [1}]} "#,
        r#"{"name": "f", "arguments": {'a': 1}} "#,
        r#"{"name": "f", "arguments": {"a": "b"c"}} "#,
        r#"{"name": "f", "arguments": {"a" 1}} "#,
        r#"{"name": "f", "arguments": "{}"} "#,
        r#"{"name": "f", "id": 1, "arguments": {}} "#,
        r#"{"name": "f\n", "arguments": {}} "#,
        r#"{"name": "f\, "arguments": {}} "#,
        r#"{"name": "", "arguments": {}} "#,
        r#"{"name": "f g", "arguments": {}} "#,
        r#"{"city": "f", "arguments": {}} "#,
    ] {
        assert_eq!(plain_call(text, 0, false), None, "{text}");
    }
}

#[test]
fn an_end_that_may_stand_in_a_string_is_left_to_the_careful_way() {
    let text = r#"{"name": "f", "arguments": {"a": "b"}}"#;
    assert_eq!(plain_call(text, 0, false), None);
    assert!(plain_call(text, 0, true).is_some());
    assert!(plain_call(&format!("{text}\n"), 0, false).is_some());
    assert_eq!(plain_call(&format!("{text}\"}}}}"), 0, true), None);
}

#[test]
fn an_object_that_is_nested_too_deeply_is_left_to_the_careful_way() {
    let nested = |depth: usize| format!("{}1{} ", "{\"a\":".repeat(depth), "}".repeat(depth));
    assert!(plain_object(&nested(60), false).is_some());
    assert_eq!(plain_object(&nested(61), false), None);
    assert_eq!(plain_object(&nested(1000), false), None);
}

proptest! {
    #[test]
    fn the_careful_way_agrees(value in json(), name in "[a-z_]{1,9}", is_pretty in any::<bool>()) {
        prop_assume!(value.is_object());
        let arguments = if is_pretty { format!("{value:#}") } else { value.to_string() };
        let text = format!("{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n");
        let call = plain_call(&text, 0, false);
        let end = text.len() - 1;
        let expected = WholeCall { name: &name, tool: None, arguments: end - 1 - arguments.len()..end - 1, end };
        prop_assert_eq!(call, Some(expected));
        prop_assert_eq!(Balance::new().run(&text, false), Stop::Closed(end));
        prop_assert_eq!(plain_object(&arguments, true), Some(arguments.len()));
    }

    #[test]
    fn no_text_kills_it(text in ".{0,80}") {
        let _ = plain_call(&format!("{{\"name\": \"f\", \"arguments\": {text}"), 0, true);
        let _ = plain_object(&format!("{{{text}"), true);
    }
}
