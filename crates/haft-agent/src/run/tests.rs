mod ends;

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use haft_core::{
    ChatChunk, Event, InvalidToolCall, Message, ModelError, ModelErrorKind, Tool, ToolCall,
    ToolChoice, ToolError, ToolMessage, Usage,
};
use haft_testing::{ScriptedModel, SpyTool};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::{Value, json};

use super::state::APOLOGY;
use super::*;
use crate::{Agent, AgentErrorKind, AgentOptions};

fn calls(calls: impl IntoIterator<Item = (&'static str, &'static str, Value)>) -> AiMessage {
    let calls = calls
        .into_iter()
        .map(|(name, id, args)| ToolCall::new(name, args, id));
    AiMessage::new("").with_tool_calls(calls)
}

fn agent_with(model: &ScriptedModel, tools: Vec<Arc<dyn Tool>>, options: AgentOptions) -> Agent {
    let mut manager = ToolManager::new();
    for tool in tools {
        manager.add(tool).unwrap();
    }
    Agent::new(Arc::new(model.clone()), ToolExecutor::new(manager), options).unwrap()
}

fn agent(model: &ScriptedModel, tools: Vec<Arc<dyn Tool>>) -> Agent {
    agent_with(model, tools, AgentOptions::default())
}

fn spy(name: &str) -> Arc<SpyTool> {
    let name_in_result = name.to_owned();
    Arc::new(SpyTool::new(name, move |args| {
        Ok(format!("{name_in_result} got {}", Value::Object(args)).into())
    }))
}

#[tokio::test]
async fn s000_01_calls_run_through_the_executor() {
    let model = ScriptedModel::saying([
        calls([("f", "1", json!({"a": 1})), ("f", "2", json!({"a": 2}))]),
        AiMessage::new("done"),
    ]);
    let tool = spy("f");
    let answer = agent(&model, vec![tool.clone()]).ask("go").await.unwrap();
    assert_eq!(tool.seen().len(), 2);
    assert_eq!(
        (answer.text.as_str(), answer.outcome, answer.rounds),
        ("done", Outcome::Answered, 2)
    );
    assert_eq!(answer.tools_bound, ["f"]);
}

#[tokio::test]
async fn s000_02_the_second_request_holds_history_calls_and_one_answer_per_call() {
    let asked = AiMessage {
        content: "Let me look.".into(),
        ..calls([("f", "1", json!({"a": 1})), ("f", "2", json!({"a": 2}))])
    };
    let model = ScriptedModel::saying([asked.clone(), AiMessage::new("done")]);
    let options = AgentOptions {
        system: Some("Be brief.".into()),
        ..AgentOptions::default()
    };
    agent_with(&model, vec![spy("f")], options)
        .ask("go")
        .await
        .unwrap();
    let second = &model.requests()[1].messages;
    assert_eq!(second[0], Message::system("Be brief."));
    assert_eq!(second[1], Message::human("go"));
    assert_eq!(second[2], Message::Ai(asked));
    let result =
        |text: &str, id| -> Message { ToolMessage::success(text, id).with_name("f").into() };
    assert_eq!(second[3], result("f got {\"a\":1}", "1"));
    assert_eq!(second[4], result("f got {\"a\":2}", "2"));
    assert_eq!(second.len(), 5);
}

#[tokio::test]
async fn s000_09_each_request_holds_all_earlier_rounds() {
    let model = ScriptedModel::saying([
        calls([("f", "1", json!({}))]),
        calls([("g", "2", json!({}))]),
        AiMessage::new("done"),
    ]);
    let answer = agent(&model, vec![spy("f"), spy("g")])
        .ask("go")
        .await
        .unwrap();
    let lengths: Vec<_> = model
        .requests()
        .iter()
        .map(|request| request.messages.len())
        .collect();
    assert_eq!(lengths, [1, 3, 5]);
    for (earlier, later) in model.requests().iter().zip(model.requests().iter().skip(1)) {
        assert_eq!(earlier.messages, later.messages[..earlier.messages.len()]);
    }
    assert_eq!(answer.messages.len(), 6);
}

#[tokio::test]
async fn s000_10_a_failed_tool_does_not_fail_the_question() {
    let failing = Arc::new(SpyTool::new("f", |_| Err(ToolError::new("boom"))));
    let model = ScriptedModel::saying([calls([("f", "1", json!({}))]), AiMessage::new("sorry")]);
    let answer = agent(&model, vec![failing]).ask("go").await.unwrap();
    let Message::Tool(result) = &model.requests()[1].messages[2] else {
        panic!("no result")
    };
    assert_eq!(result.content.text(), "Error: boom");
    assert_eq!(result.tool_call_id, "1");
    assert_eq!(answer.text, "sorry");
}

