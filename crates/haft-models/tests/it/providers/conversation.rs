//! What a conversation looks like to the server and to the caller; equal for all providers.

use std::sync::Arc;

use futures_util::TryStreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, Message, ModelErrorKind, StopReason, Tool,
    ToolCall, ToolChoice, ToolMessage,
};
use haft_testing::{Reply, ScriptedServer, named_tool};
use serde_json::{Value, json};

use super::{Provider, Said, Sent, rows};

fn tools() -> Vec<Arc<dyn Tool>> {
    ["get_weather", "get_time"]
        .map(|name| named_tool(name, None))
        .into()
}

fn bound(provider: &Provider, server: &ScriptedServer, streamed: bool) -> Arc<dyn ChatModel> {
    provider.at(server, streamed).bind_tools(&tools()).unwrap()
}

fn demanding(tool_choice: ToolChoice) -> CallOptions {
    CallOptions {
        tool_choice,
        ..CallOptions::default()
    }
}

async fn ask(model: &dyn ChatModel, messages: &[Message]) -> AiMessage {
    let reply = model.invoke(messages, &CallOptions::default()).await;
    reply.unwrap()
}

fn two_calls() -> Said<'static> {
    Said {
        text: "Let me look.",
        calls: vec![
            (
                "call_a",
                "get_weather",
                json!({"city": "Åland 🌧", "days": 2, "deep": {"x": [1.5]}}),
            ),
            ("call_b", "get_time", json!({})),
        ],
    }
}

/// The fields of a sent message without ids, which some APIs do not have.
fn said(role: &str, text: &str) -> Sent {
    Sent {
        role: role.to_owned(),
        text: text.to_owned(),
        ..Sent::default()
    }
}

#[tokio::test]
async fn s000_07_calls_have_the_standard_structure() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::start([(provider.reply)(streamed, &two_calls())]).await;
        let reply = ask(&*bound(provider, &server, streamed), &[Message::human("?")]).await;
        assert_eq!(reply.content.text(), "Let me look.");
        assert_eq!(reply.stop_reason, Some(StopReason::ToolUse));
        let [first, second] = &reply.tool_calls[..] else {
            panic!("two calls, not {:?}", reply.tool_calls);
        };
        let names = [first.name.as_str(), second.name.as_str()];
        assert_eq!(names, ["get_weather", "get_time"]);
        let args = json!({"city": "Åland 🌧", "days": 2, "deep": {"x": [1.5]}});
        assert_eq!(Value::Object(first.args.clone()), args);
        assert!(second.args.is_empty());
        assert!(!first.id.is_empty() && !second.id.is_empty());
        assert_ne!(first.id, second.id);
        assert!(reply.invalid_tool_calls.is_empty());
        assert!(reply.usage.is_some());
    }
}

#[tokio::test]
async fn s000_r2_bytes_cut_anywhere_give_the_same_reply() {
    for (provider, streamed) in rows() {
        let reply = (provider.reply)(streamed, &two_calls());
        let pieces = [1, 2, 3, 7, 64].map(|size| reply.clone().in_pieces_of(size));
        let server = ScriptedServer::start([reply].into_iter().chain(pieces)).await;
        let model = bound(provider, &server, streamed);
        let mut whole = ask(&*model, &[Message::human("?")]).await;
        for _ in 0..5 {
            let mut cut = ask(&*model, &[Message::human("?")]).await;
            // Ids that the API does not have are new each time.
            for (a, b) in whole.tool_calls.iter_mut().zip(&mut cut.tool_calls) {
                b.id.clone_from(&a.id);
            }
            assert_eq!(whole, cut);
        }
    }
}

#[tokio::test]
async fn s000_r2_streamed_and_whole_replies_are_equal() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::start([(provider.reply)(streamed, &two_calls())]).await;
        let model = bound(provider, &server, streamed);
        let chunks = model.stream(&[Message::human("?")], &CallOptions::default());
        let chunks: Vec<ChatChunk> = chunks.try_collect().await.unwrap();
        let Some(ChatChunk::Done(reply)) = chunks.last() else {
            panic!("the last chunk is the whole reply: {chunks:?}");
        };
        let text = chunks.iter().filter_map(|chunk| match chunk {
            ChatChunk::Text(text) => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(text.collect::<String>(), reply.content.text());
        let ends = chunks.iter().filter_map(|chunk| match chunk {
            ChatChunk::CallEnd { call, .. } => Some(call.clone()),
            _ => None,
        });
        assert_eq!(ends.collect::<Vec<_>>(), reply.tool_calls);
        let starts = chunks.iter().filter_map(|chunk| match chunk {
            ChatChunk::CallStart { index, name, .. } => Some((*index, name.as_str())),
            _ => None,
        });
        assert_eq!(
            starts.collect::<Vec<_>>(),
            [(0, "get_weather"), (1, "get_time")]
        );
    }
}

