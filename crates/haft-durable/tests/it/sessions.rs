//! Conversations in the store: questions of processes and runs, one at a time.

use haft_core::{AiMessage, Message, ToolAnnotations};
use haft_durable::{
    Decision, DurableErrorKind, DurableStore, RunOptions, RunOwner, RunState, StoreKey,
};
use haft_testing::ScriptedModel;

use crate::support::{
    Place, agent, answered, destructive, in_session, paying_model, settled, spy, work,
};

fn exchange(question: &str, answer: &str) -> Vec<Message> {
    vec![Message::user(question), Message::ai(answer)]
}

async fn begun(store: &DurableStore) -> haft_agent::SessionId {
    let turn = store.sessions().begin(None).await.unwrap();
    let messages = [vec![Message::system("Be brief.")], exchange("One?", "1")].concat();
    turn.save(&messages, "m").await.unwrap()
}

#[tokio::test]
async fn a_conversation_comes_back_elsewhere_as_it_was() {
    let place = Place::new();
    let id = begun(&place.open().await).await;
    let store = place.open().await;
    let turn = store.sessions().begin(Some(&id)).await.unwrap();
    assert_eq!(turn.messages(), exchange("One?", "1"));
    let longer = [exchange("One?", "1"), exchange("Two?", "2")].concat();
    assert_eq!(turn.save(&longer, "other").await.unwrap(), id);
    // A question that is asked again takes the place of the last one.
    let turn = store.sessions().begin(Some(&id)).await.unwrap();
    let other = [
        exchange("One?", "1"),
        exchange("What is the third number?", "3"),
    ]
    .concat();
    turn.save(&other, "other").await.unwrap();
    let saved = store.sessions().load(&id).await.unwrap().unwrap();
    assert_eq!(saved.messages, other);
    let listed = store.sessions().list().await.unwrap();
    assert_eq!(
        (listed[0].head.title.as_str(), listed[0].message_count),
        ("One?", 4)
    );
    assert_eq!(listed[0].head, saved.head);
    assert_eq!(store.check().await.unwrap().sessions, 1);
    assert!(place.holds("is the third number"));
    assert!(store.sessions().delete(&id).await.unwrap());
    assert!(!store.sessions().delete(&id).await.unwrap());
    assert!(!place.holds("is the third number"));
}

#[tokio::test]
async fn one_question_at_a_time_is_answered_in_a_session() {
    let place = Place::new();
    let store = place.open().await;
    let id = begun(&store).await;
    let other = place.open().await;
    let turn = store.sessions().begin(Some(&id)).await.unwrap();
    let error = other.sessions().begin(Some(&id)).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::SessionBusy);
    let error = other
        .submit_with("Two?", in_session(&id))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::SessionBusy);
    assert!(other.sessions().delete(&id).await.is_err());
    turn.save(&exchange("Two?", "2"), "m").await.unwrap();
    other.sessions().begin(Some(&id)).await.unwrap();
    let unknown = "k7m2x".parse().unwrap();
    let error = other.sessions().begin(Some(&unknown)).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::UnknownSession);
}

#[tokio::test]
async fn a_run_reads_the_conversation_and_is_added_to_it() {
    let place = Place::new();
    let store = place.open().await;
    let id = begun(&store).await;
    let model = paying_model();
    work(agent(model.clone(), spy(destructive())), &store, 1);
    let run = store
        .submit_with("Pay the bill", in_session(&id))
        .await
        .unwrap();
    assert_eq!(
        store.show(&run).await.unwrap().session,
        Some(id.to_string())
    );
    let RunState::Waiting(_) = settled(&store, &run).await else {
        panic!("the run does not wait");
    };
    // It holds the session meanwhile, for as long as it takes.
    let error = store.sessions().begin(Some(&id)).await.unwrap_err();
    assert!(error.to_string().contains(&run), "{error}");
    let error = store.sessions().delete(&id).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::SessionBusy);
    store.decide(&run, Decision::Allow).await.unwrap();
    assert_eq!(store.finished(&run).await.unwrap(), answered("It is paid."));
    let asked = &model.requests()[0].messages;
    assert!(
        asked.ends_with(&[exchange("One?", "1"), vec![Message::user("Pay the bill")]].concat())
    );
    let turn = store.sessions().begin(Some(&id)).await.unwrap();
    assert_eq!(turn.messages().len(), 6);
    assert_eq!(
        turn.messages().last().unwrap().content().text(),
        "It is paid."
    );
    drop(turn);
    let error = store.fork(&run, 0).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::State);
}

