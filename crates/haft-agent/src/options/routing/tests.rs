//! Sizes in names, and the record of a model.

use super::*;

#[test]
fn sizes_are_read_from_names() {
    let sizes = [
        ("ollama:smollm2:135m", Some(0.135)),
        ("openai:SmolLM2-135M-Instruct.Q4_1.gguf", Some(0.135)),
        ("ollama:qwen3:0.6b", Some(0.6)),
        (
            "openai:Qwen2.5-0.5B-Instruct@http://localhost:8080/v1",
            Some(0.5),
        ),
        ("ollama:llama3.2", None),
        ("anthropic:claude-haiku-4-5", None),
        ("openai:gpt-oss-120b", Some(120.0)),
        ("anthropic:claude-sonnet-4-5[1m]", None),
    ];
    for (name, size) in sizes {
        assert_eq!(billions(name), size, "{name}");
    }
}

#[cfg(feature = "store")]
#[tokio::test]
async fn a_model_that_fails_too_often_is_routed() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(folder.path().join("attempts.db"));
    for (model, usable) in [("ollama:poor", 9), ("ollama:good", 15)] {
        for number in 0..20 {
            let mut attempt = crate::Attempt::new(model);
            attempt.is_first_query = true;
            attempt.first_reply_usable = number < usable;
            store.record(attempt);
        }
    }
    store.flush().await.unwrap();
    let routing = Routing::Auto;
    assert_eq!(
        routing.measured("ollama:poor", &store).await,
        Routing::Always
    );
    assert_eq!(routing.measured("ollama:good", &store).await, Routing::Auto);
    assert_eq!(routing.measured("ollama:new", &store).await, Routing::Auto);
    let never = Routing::Never;
    assert_eq!(never.measured("ollama:poor", &store).await, Routing::Never);
}
