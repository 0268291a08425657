use serde_json::json;

use super::*;

#[test]
fn whole_numbers_may_be_written_with_a_point() {
    let request = json!({
        "model": "m",
        "messages": [],
        "options": {"num_ctx": 8192.0, "top_k": 20.7, "seed": 7, "num_predict": -1.0, "temperature": 0.5},
    });
    let request: ChatRequest = serde_json::from_value(request).unwrap();
    let options = request.options;
    assert_eq!(options.num_ctx, Some(8192));
    assert_eq!((options.top_k, options.seed), (Some(20), Some(7)));
    assert_eq!(options.num_predict, Some(-1));
    assert_eq!(options.temperature, Some(0.5));
}

#[test]
fn what_is_no_number_of_tokens_is_an_error() {
    for wrong in [json!(-8192.0), json!("many"), json!(1e300)] {
        let request = json!({"model": "m", "messages": [], "options": {"num_ctx": wrong}});
        assert!(serde_json::from_value::<ChatRequest>(request).is_err());
    }
}
