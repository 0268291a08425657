//! Conversion of servers' results.

use haft_core::ToolErrorKind;
use serde_json::json;

use super::*;

fn normalised(result: Value) -> Result<ToolOutput, ToolError> {
    normalise(serde_json::from_value(result).unwrap())
}

fn value(result: Value) -> Value {
    normalised(result).unwrap().value
}

#[test]
fn s000_03_text_blocks_are_joined() {
    assert_eq!(
        normalised(json!({"content": [{"type": "text", "text": "21 degrees"}]})).unwrap(),
        ToolOutput::from("21 degrees")
    );
    assert_eq!(
        value(json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]})),
        "a\nb"
    );
    assert_eq!(value(json!({"content": []})), "");
}

#[test]
fn s000_03_other_blocks_have_a_placeholder_in_the_text_and_go_into_the_artifact() {
    let image = json!({"type": "image", "mimeType": "image/png", "data": "A".repeat(16_000)});
    let output = normalised(json!({"content": [
        {"type": "text", "text": "The page:"}, image
    ]}))
    .unwrap();
    assert_eq!(output.value, "The page:\n[image image/png, 12 kB]");
    assert_eq!(output.artifact, Some(json!({"content": [image]})));

    let table = [
        (
            json!({"type": "audio", "mimeType": "audio/wav", "data": "AAAA"}),
            "[audio audio/wav, 3 bytes]",
        ),
        (
            json!({"type": "resource", "resource": {"uri": "file:///a.txt", "text": "hello"}}),
            "[resource file:///a.txt, 5 bytes]",
        ),
        (
            json!({"type": "resource", "resource": {"uri": "file:///a.bin", "blob": "AAA="}}),
            "[resource file:///a.bin, 2 bytes]",
        ),
        (
            json!({"type": "resource_link", "name": "a", "uri": "file:///a.md"}),
            "[resource file:///a.md]",
        ),
    ];
    for (block, expected) in table {
        let output = normalised(json!({"content": [block]})).unwrap();
        assert_eq!(output.value, expected);
        assert_eq!(output.artifact, Some(json!({"content": [block]})));
    }
}

#[test]
fn s000_03_structured_content_is_the_artifact_and_the_text_if_there_is_no_other() {
    let structured = json!({"celsius": 21, "sky": ["clear"]});
    let output = normalised(json!({
        "content": [{"type": "text", "text": "mild"}], "structuredContent": structured
    }))
    .unwrap();
    assert_eq!(output.value, "mild");
    assert_eq!(
        output.artifact,
        Some(json!({"structuredContent": structured}))
    );
    let output = normalised(json!({"content": [], "structuredContent": structured})).unwrap();
    assert_eq!(output.value, r#"{"celsius":21,"sky":["clear"]}"#);
    assert_eq!(
        value(json!({"structuredContent": 1, "content": [
            {"type": "image", "mimeType": "image/png", "data": ""}
        ]})),
        "[image image/png, 0 bytes]\n1"
    );
}

#[test]
fn an_error_is_an_error_with_the_servers_words() {
    let error = normalised(json!({
        "isError": true, "content": [{"type": "text", "text": "No device \"attic\""}]
    }))
    .unwrap_err();
    assert_eq!(error.message(), "No device \"attic\"");
    assert_eq!(error.kind(), ToolErrorKind::Failed);
    let silent = normalised(json!({"isError": true, "content": []})).unwrap_err();
    assert_eq!(silent.message(), "The tool failed without saying why");
    assert_eq!(value(json!({"isError": false, "content": []})), "");
}

#[test]
fn base64_lengths() {
    for (base64, bytes) in [
        ("", 0),
        ("AA==", 1),
        ("AAA=", 2),
        ("AAAA", 3),
        ("AAAAAA", 4),
    ] {
        assert_eq!(decoded_length(base64), bytes, "{base64}");
    }
}