#[tokio::test]
async fn s000_11_an_unknown_tool_does_not_stop_the_loop() {
    let model = ScriptedModel::saying([calls([("g", "1", json!({}))]), AiMessage::new("done")]);
    let answer = agent(&model, vec![spy("f")]).ask("go").await.unwrap();
    let Message::Tool(result) = &model.requests()[1].messages[2] else {
        panic!("no result")
    };
    assert_eq!(result.content.text(), "Error: Unknown tool \"g\"");
    assert_eq!(answer.text, "done");
}

#[tokio::test]
async fn s000_12_invalid_calls_are_answered_in_the_next_request() {
    let mut asked = calls([("f", "1", json!({}))]);
    asked.invalid_tool_calls.push(InvalidToolCall {
        name: "f".into(),
        args: "{".into(),
        id: "2".into(),
        error: "The arguments are cut off".into(),
    });
    let model = ScriptedModel::saying([asked, AiMessage::new("done")]);
    agent(&model, vec![spy("f")]).ask("go").await.unwrap();
    let ids: Vec<_> = model.requests()[1]
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Tool(result) => Some((result.tool_call_id.clone(), result.content.text())),
            _ => None,
        })
        .collect();
    assert_eq!(ids[0], ("1".to_owned(), "f got {}".to_owned()));
    assert_eq!(
        ids[1],
        (
            "2".to_owned(),
            "Error: The arguments are cut off".to_owned()
        )
    );
}

#[tokio::test]
async fn the_round_limit_is_exact_and_its_last_round_has_no_tools() {
    let endless = || calls([("f", "1", json!({}))]);
    for limit in 1..=4u32 {
        let replies = (1..limit)
            .map(|_| endless())
            .chain([AiMessage::new("what I have")]);
        let model = ScriptedModel::saying(replies);
        let options = AgentOptions {
            max_rounds: limit,
            ..AgentOptions::default()
        };
        let tool = spy("f");
        let answer = agent_with(&model, vec![tool.clone()], options)
            .ask("go")
            .await
            .unwrap();
        assert_eq!(
            (answer.rounds, answer.text.as_str()),
            (limit, "what I have")
        );
        assert_eq!(tool.seen().len(), limit as usize - 1);
        let choices: Vec<_> = model
            .requests()
            .into_iter()
            .map(|request| request.options.tool_choice)
            .collect();
        let (last, earlier) = choices.split_last().unwrap();
        assert_eq!(*last, ToolChoice::None);
        assert!(earlier.iter().all(|choice| *choice == ToolChoice::Auto));
    }
}

#[tokio::test]
async fn a_call_in_the_last_round_is_answered_but_not_run() {
    let call = || AiMessage {
        content: "so far".into(),
        ..calls([("f", "1", json!({}))])
    };
    let model = ScriptedModel::saying([call(), call()]);
    let options = AgentOptions {
        max_rounds: 2,
        ..AgentOptions::default()
    };
    let tool = spy("f");
    let answer = agent_with(&model, vec![tool.clone()], options)
        .ask("go")
        .await
        .unwrap();
    assert_eq!(
        (answer.outcome, answer.text.as_str()),
        (Outcome::RoundLimit, "so far")
    );
    assert_eq!(tool.seen().len(), 1);
    let last = answer.messages.last().unwrap().content().text();
    assert_eq!(last, "Error: Not run: the limit of 2 rounds is reached");
}

#[tokio::test]
async fn a_blank_reply_is_an_apology_and_never_an_empty_text() {
    let model = ScriptedModel::saying([AiMessage::new(" \n")]);
    let answer = agent(&model, vec![]).ask("go").await.unwrap();
    assert_eq!(
        (answer.outcome, answer.text.as_str()),
        (Outcome::Empty, APOLOGY)
    );
}

#[tokio::test]
async fn zero_rounds_are_a_configuration_error() {
    let options = AgentOptions {
        max_rounds: 0,
        ..AgentOptions::default()
    };
    let model = Arc::new(ScriptedModel::saying([]));
    let error = Agent::new(model, ToolExecutor::new(ToolManager::new()), options).unwrap_err();
    assert_eq!(error.kind(), AgentErrorKind::Configuration);
}

