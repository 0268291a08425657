use serde_json::json;

use super::super::tests::assert_recorded;
use super::OpenAi;

#[test]
fn replies_match_the_recorded_bytes() {
    let request = json!({"model": "m", "messages": [{"role": "user", "content": "?"}],
        "stream": true, "stream_options": {"include_usage": true}});
    assert_recorded(&OpenAi, &request, include_str!("tests/replies.txt"));
}
