//! Stores whose contents are encrypted.

use haft_core::AiMessage;
use haft_durable::{Decision, DurableErrorKind, DurableStore, Repetition, StoreKey};
use haft_testing::ScriptedModel;

use crate::support::{Place, agent, answered, destructive, pay_call, settled, spy, work};

fn key(place: &Place) -> StoreKey {
    let file = place.file().with_extension("key");
    StoreKey::create(&file).unwrap();
    let error = StoreKey::create(&file).unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::Key);
    StoreKey::read(&file).unwrap()
}

#[tokio::test]
async fn no_content_is_in_the_file_and_runs_go_on() {
    let keys = Place::new();
    let key = key(&keys);
    let place = Place::new();
    let address = place.address();
    let store = DurableStore::open_encrypted(&address, key.clone());
    let store = store.await.unwrap();
    let repetition = Repetition {
        queue: "default".to_owned(),
        every: "0 3 1 1 *".to_owned(),
        time_zone: "UTC".to_owned(),
    };
    let repeated = store.repeat("A secret question", repetition).await.unwrap();
    let tool = spy(destructive());
    let model = ScriptedModel::saying([
        AiMessage::new("").with_tool_calls([pay_call()]),
        AiMessage::new("A secret answer"),
    ]);
    work(agent(model, tool), &store, 1);
    let run = store.submit("A secret question").await.unwrap();
    settled(&store, &run).await;
    let store = DurableStore::open_encrypted(&address, key);
    let store = store.await.unwrap();
    store.decide(&run, Decision::Allow).await.unwrap();
    let ended = store.finished(&run).await.unwrap();
    assert_eq!(ended, answered("A secret answer"));
    let shown = store.show(&repeated).await.unwrap();
    assert_eq!(shown.question, "A secret question");
    for secret in ["A secret question", "A secret answer", r#""amount":5"#] {
        assert!(!place.holds(secret), "{secret}");
    }
}

#[tokio::test]
async fn another_key_or_none_is_refused() {
    let keys = Place::new();
    let place = Place::new();
    let first = key(&keys);
    DurableStore::open_encrypted(&place.address(), first)
        .await
        .unwrap();
    let other = Place::new();
    let second = key(&other);
    let error = DurableStore::open_encrypted(&place.address(), second).await;
    assert_eq!(error.unwrap_err().kind(), DurableErrorKind::Key);
    let error = DurableStore::open(&place.address()).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::Key);
    std::fs::write(other.file(), "no key").unwrap();
    let error = StoreKey::read(&other.file()).unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::Key);
}