#[tokio::test]
async fn a_model_error_ends_the_question_with_its_hint() {
    let error = ModelError::new(ModelErrorKind::CutStream, "cut").with_hint("again");
    let model = ScriptedModel::new([Ok(calls([("f", "1", json!({}))])), Err(error)]);
    let session = agent(&model, vec![spy("f")]).session();
    let error = session.ask("go").await.unwrap_err();
    assert_eq!(
        error.kind(),
        AgentErrorKind::Model(ModelErrorKind::CutStream)
    );
    assert_eq!(error.hint(), Some("again"));
    assert!(
        session.history().is_empty(),
        "a failed question leaves no trace"
    );
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_is_that_of_the_whole_question() {
    let slow = haft_tools::tool("slow", "", |(): ()| async {
        tokio::time::sleep(Duration::from_secs(25)).await;
        Ok::<_, ToolError>("late")
    });
    let model = ScriptedModel::saying([calls([("slow", "1", json!({}))]), AiMessage::new("x")]);
    let options = AgentOptions {
        timeout: Some(Duration::from_secs(5)),
        ..AgentOptions::default()
    };
    let error = agent_with(&model, vec![slow.into()], options)
        .ask("go")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), AgentErrorKind::Timeout);
    assert_eq!(
        error.to_string(),
        "There was no answer within 5 seconds; slow was under way; \
         whether it took effect is not known"
    );
    assert_eq!(error.under_way()[0].tool, "slow");
}

#[tokio::test(start_paused = true)]
async fn a_timeout_names_only_the_calls_of_its_own_question() {
    let ask = |tool: &'static str, limit: u64| async move {
        let slow = haft_tools::tool(tool, "", |(): ()| async {
            tokio::time::sleep(Duration::from_secs(25)).await;
            Ok::<_, ToolError>("late")
        });
        let done = haft_tools::tool("done", "", |(): ()| async { Ok::<_, ToolError>("done") });
        let model = ScriptedModel::saying([
            calls([("done", "1", json!({})), (tool, "2", json!({}))]),
            AiMessage::new("x"),
        ]);
        let options = AgentOptions {
            timeout: Some(Duration::from_secs(limit)),
            ..AgentOptions::default()
        };
        let agent = agent_with(&model, vec![slow.into(), done.into()], options);
        agent.ask("go").await.unwrap_err()
    };
    let (one, other) = tokio::join!(ask("one", 5), ask("other", 6));
    let named = |error: &AgentError| {
        let calls = error.under_way().iter();
        calls.map(|call| call.tool.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (named(&one), named(&other)),
        (vec!["one".to_owned()], vec!["other".to_owned()])
    );
}

#[tokio::test]
async fn events_are_emitted_in_order() {
    let model = ScriptedModel::saying([
        AiMessage {
            content: "Looking.".into(),
            ..calls([("f", "1", json!({}))])
        },
        AiMessage::new("done"),
    ]);
    let agent = agent(&model, vec![spy("f")]);
    let events: Vec<_> = agent.stream("go").await.unwrap().collect().await;
    let story: Vec<_> = events
        .into_iter()
        .map(|event| match event.unwrap() {
            Event::RoundStarted { round, tools } => format!("round {round} with {}", tools.len()),
            Event::Chunk(ChatChunk::Text(text)) => format!("text {text}"),
            Event::ToolStarted { call } => format!("start {}", call.id),
            Event::ToolFinished(report) => format!("finish {}", report.message.tool_call_id),
            Event::Message(_) => "message".to_owned(),
            Event::Done(answer) => format!("done {}", answer.text),
            other => format!("{other:?}"),
        })
        .collect();
    let expected = [
        "round 1 with 1",
        "text Looking.",
        "message",
        "start 1",
        "finish 1",
        "message",
        "round 2 with 1",
        "text done",
        "message",
        "done done",
    ];
    assert_eq!(story, expected);
}

