//! Replies that gateways keep for their clients.

use std::time::Duration;

use haft_durable::{DurableStore, StoreKey};
use serde_json::json;

use crate::support::Place;

const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test]
async fn a_reply_is_kept_for_its_time_or_until_it_is_erased() {
    let place = Place::new();
    let store = place.open().await;
    let reply = json!({"text": "A secret answer"});
    store.keep_reply("resp_1", &reply, HOUR).await.unwrap();
    let elsewhere = place.open().await;
    assert_eq!(
        elsewhere.reply("resp_1").await.unwrap(),
        Some(reply.clone())
    );
    assert_eq!(elsewhere.reply("resp_2").await.unwrap(), None);
    assert!(place.holds("A secret answer"));
    assert!(elsewhere.erase_reply("resp_1").await.unwrap());
    assert!(!elsewhere.erase_reply("resp_1").await.unwrap());
    assert_eq!(store.reply("resp_1").await.unwrap(), None);
    assert!(!place.holds("A secret answer"));
    store
        .keep_reply("resp_3", &reply, Duration::from_millis(1))
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(store.reply("resp_3").await.unwrap(), None);
}

#[tokio::test]
async fn replies_of_an_encrypted_store_are_encrypted() {
    let place = Place::new();
    let file = place.file().with_extension("key");
    StoreKey::create(&file).unwrap();
    let key = StoreKey::read(&file).unwrap();
    let address = place.address();
    let store = DurableStore::open_encrypted(&address, key).await.unwrap();
    let reply = json!({"text": "A secret answer"});
    store.keep_reply("resp_1", &reply, HOUR).await.unwrap();
    assert_eq!(store.reply("resp_1").await.unwrap(), Some(reply));
    assert!(!place.holds("A secret answer"));
}
