use serde_json::{Value, json};

use super::*;

fn shares(shares: &[f32]) -> Vec<RankedTool> {
    let tools = shares.iter().enumerate();
    tools
        .map(|(index, share)| RankedTool {
            index,
            share: *share,
        })
        .collect()
}

#[test]
fn a_clear_query_binds_fewer_tools() {
    let mut sure = vec![1e-7; 100];
    if let Some(first) = sure.first_mut() {
        *first = 1.0;
    }
    assert_eq!(cut(shares(&sure)).len(), AT_LEAST);
    let open = vec![0.01; 100];
    assert_eq!(cut(shares(&open)).len(), 100);
    let mut some = vec![1e-7; 100];
    some.iter_mut().take(20).for_each(|share| *share = 0.05);
    assert_eq!(cut(shares(&some)).len(), 20);
}

#[test]
fn a_set_may_be_smaller_than_the_minimum() {
    assert_eq!(cut(shares(&[0.9, 0.1])).len(), 2);
    assert_eq!(cut(Vec::new()), []);
}

#[test]
fn a_set_is_small_by_number_or_by_length() {
    let size = |count: usize, description: &str| {
        let mut size = Size::default();
        for _ in 0..count {
            size.add(&ToolText::new("f", description, &Value::Null));
        }
        size.is_small()
    };
    assert!(size(8, &"long ".repeat(10_000)));
    assert!(size(9, "short"));
    assert!(!size(9, &"long ".repeat(10_000)));
}

#[test]
fn the_estimate_counts_everything_that_is_sent() {
    let mut size = Size::default();
    let parameters = json!({"properties": {"city": {"type": "string"}}});
    size.add(&ToolText::new("name", "text", &parameters));
    let bytes = 8 + AROUND + parameters.to_string().len();
    assert_eq!(size.tokens(0), bytes.div_ceil(BYTES_PER_TOKEN));
    assert_eq!(size.tokens(1), 0);
}
