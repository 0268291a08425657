//! The record of a model.

#[cfg(feature = "store")]
use super::*;

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
