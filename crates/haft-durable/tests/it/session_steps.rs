//! The conversation of a session while a run goes on in it, and after the run ended badly.

use haft_core::{AiMessage, Message, ToolAnnotations, ToolStatus};
use haft_durable::{Decision, RunState};
use haft_testing::ScriptedModel;

use crate::support::{
    Place, agent, answered, destructive, in_session, pay_call, paying_model, settled, spy, work,
};

/// The texts of the messages, and whether each is the result of a call that failed.
fn texts(messages: &[Message]) -> Vec<(String, bool)> {
    let text = |message: &Message| {
        let failed = matches!(message, Message::Tool(result) if result.status == ToolStatus::Error);
        (message.content().text(), failed)
    };
    messages.iter().map(text).collect()
}

#[tokio::test]
async fn messages_are_written_with_their_step() {
    let place = Place::new();
    let store = place.open().await;
    let id = store.sessions().create(None).await.unwrap();
    work(agent(paying_model(), spy(destructive())), &store, 1);
    let run = store.submit_with("Pay the bill", in_session(&id)).await;
    let run = run.unwrap();
    assert!(matches!(settled(&store, &run).await, RunState::Waiting(_)));
    let kept = store.sessions().load(&id).await.unwrap().unwrap();
    assert_eq!(kept.head.title, "Pay the bill");
    let [Message::Human(_), Message::Ai(reply), Message::Tool(result)] = &kept.messages[..] else {
        panic!("{:?}", kept.messages);
    };
    assert_eq!(reply.tool_calls, [pay_call()]);
    assert_eq!(result.tool_call_id, "call_1");
    assert_eq!(
        result.content.text(),
        "The result of this call is not known."
    );
    store.decide(&run, Decision::Allow).await.unwrap();
    assert_eq!(store.finished(&run).await.unwrap(), answered("It is paid."));
    let kept = store.sessions().load(&id).await.unwrap().unwrap();
    let said = ["Pay the bill", "", "paid", "It is paid."];
    assert_eq!(
        texts(&kept.messages),
        said.map(|text| (text.to_owned(), false))
    );
}

#[tokio::test]
async fn what_a_run_did_before_it_failed_stays_in_its_session() {
    let place = Place::new();
    let store = place.open().await;
    let id = store.sessions().create(None).await.unwrap();
    // The model is away after the call.
    let calls = [AiMessage::new("").with_tool_calls([pay_call()])];
    let model = ScriptedModel::saying(calls);
    work(agent(model, spy(ToolAnnotations::default())), &store, 1);
    let run = store.submit_with("Pay the bill", in_session(&id)).await;
    let run = run.unwrap();
    assert!(matches!(
        settled(&store, &run).await,
        RunState::Failed { .. }
    ));
    let turn = store.sessions().begin(Some(&id)).await.unwrap();
    let said = ["Pay the bill", "", "paid"];
    assert_eq!(
        texts(turn.messages()),
        said.map(|text| (text.to_owned(), false))
    );
}

#[tokio::test]
async fn a_session_goes_on_after_a_run_that_was_cancelled_at_a_call() {
    let place = Place::new();
    let store = place.open().await;
    let id = store.sessions().create(None).await.unwrap();
    let model = ScriptedModel::saying([
        AiMessage::new("").with_tool_calls([pay_call()]),
        AiMessage::new("Nothing is paid."),
    ]);
    work(agent(model.clone(), spy(destructive())), &store, 1);
    let run = store.submit_with("Pay the bill", in_session(&id)).await;
    let run = run.unwrap();
    assert!(matches!(settled(&store, &run).await, RunState::Waiting(_)));
    store.cancel(&run).await.unwrap();
    let next = store.submit_with("Is it paid?", in_session(&id)).await;
    let answer = store.finished(&next.unwrap()).await.unwrap();
    assert_eq!(answer, answered("Nothing is paid."));
    // Each call in the request has a result.
    let asked = model.requests();
    let [
        ..,
        Message::Ai(call),
        Message::Tool(result),
        Message::Human(_),
    ] = &asked[1].messages[..]
    else {
        panic!("{:?}", asked[1].messages);
    };
    assert_eq!(call.tool_calls[0].id, result.tool_call_id);
}