#[tokio::test]
async fn s000_r2_two_hundred_calls_in_one_reply() {
    for (provider, streamed) in rows() {
        let ids: Vec<String> = (0..200).map(|n| format!("call_{n}")).collect();
        let calls = ids.iter().enumerate();
        let calls = calls.map(|(n, id)| (id.as_str(), "get_time", json!({"n": n})));
        let said = Said {
            text: "",
            calls: calls.collect(),
        };
        let server = ScriptedServer::start([(provider.reply)(streamed, &said)]).await;
        let reply = ask(&*bound(provider, &server, streamed), &[Message::human("?")]).await;
        let numbers = reply
            .tool_calls
            .iter()
            .map(|call| call.args["n"].as_u64().unwrap());
        assert!(numbers.eq(0..200), "{reply:?}");
        let ids: std::collections::HashSet<_> = reply.tool_calls.iter().map(|c| &c.id).collect();
        assert_eq!(ids.len(), 200);
    }
}

#[tokio::test]
async fn s000_07_calls_that_share_an_id_stay_separate() {
    for (provider, streamed) in rows() {
        let said = Said {
            text: "",
            calls: vec![
                ("same", "get_weather", json!({"city": "Oslo"})),
                ("same", "get_time", json!({"zone": "UTC"})),
            ],
        };
        let server = ScriptedServer::start([(provider.reply)(streamed, &said)]).await;
        let reply = ask(&*bound(provider, &server, streamed), &[Message::human("?")]).await;
        assert_eq!(reply.tool_calls.len(), 2, "{reply:?}");
        assert_ne!(reply.tool_calls[0].id, reply.tool_calls[1].id);
        assert_eq!(reply.tool_calls[1].args["zone"], "UTC");
    }
}

#[tokio::test]
async fn s000_08_messages_keep_ids_and_calls_on_the_wire() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::start([provider.says(streamed, "Dry.")]).await;
        let calls = [
            ToolCall::new("get_weather", json!({"city": "Oslo"}), "call_1"),
            ToolCall::new("get_time", json!({}), "call_2"),
        ];
        let messages = [
            Message::system("Be brief."),
            Message::human("A coat?"),
            AiMessage::new("Looking.").with_tool_calls(calls).into(),
            ToolMessage::success("rain", "call_1")
                .with_name("get_weather")
                .into(),
            ToolMessage::error("boom", "call_2")
                .with_name("get_time")
                .into(),
        ];
        ask(&*bound(provider, &server, streamed), &messages).await;
        let body = server.requests()[0].body.clone();
        assert_eq!((provider.tools)(&body), ["get_weather", "get_time"]);
        let sent = (provider.messages)(&body);
        let roles_and_texts = sent.iter().map(|sent| said(&sent.role, &sent.text));
        let expected = [
            said("system", "Be brief."),
            said("user", "A coat?"),
            said("assistant", "Looking."),
            said("tool", "rain"),
            said("tool", "Error: boom"),
        ];
        assert_eq!(roles_and_texts.collect::<Vec<_>>(), expected);
        let [first, second] = &sent[2].calls[..] else {
            panic!("two calls, not {sent:?}");
        };
        assert_eq!(
            (first.1.as_str(), &first.2),
            ("get_weather", &json!({"city": "Oslo"}))
        );
        assert_eq!((second.1.as_str(), &second.2), ("get_time", &json!({})));
        // Wires without ids correlate by order.
        assert_eq!((&sent[3].answers, &sent[4].answers), (&first.0, &second.0));
        assert!(first.0 != second.0 || first.0.is_empty());
    }
}

