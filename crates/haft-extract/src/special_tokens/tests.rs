//! Special tokens of tokenizers, and replies in which they come as ids.

use serde_json::json;

use super::SpecialTokens;
use crate::{ExtractOptions, Extraction, Extractor, ToolSet, extract};

/// A reply in pieces: text, or the id of a token.
enum Part {
    Text(&'static str),
    Token(u32),
}

fn tokens() -> SpecialTokens {
    let listed = json!({"added_tokens": [
        {"id": 151_657, "content": "<tool_call>", "special": false},
        {"id": 151_658, "content": "</tool_call>", "special": false},
        {"id": 151_667, "content": "<think>"},
        {"id": 151_668, "content": "</think>"},
        {"id": 4_294_967_296_u64, "content": "beyond all ids"},
        {"id": 7},
        "no token",
    ]});
    SpecialTokens::of_tokenizer(&listed)
}

#[test]
fn ids_are_read_as_the_text_of_their_tokens() {
    use Part::{Text, Token};
    let parts = [
        Token(151_667),
        Text("\nI look."),
        Token(151_668),
        Text("I look.\n"),
        Token(151_657),
        Text("{\"name\": \"get_time\", \"arguments\": {\"zone\": \"Asia/Tokyo\"}}"),
        Token(151_658),
    ];
    let mut extraction = Extraction::default();
    let mut extractor = Extractor::new(&ToolSet::any(), ExtractOptions::default());
    let mut text = String::new();
    for part in parts {
        let mut sink = |piece: crate::Piece<'_>| extraction.add(piece);
        match part {
            Text(part) => {
                extractor.push_text(part, &mut sink);
                text.push_str(part);
            }
            Token(id) => {
                assert!(extractor.push_special_token(&tokens(), id, &mut sink));
                text.push_str(&tokens().texts[&id]);
            }
        }
    }
    extractor.finish(&mut |piece| extraction.add(piece));
    assert_eq!(extraction.calls[0].args["zone"], "Asia/Tokyo");
    assert_eq!(extraction.reasoning, "I look.");
    let options = ExtractOptions::default();
    assert_eq!(extraction, extract(&ToolSet::any(), options, &text));
}

#[test]
fn an_unknown_id_reads_nothing() {
    let mut extractor = Extractor::new(&ToolSet::any(), ExtractOptions::default());
    let mut pieces = 0;
    assert!(!extractor.push_special_token(&tokens(), 7, &mut |_| pieces += 1));
    extractor.finish(&mut |_| pieces += 1);
    assert_eq!(pieces, 0);
}

#[test]
fn a_file_without_a_list_has_no_tokens() {
    for file in [json!([]), json!({"added_tokens": {}}), json!(null)] {
        assert_eq!(SpecialTokens::of_tokenizer(&file), SpecialTokens::default());
    }
}
