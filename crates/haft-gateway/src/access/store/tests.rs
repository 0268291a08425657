use super::super::bucket::Exchange;
use super::super::meter::LimitKind;
use super::*;
use crate::scheduler::{CoolDown, Reason};

fn limits(requests_per_minute: u32) -> KeyLimits {
    KeyLimits {
        requests_per_minute: Some(requests_per_minute),
        models: vec!["qwen3:0.6b".to_owned()],
        ..KeyLimits::default()
    }
}

#[tokio::test]
async fn a_key_is_found_by_the_hash_of_its_secret_and_no_file_has_the_secret() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.db");
    let keys = KeyStore::open(&path);
    assert_eq!(keys.list().await.unwrap(), []);
    assert!(!path.exists());
    let secret = keys.add("alice", &limits(60)).await.unwrap();
    let stored = KeyStore::open(&path).stored(today()).await.unwrap();
    assert_eq!(stored[0].hash, SecretHash::of(&secret));
    assert_eq!(stored[0].key.limits, limits(60));
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let content = std::fs::read(file.unwrap().path()).unwrap();
        let hit = content
            .windows(secret.len())
            .any(|part| part == secret.as_bytes());
        assert!(!hit);
    }
}

#[tokio::test]
async fn a_name_is_used_once_until_its_key_is_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyStore::open(folder.path().join("keys.db"));
    let first = keys.add("bob", &limits(1)).await.unwrap();
    let error = keys.add("bob", &limits(2)).await.unwrap_err();
    assert!(error.to_string().contains("There is a key \"bob\" already"));
    assert!(keys.revoke("bob").await.unwrap());
    assert!(!keys.revoke("bob").await.unwrap());
    assert!(!keys.revoke("nobody").await.unwrap());
    let second = keys.add("bob", &limits(2)).await.unwrap();
    assert_ne!(first, second);
    let listed = keys.list().await.unwrap();
    assert!(!listed[0].is_revoked);
    assert_eq!(listed[0].limits, limits(2));
    for name in ["", "two words", "naïve", &"x".repeat(65), "a\"b"] {
        assert!(keys.add(name, &limits(1)).await.is_err(), "{name}");
    }
}

#[tokio::test]
async fn usage_of_several_gateways_adds_up_by_day() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.db");
    let (one, other) = (KeyStore::open(&path), KeyStore::open(&path));
    one.add("carol", &KeyLimits::default()).await.unwrap();
    let used = |tokens| {
        let used = KeyUsage {
            requests: 1,
            input_tokens: tokens,
            output_tokens: 1,
        };
        BTreeMap::from([(Arc::from("carol"), used)])
    };
    one.add_usage(100, &used(10)).await.unwrap();
    other.add_usage(100, &used(20)).await.unwrap();
    other.add_usage(101, &used(5)).await.unwrap();
    let on = async |day| one.stored(day).await.unwrap()[0].key.used_today;
    assert_eq!(on(100).await.tokens(), 32);
    assert_eq!(on(100).await.requests, 2);
    assert_eq!(on(101).await.tokens(), 6);
    // Usage of long ago is deleted.
    one.add_usage(100 + DAYS_KEPT + 1, &used(1)).await.unwrap();
    assert_eq!(on(100).await.tokens(), 0);
}

#[tokio::test]
async fn a_file_that_was_moved_away_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.db");
    let running = KeyStore::open(&path);
    running.add("old", &limits(1)).await.unwrap();
    assert_eq!(running.list().await.unwrap().len(), 1);
    for name in ["keys.db", "keys.db-wal", "keys.db-shm"] {
        let _ = std::fs::rename(folder.path().join(name), folder.path().join("away"));
    }
    assert_eq!(running.list().await.unwrap(), []);
    KeyStore::open(&path).add("new", &limits(1)).await.unwrap();
    assert_eq!(running.list().await.unwrap()[0].name, "new");
}