#[tokio::test]
async fn a_run_that_ended_badly_gives_its_session_back() {
    let place = Place::new();
    let store = place.open().await;
    let id = begun(&store).await;
    let run = store.submit_with("Two?", in_session(&id)).await.unwrap();
    store.cancel(&run).await.unwrap();
    let turn = store.sessions().begin(Some(&id)).await.unwrap();
    assert_eq!(turn.messages(), exchange("One?", "1"));
    let longer = [exchange("One?", "1"), exchange("Three?", "3")].concat();
    turn.save(&longer, "m").await.unwrap();
    let error = store.retry(&run).await.unwrap_err();
    assert!(error.to_string().contains("has gone on since"), "{error}");
    // A run that can go on takes it again.
    let run = store.submit_with("Four?", in_session(&id)).await.unwrap();
    store.cancel(&run).await.unwrap();
    store.sessions().begin(Some(&id)).await.unwrap();
    tokio::task::yield_now().await;
    let model = ScriptedModel::saying([AiMessage::new("4")]);
    work(agent(model, spy(ToolAnnotations::default())), &store, 1);
    for _ in 0..50 {
        match store.retry(&run).await {
            Err(error) if error.kind() == DurableErrorKind::SessionBusy => {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            retried => {
                retried.unwrap();
                break;
            }
        }
    }
    assert_eq!(store.finished(&run).await.unwrap(), answered("4"));
}

#[tokio::test]
async fn a_key_has_its_own_runs_sessions_and_rights() {
    let place = Place::new();
    let store = place.open().await;
    let sessions = store.sessions();
    let id = sessions.create(Some("alice")).await.unwrap();
    assert!(sessions.belongs_to(&id, "alice").await.unwrap());
    assert!(!sessions.belongs_to(&id, "bob").await.unwrap());
    let of = |name: &str| {
        let mut options = in_session(&id);
        options.owner = Some(RunOwner::new(name));
        options
    };
    let error = store.submit_with("Hello", of("bob")).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::UnknownSession);
    let mut options = of("alice");
    options.owner.as_mut().unwrap().tools = false;
    let run = store.submit_with("Hello", options).await.unwrap();
    assert_eq!(store.list_of("alice").await.unwrap()[0].id, run);
    assert_eq!(store.list_of("bob").await.unwrap(), []);
    let model = ScriptedModel::saying([AiMessage::new("Hello!")]);
    work(
        agent(model.clone(), spy(ToolAnnotations::default())),
        &store,
        1,
    );
    assert_eq!(store.finished(&run).await.unwrap(), answered("Hello!"));
    assert_eq!(model.requests()[0].tools, Vec::<String>::new());
    let mut options = RunOptions::default();
    let mut owner = RunOwner::new("alice");
    owner.models = vec!["large".to_owned()];
    options.owner = Some(owner);
    let run = store.submit_with("Hello", options).await.unwrap();
    let error = "The key \"alice\" may not use the model \"scripted\"".to_owned();
    assert_eq!(
        store.finished(&run).await.unwrap(),
        RunState::Failed { error }
    );
}

#[tokio::test]
async fn sessions_are_encrypted_and_erased() {
    let place = Place::new();
    let file = place.file().with_extension("key");
    StoreKey::create(&file).unwrap();
    let key = StoreKey::read(&file).unwrap();
    let store = DurableStore::open_encrypted(&place.address(), key)
        .await
        .unwrap();
    let turn = store.sessions().begin(None).await.unwrap();
    let secret = exchange("Where is the secret treasure?", "Below the old tree.");
    let id = turn.save(&secret, "m").await.unwrap();
    assert_eq!(
        store.sessions().load(&id).await.unwrap().unwrap().messages,
        secret
    );
    assert!(!place.holds("secret treasure") && !place.holds("old tree"));
    let model = ScriptedModel::saying([AiMessage::new("No.")]);
    work(agent(model, spy(ToolAnnotations::default())), &store, 1);
    let run = store
        .submit_with("Was it found?", in_session(&id))
        .await
        .unwrap();
    store.finished(&run).await.unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(1);
    assert_eq!(store.sessions().delete_before(later).await.unwrap(), 1);
    assert_eq!(store.sessions().list().await.unwrap(), []);
    let error = store.show(&run).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::UnknownRun);
}
