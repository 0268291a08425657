use haft_core::{AiMessage, ToolCall, ToolMessage};
use serde_json::json;
use tempfile::TempDir;

use super::*;

fn folder() -> (TempDir, SessionStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::open(folder.path().join("state").join("sessions.db"));
    (folder, store)
}

fn exchange(question: &str) -> Vec<Message> {
    let call = ToolCall::new("clock", json!({"zone": "Lima"}), "a");
    let asks = AiMessage {
        tool_calls: vec![call],
        ..AiMessage::new("")
    };
    vec![
        Message::user(question),
        asks.into(),
        ToolMessage::success("noon", "a").with_name("clock").into(),
        Message::ai("It is noon."),
    ]
}

#[tokio::test]
async fn a_conversation_comes_back_as_it_was() {
    let (_folder, store) = folder();
    let mut messages = vec![Message::system("Be brief.")];
    messages.extend(exchange("What time\n is it in Lima?"));
    let id = store
        .begin(None)
        .await
        .unwrap()
        .save(&messages, "builtin")
        .await
        .unwrap();
    let turn = store.begin(Some(&id)).await.unwrap();
    assert_eq!(turn.messages(), messages.get(1..).unwrap());
    messages.extend(exchange("And in Oslo?"));
    assert_eq!(turn.save(&messages, "other").await.unwrap(), id);
    let saved = store.load(&id).await.unwrap().unwrap();
    assert_eq!(saved.messages, messages.get(1..).unwrap());
    assert_eq!(
        (saved.head.title.as_str(), saved.head.model.as_str()),
        ("What time is it in Lima?", "other")
    );
    assert!(saved.head.updated >= saved.head.created);
}

#[tokio::test]
async fn a_shorter_conversation_replaces_what_was_kept() {
    let (_folder, store) = folder();
    let long = [exchange("One?"), exchange("Two?")].concat();
    let id = store
        .begin(None)
        .await
        .unwrap()
        .save(&long, "builtin")
        .await
        .unwrap();
    let turn = store.begin(Some(&id)).await.unwrap();
    let short = [exchange("One?"), vec![Message::user("Three?")]].concat();
    turn.save(&short, "builtin").await.unwrap();
    assert_eq!(store.load(&id).await.unwrap().unwrap().messages, short);
}

#[tokio::test]
async fn one_question_at_a_time_is_answered_in_a_conversation() {
    let (_folder, store) = folder();
    let id = store
        .begin(None)
        .await
        .unwrap()
        .save(&exchange("One?"), "m")
        .await
        .unwrap();
    let other = SessionStore::open(store.path());
    let turn = store.begin(Some(&id)).await.unwrap();
    let error = other.begin(Some(&id)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("A question is being answered in session {id}")
    );
    assert!(other.delete(&id).await.is_err());
    drop(turn);
    other.begin(Some(&id)).await.unwrap();
    assert!(other.delete(&id).await.unwrap());
    assert!(!other.delete(&id).await.unwrap());
    assert_eq!(store.list().await.unwrap(), []);
}

#[tokio::test]
async fn the_conversation_that_was_continued_last_is_listed_first() {
    let (_folder, store) = folder();
    assert_eq!(store.list().await.unwrap(), []);
    assert!(!store.path().exists());
    let mut ids = Vec::new();
    for question in ["One?", "Two?"] {
        let turn = store.begin(None).await.unwrap();
        ids.push(turn.save(&exchange(question), "m").await.unwrap());
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    }
    let turn = store.begin(ids.first()).await.unwrap();
    let longer = [exchange("One?"), exchange("More?")].concat();
    turn.save(&longer, "m").await.unwrap();
    let listed = store.list().await.unwrap();
    let titles: Vec<_> = listed
        .iter()
        .map(|one| (one.head.title.as_str(), one.message_count))
        .collect();
    assert_eq!(titles, [("One?", 8), ("Two?", 4)]);
}

#[tokio::test]
async fn what_is_not_there_is_an_error_with_a_hint() {
    let (_folder, store) = folder();
    let id: SessionId = "k7m2x".parse().unwrap();
    let error = store.begin(Some(&id)).await.unwrap_err();
    assert_eq!(error.to_string(), "There is no session k7m2x");
    assert!(error.hint().unwrap().contains("haft sessions list"));
    assert!(!store.path().exists(), "a question creates no file");
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_user_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, store) = folder();
    let id = store
        .begin(None)
        .await
        .unwrap()
        .save(&exchange("One?"), "m")
        .await
        .unwrap();
    let _turn = store.begin(Some(&id)).await.unwrap();
    let state = folder.path().join("state");
    let locks = state.join("sessions.locks");
    for path in [store.path(), &state, &locks, &locks.join(id.as_str())] {
        let mode = std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", path.display());
    }
}

#[test]
fn ids_are_told_from_words() {
    for _ in 0..100 {
        let id = SessionId::random();
        assert_eq!(id.to_string().parse::<SessionId>().unwrap(), id);
    }
    for word in ["", "hello", "k7m2", "k7m2xx", "77777", "a7m2x", "../.."] {
        assert!(word.parse::<SessionId>().is_err(), "{word}");
    }
}