#[tokio::test]
async fn a_bucket_of_the_store_gives_a_minute_at_once_and_takes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.db");
    let (one, other) = (KeyStore::open(&path), KeyStore::open(&path));
    let told = |used, wanted| Exchange {
        per_minute: 6.0,
        used,
        wanted,
    };
    let requests = LimitKind::RequestsPerMinute;
    let first = one.exchange("dora", requests, told(0.0, 4.0)).await;
    let first = first.unwrap();
    assert_eq!(first.granted, 4.0);
    assert!((1.9..2.1).contains(&first.level), "{first:?}");
    let second = other.exchange("dora", requests, told(0.0, 4.0)).await;
    assert_eq!(second.unwrap().granted, 2.0);
    let third = one.exchange("dora", requests, told(0.0, 1.0)).await;
    assert_eq!(third.unwrap().granted, 0.0);
    let back = one.exchange("dora", requests, told(-3.0, 0.0)).await;
    assert!(back.unwrap().level > 2.9);
    // Another limit of the same key has a bucket of its own.
    let tokens = LimitKind::TokensPerMinute;
    let below = other.exchange("dora", tokens, told(8.0, 0.0)).await;
    assert!(below.unwrap().level < -1.9);
}

#[tokio::test]
async fn gateways_know_how_many_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.db");
    let keys = KeyStore::open(&path);
    assert_eq!(keys.beat("one").await.unwrap(), 1);
    assert!(!path.exists());
    keys.add("emma", &KeyLimits::default()).await.unwrap();
    assert_eq!(keys.beat("one").await.unwrap(), 1);
    assert_eq!(keys.beat("other").await.unwrap(), 2);
    assert_eq!(keys.beat("one").await.unwrap(), 2);
    keys.leave("other").await.unwrap();
    assert_eq!(keys.beat("one").await.unwrap(), 1);
}

#[tokio::test]
async fn a_file_of_an_earlier_version_keeps_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.db");
    let none = haft_store::Tables {
        name: "none",
        version: 1,
        statements: &[
            "CREATE TABLE keys (name TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE,
             limits TEXT NOT NULL, created_at BIGINT NOT NULL, revoked_at BIGINT)",
            "CREATE TABLE usage (name TEXT NOT NULL, day BIGINT NOT NULL, requests BIGINT NOT NULL,
             input_tokens BIGINT NOT NULL, output_tokens BIGINT NOT NULL,
             PRIMARY KEY (name, day))",
            "INSERT INTO keys VALUES ('fred', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '{}',
             1, NULL)",
        ],
        renamed: &[],
    };
    Store::open(&StoreAddress::File(path.clone()), none)
        .await
        .unwrap();
    let keys = KeyStore::open(&path);
    assert_eq!(keys.list().await.unwrap()[0].name, "fred");
}

#[tokio::test]
async fn a_cool_down_is_told_to_the_other_gateways_until_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyStore::open(folder.path().join("keys.db"));
    let cool_down = |rest| CoolDown {
        upstream: "desk desk:11434".to_owned(),
        reason: Reason::Busy,
        rest: Duration::from_secs(rest),
        is_local: false,
    };
    // Without a store there is nobody to tell.
    keys.announce("one", &cool_down(60)).await.unwrap();
    assert!(!folder.path().join("keys.db").exists());
    keys.add("gina", &KeyLimits::default()).await.unwrap();
    keys.announce("one", &cool_down(60)).await.unwrap();
    assert!(keys.cool_downs("one").await.unwrap().is_empty());
    let read = keys.cool_downs("other").await.unwrap();
    assert_eq!(read[0].cool_down.upstream, "desk desk:11434");
    assert_eq!(read[0].cool_down.reason, Reason::Busy);
    assert!((58..=60).contains(&read[0].cool_down.rest.as_secs()));
    keys.announce("one", &cool_down(0)).await.unwrap();
    assert!(keys.cool_downs("other").await.unwrap().is_empty());
}
