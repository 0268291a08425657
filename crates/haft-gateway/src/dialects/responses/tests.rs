use serde_json::json;

use super::super::tests::assert_recorded;
use super::*;

#[test]
fn replies_match_the_recorded_bytes() {
    let request = json!({"model": "m", "input": "?", "stream": true,
        "tools": [{"type": "custom", "name": "f"}], "metadata": {"a": "b"}});
    assert_recorded(&Responses, &request, include_str!("tests/replies.txt"));
}