#[tokio::test]
async fn a_session_keeps_the_history_and_an_agent_does_not() {
    let model = ScriptedModel::saying(["one", "two", "three", "four"].map(AiMessage::new));
    let options = AgentOptions {
        system: Some("Be brief.".into()),
        ..AgentOptions::default()
    };
    let agent = agent_with(&model, vec![], options);
    let session = agent.session();
    session.ask("first").await.unwrap();
    session.ask("second").await.unwrap();
    let texts: Vec<_> = model.requests()[1]
        .messages
        .iter()
        .map(|message| message.content().text())
        .collect();
    assert_eq!(texts, ["Be brief.", "first", "one", "second"]);
    let _: Vec<_> = agent.run(vec![Message::human("apart")]).collect().await;
    assert_eq!(model.requests()[2].messages.len(), 2);
    assert_eq!(session.history().len(), 4);
    agent.ask("apart").await.unwrap();
    assert_eq!(model.requests()[3].messages.len(), 2);
    assert_eq!(session.history().len(), 4);
    assert!(agent.session().history().is_empty());
}

#[tokio::test]
async fn usage_adds_up_over_rounds() {
    let usage = |input_tokens, output_tokens| {
        Some(Usage {
            input_tokens,
            output_tokens,
            cached_input_tokens: 0,
        })
    };
    let model = ScriptedModel::saying([
        AiMessage {
            usage: usage(10, 1),
            ..calls([("f", "1", json!({}))])
        },
        AiMessage {
            usage: usage(20, 2),
            ..AiMessage::new("done")
        },
    ]);
    let answer = agent(&model, vec![spy("f")]).ask("go").await.unwrap();
    assert_eq!(
        (answer.usage.input_tokens, answer.usage.output_tokens),
        (30, 3)
    );
}

fn wants_city(max_rounds: u32) -> AgentOptions {
    let schema = json!({"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string"}}, "additionalProperties": false});
    AgentOptions {
        response_schema: Some(Arc::new(schema)),
        max_rounds,
        ..AgentOptions::default()
    }
}

#[tokio::test]
async fn the_schema_is_sent_after_the_tools_are_done() {
    let model = ScriptedModel::saying([
        calls([("f", "1", json!({}))]),
        AiMessage::new("It is Oslo."),
        AiMessage::new("{\"city\": \"Oslo\"}"),
    ]);
    let answer = agent_with(&model, vec![spy("f")], wants_city(10))
        .ask("go")
        .await
        .unwrap();
    assert_eq!(answer.structured, Some(json!({"city": "Oslo"})));
    let requests = model.requests();
    assert!(requests[0].options.response_schema.is_none());
    assert!(requests[1].options.response_schema.is_none());
    assert!(requests[2].options.response_schema.is_some());
    assert_eq!(requests[2].options.tool_choice, ToolChoice::None);
    assert!(
        matches!(requests[2].messages.last(), Some(Message::Tool(_))),
        "the draft is dropped"
    );
}

#[tokio::test]
async fn without_tools_or_rounds_left_the_schema_is_sent_at_once() {
    for (tools, limit) in [(vec![], 10), (vec![spy("f") as Arc<dyn Tool>], 1)] {
        let model = ScriptedModel::saying([AiMessage::new("{\"city\": \"Oslo\"}")]);
        let answer = agent_with(&model, tools, wants_city(limit))
            .ask("go")
            .await
            .unwrap();
        assert_eq!((answer.rounds, answer.structured.is_some()), (1, true));
    }
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_asked_for_again_and_then_an_error() {
    let wrong = || AiMessage::new("{\"town\": \"Oslo\"}");
    let model = ScriptedModel::saying([wrong(), AiMessage::new("{\"city\": \"Oslo\"}")]);
    let answer = agent_with(&model, vec![], wants_city(10))
        .ask("go")
        .await
        .unwrap();
    assert_eq!(answer.structured, Some(json!({"city": "Oslo"})));
    let model = ScriptedModel::saying([wrong(), AiMessage::new("Oslo")]);
    let error = agent_with(&model, vec![], wants_city(2))
        .ask("go")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), AgentErrorKind::StructuredOutput);
    assert_eq!(error.detail(), "Oslo");
}

#[tokio::test]
async fn a_call_beside_a_structured_answer_is_answered_but_not_run() {
    let stray = AiMessage {
        content: "{\"city\": \"Oslo\"}".into(),
        ..calls([("f", "1", json!({}))])
    };
    let model = ScriptedModel::saying([AiMessage::new("Oslo."), stray]);
    let tool = spy("f");
    let agent = agent_with(&model, vec![tool.clone()], wants_city(10));
    let answer = agent.ask("go").await.unwrap();
    assert!(answer.structured.is_some() && tool.seen().is_empty());
    let last = answer.messages.last().unwrap().content().text();
    assert_eq!(last, "Error: Not run: only the answer is wanted now");
}
