//! Conversations that are too long for the context, over scripted models.

use std::sync::Arc;

use futures_util::StreamExt;
use haft_core::{AiMessage, Event, Tool, ToolCall};
use haft_testing::{ScriptedModel, SpyTool};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;

use super::*;
use crate::{Agent, AgentOptions};

/// Asks a model that calls the tool once per length and then says "done"; what was left out, and
/// the results in the last request.
async fn left_out(lengths: &[usize], context: Option<u32>) -> (Vec<String>, Vec<String>) {
    let call = |(index, length): (usize, &usize)| {
        let call = ToolCall::new("read", json!({"length": length}), format!("{index}"));
        AiMessage::new("").with_tool_calls([call])
    };
    let calls = lengths.iter().enumerate().map(call);
    let model = ScriptedModel::saying(calls.chain([AiMessage::new("done")]));
    let tool = SpyTool::new("read", |args| {
        let length = args["length"].as_u64().unwrap();
        Ok("x".repeat(usize::try_from(length).unwrap()).into())
    });
    let mut tools = ToolManager::new();
    tools.add(Arc::new(tool) as Arc<dyn Tool>).unwrap();
    let options = AgentOptions {
        context,
        ..AgentOptions::default()
    };
    let agent = Agent::new(Arc::new(model.clone()), ToolExecutor::new(tools), options).unwrap();
    let mut omitted = Vec::new();
    let mut events = agent.stream("go").await.unwrap();
    while let Some(event) = events.next().await {
        if let Event::LeftOut(phrases) = event.unwrap() {
            omitted.extend(phrases);
        }
    }
    let last = model.requests().pop().unwrap();
    let results = last.messages.iter().filter_map(|message| match message {
        Message::Tool(result) => Some(result.content.text()),
        _ => None,
    });
    (omitted, results.collect())
}

#[tokio::test]
async fn a_conversation_that_fits_is_sent_whole() {
    for context in [None, Some(100_000)] {
        let (omitted, results) = left_out(&[9000, 9001], context).await;
        assert!(omitted.is_empty(), "{omitted:?}");
        assert_eq!((results[0].len(), results[1].len()), (9000, 9001));
    }
}

#[tokio::test]
async fn long_results_are_cut_to_their_share_of_the_context() {
    let (omitted, results) = left_out(&[9000], Some(4096)).await;
    assert_eq!(omitted, ["the middle of a long result of read"]);
    let length = results[0].len();
    assert!((3000..3200).contains(&length), "{length}");
    assert!(results[0].contains("characters left out"));
}

#[tokio::test]
async fn earlier_results_are_omitted_first_and_reported_by_name() {
    let lengths = [3001, 3002, 3003, 3004];
    let (omitted, results) = left_out(&lengths, Some(4096)).await;
    assert_eq!(omitted, ["an earlier result of read (2 times)"]);
    assert!(results[0].contains("left out") && results[1].contains("left out"));
    assert_eq!((results[2].len(), results[3].len()), (3003, 3004));
}

#[tokio::test]
async fn omitted_results_stay_in_the_answer() {
    let text = "x".repeat(3000);
    let round = |id: &str| {
        let call = ToolCall::new("read", json!({}), id);
        let asked = AiMessage::new("").with_tool_calls([call]);
        [
            Message::Ai(asked),
            ToolMessage::success(text.as_str(), id)
                .with_name("read")
                .into(),
        ]
    };
    let mut messages = vec![Message::human("Read!")];
    messages.extend(["a", "b", "c", "d"].into_iter().flat_map(round));
    messages.extend([Message::ai("Read."), Message::human("And?")]);
    let model = ScriptedModel::saying([AiMessage::new("Yes.")]);
    let options = AgentOptions {
        context: Some(4096),
        ..AgentOptions::default()
    };
    let executor = ToolExecutor::new(ToolManager::new());
    let agent = Agent::new(Arc::new(model.clone()), executor, options).unwrap();
    let events: Vec<_> = agent.run(messages.clone()).collect().await;
    let Some(Ok(Event::Done(answer))) = events.last() else {
        panic!("{events:?}")
    };
    assert_eq!(answer.messages[..messages.len()], messages);
    let shown = &model.requests()[0].messages;
    assert_eq!(shown[2].content().text(), MARK);
    assert_eq!(shown[8].content().text(), text);
    assert_eq!(shown.len(), messages.len());
}