#[tokio::test]
async fn s000_09_request_n_holds_all_that_came_before() {
    for (provider, streamed) in rows() {
        let call = |id, name| Said {
            text: "",
            calls: vec![(id, name, json!({"step": id}))],
        };
        let server = ScriptedServer::start([
            (provider.reply)(streamed, &call("x", "get_weather")),
            (provider.reply)(streamed, &call("x", "get_time")),
            provider.says(streamed, "Done."),
        ])
        .await;
        let model = bound(provider, &server, streamed);
        let mut messages = vec![Message::human("Go")];
        for result in ["one", "two"] {
            let reply = ask(&*model, &messages).await;
            let id = reply.tool_calls[0].id.clone();
            messages.push(reply.into());
            messages.push(ToolMessage::success(result, id).into());
        }
        assert_eq!(ask(&*model, &messages).await.content.text(), "Done.");

        let requests = server.requests();
        let sent: Vec<Vec<Sent>> = requests
            .iter()
            .map(|request| (provider.messages)(&request.body))
            .collect();
        assert_eq!(sent.iter().map(Vec::len).collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(sent[2][..3], sent[1][..]);
        assert_eq!(sent[1][..1], sent[0][..]);
        let last = &sent[2];
        assert_eq!(
            (last[2].text.as_str(), last[4].text.as_str()),
            ("one", "two")
        );
        assert_eq!(last[2].answers, last[1].calls[0].0);
        assert_eq!(last[4].answers, last[3].calls[0].0);
        // The server used one id twice; what goes back is unique in the conversation.
        assert!(last[2].answers != last[4].answers || last[2].answers.is_empty());
    }
}

#[tokio::test]
async fn s000_r2_the_same_tools_give_the_same_bytes() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::with(move |_| provider.says(streamed, "Hi")).await;
        for _ in 0..2 {
            ask(&*bound(provider, &server, streamed), &[Message::human("?")]).await;
        }
        assert_eq!(server.requests()[0].text, server.requests()[1].text);
    }
}

#[tokio::test]
async fn s000_r2_no_call_allowed_means_no_tools_sent() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::start([provider.says(streamed, "Hi")]).await;
        let model = bound(provider, &server, streamed);
        let options = demanding(ToolChoice::None);
        model
            .invoke(&[Message::human("?")], &options)
            .await
            .unwrap();
        assert_eq!((provider.tools)(&server.requests()[0].body), [""; 0]);
    }
}

#[tokio::test]
async fn s000_r2_a_named_tool_is_the_only_one_sent() {
    for (provider, streamed) in rows() {
        let said = Said {
            text: "",
            calls: vec![("a", "get_time", json!({}))],
        };
        let server = ScriptedServer::start([(provider.reply)(streamed, &said)]).await;
        let model = bound(provider, &server, streamed);
        let options = demanding(ToolChoice::Tool("get_time".to_owned()));
        let reply = model
            .invoke(&[Message::human("?")], &options)
            .await
            .unwrap();
        assert_eq!(reply.tool_calls[0].name, "get_time");
        assert_eq!((provider.tools)(&server.requests()[0].body), ["get_time"]);
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn s000_r2_a_demand_that_was_ignored_is_made_again_as_a_schema() {
    for (provider, streamed) in rows() {
        let spelled = r#"{"name": "get_time", "arguments": {"zone": "UTC"}}"#;
        for demand in [
            ToolChoice::Required,
            ToolChoice::Tool("get_time".to_owned()),
        ] {
            let script = ["What for?", spelled].map(|text| provider.says(streamed, text));
            let server = ScriptedServer::start(script).await;
            let model = bound(provider, &server, streamed);
            let reply = model
                .invoke(&[Message::human("?")], &demanding(demand))
                .await
                .unwrap();
            assert_eq!(reply.tool_calls.len(), 1);
            assert_eq!(reply.tool_calls[0].name, "get_time");
            assert_eq!(reply.tool_calls[0].args["zone"], "UTC");
            assert!(reply.content.is_blank(), "the ignored text is not shown");
            assert_eq!(server.requests().len(), 2);
        }
    }
}

#[tokio::test]
async fn s000_r2_a_demand_that_stays_ignored_is_an_error() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::with(move |_| provider.says(streamed, "No.")).await;
        let model = bound(provider, &server, streamed);
        let reply = model
            .invoke(&[Message::human("?")], &demanding(ToolChoice::Required))
            .await;
        assert_eq!(reply.unwrap_err().kind(), ModelErrorKind::ToolChoiceIgnored);
        assert_eq!(server.requests().len(), 2);
    }
}

#[tokio::test]
async fn s000_r2_a_demand_without_a_tool_is_not_sent() {
    for (provider, streamed) in rows() {
        let server = ScriptedServer::with(|_| Reply::silence()).await;
        let model = bound(provider, &server, streamed);
        let options = demanding(ToolChoice::Tool("fly".to_owned()));
        let error = model
            .invoke(&[Message::human("?")], &options)
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains("fly"));
        assert_eq!(server.requests().len(), 0);
    }
}
