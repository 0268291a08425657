use serde_json::Value;

use super::super::fields::ToolText;
use super::*;

fn scores(tools: &[(&str, &str)], word: &str) -> Vec<f32> {
    let mut builder = Builder::default();
    for (name, description) in tools {
        builder.add(
            &Fields::of(&ToolText::new(name, description, &Value::Null)),
            Kind::Words,
        );
    }
    let mut scores = vec![0.0; tools.len()];
    builder.build().score(&[word_hash(word)], &mut scores);
    scores
}

#[test]
fn only_tools_with_the_word_score() {
    let scores = scores(&[("rain", ""), ("snow", ""), ("sun", "no rain")], "rain");
    assert!(scores[0] > scores[2] && scores[2] > 0.0);
    assert_eq!(scores[1], 0.0);
}

#[test]
fn a_rare_word_has_more_weight() {
    let tools = [("open door", ""), ("open window", ""), ("open gate", "")];
    assert!(scores(&tools, "gate")[2] > scores(&tools, "open")[2]);
}

#[test]
fn a_word_in_a_short_description_has_more_weight() {
    let long = "rain and very many other things that come down from above";
    let scores = scores(&[("a b", "rain"), ("c d", long)], "rain");
    assert!(scores[0] > scores[1]);
}

#[test]
fn an_unknown_word_has_no_weight() {
    let mut scores = [0.0];
    assert_eq!(Index::default().score(&[1, 2], &mut scores), 0.0);
}
