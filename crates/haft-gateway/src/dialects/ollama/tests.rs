use serde_json::json;

use super::super::tests::assert_recorded;
use super::Ollama::{Chat, Generate};

#[test]
fn replies_match_the_recorded_bytes() {
    let recorded = include_str!("tests/replies.txt");
    let start = recorded.find("=== ollama_generate").unwrap();
    let (chat, generate) = recorded.split_at(start);
    let request = json!({"model": "m", "messages": [{"role": "user", "content": "?"}]});
    assert_recorded(&Chat, &request, chat);
    assert_recorded(&Generate, &json!({"model": "m", "prompt": "?"}), generate);
}
