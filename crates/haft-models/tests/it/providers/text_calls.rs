//! Calls that a model writes into its text, and models without native tools, over the two APIs
//! where they occur, streamed and whole.

use std::sync::{Arc, Mutex};

use futures_util::TryStreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, Content, ContentBlock, Message, ModelErrorKind,
    StopReason, Tool, ToolCall, ToolChoice, ToolMessage,
};
use haft_models::{ChatOllama, ChatOpenAi, ToolMode};
use haft_testing::{CapturedLog, Reply, ScriptedServer, SpyTool};
use serde_json::{Value, json};

use super::{MODEL, Provider, Said, Sent, rows};

fn tools() -> Vec<Arc<dyn Tool>> {
    let tool = |name: &str, schema: Value| {
        let tool = SpyTool::new(name, |_| Ok("ok".into())).with_schema(schema);
        Arc::new(tool) as Arc<dyn Tool>
    };
    let schema = json!({"type": "object", "properties": {
        "query": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["query"]});
    let city = json!({"type": "object", "properties": {"city": {"type": "string"}},
        "required": ["city"]});
    vec![tool("SearchDatabase", schema), tool("get_weather", city)]
}

/// The rows whose models may write calls into their text.
fn text_rows() -> impl Iterator<Item = (&'static Provider, bool)> {
    rows().filter(|(provider, _)| provider.name != "anthropic")
}

fn bound(provider: &Provider, server: &ScriptedServer, streamed: bool) -> Arc<dyn ChatModel> {
    provider.at(server, streamed).bind_tools(&tools()).unwrap()
}

/// The model in a mode of its own.
fn in_mode(
    provider: &Provider,
    server: &ScriptedServer,
    model: &str,
    mode: ToolMode,
) -> Arc<dyn ChatModel> {
    let url = server.url();
    let model: Arc<dyn ChatModel> = match provider.name {
        "ollama" => Arc::new(ChatOllama::new(model).base_url(url).tool_mode(mode)),
        _ => Arc::new(
            ChatOpenAi::new(model)
                .base_url(format!("{url}/v1"))
                .tool_mode(mode),
        ),
    };
    model.bind_tools(&tools()).unwrap()
}

async fn ask(model: &dyn ChatModel) -> AiMessage {
    let question = [Message::human("?")];
    let reply = model.invoke(&question, &CallOptions::default()).await;
    reply.unwrap()
}

fn calls(reply: &AiMessage) -> Vec<(&str, &str, Value)> {
    let calls = reply.tool_calls.iter();
    calls
        .map(|call| {
            let args = Value::Object(call.args.clone());
            (call.id.as_str(), call.name.as_str(), args)
        })
        .collect()
}

fn text(reply: &AiMessage) -> String {
    reply.content.text().trim().to_owned()
}

const QWEN: &str =
    "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>";

/// The error of a server whose model does not support tools.
fn refusals(provider: &Provider) -> Vec<Reply> {
    let json = |status: u16, body: Value| Reply::json(body).with_status(status);
    match provider.name {
        "ollama" => vec![json(
            400,
            json!({"error": format!("registry.ollama.ai/library/{MODEL} does not support tools")}),
        )],
        _ => vec![
            json(
                400,
                json!({"object": "error", "code": 400, "message": "\"auto\" tool choice requires \
                    --enable-auto-tool-choice and --tool-call-parser to be set"}),
            ),
            json(
                500,
                json!({"error": {"code": 500, "message": "tools param requires --jinja flag"}}),
            ),
        ],
    }
}

#[tokio::test]
async fn s004_22_a_call_between_prose_is_found_and_the_prose_stays() {
    for (provider, streamed) in text_rows() {
        let said = "Let me search.\nSearchDatabase(query=\"machine learning\", limit=5)\n\
                    I will be back.";
        let server = ScriptedServer::start([provider.says(streamed, said)]).await;
        let reply = ask(&*bound(provider, &server, streamed)).await;
        let expected = json!({"query": "machine learning", "limit": 5});
        assert_eq!(
            calls(&reply),
            [("SearchDatabase_0", "SearchDatabase", expected)]
        );
        let said = text(&reply);
        assert!(said.starts_with("Let me search.") && said.ends_with("I will be back."));
        assert!(!said.contains("SearchDatabase"), "{said}");
        assert_eq!(reply.stop_reason, Some(StopReason::ToolUse));
    }
}

#[tokio::test]
async fn s004_22_native_calls_keep_their_ids() {
    for (provider, streamed) in text_rows() {
        let arguments = json!({"query": "machine learning", "limit": 5});
        let said = Said {
            text: "",
            calls: vec![("call_xyz123", "SearchDatabase", arguments.clone())],
        };
        let server = ScriptedServer::start([(provider.reply)(streamed, &said)]).await;
        let reply = ask(&*bound(provider, &server, streamed)).await;
        assert_eq!(
            calls(&reply),
            [("call_xyz123", "SearchDatabase", arguments)]
        );
    }
}

#[tokio::test]
async fn s004_13_ids_count_over_the_whole_reply() {
    for (provider, streamed) in text_rows() {
        let said = "SearchDatabase(query=\"a\")\nget_weather(city=\"Oslo\")\n\
                    SearchDatabase(query=\"b\")";
        let server = ScriptedServer::start([provider.says(streamed, said)]).await;
        let reply = ask(&*bound(provider, &server, streamed)).await;
        let ids: Vec<_> = reply.tool_calls.iter().map(|call| &call.id).collect();
        assert_eq!(
            ids,
            ["SearchDatabase_0", "get_weather_1", "SearchDatabase_2"]
        );
    }
}

#[tokio::test]
async fn s004_19_a_printed_call_is_found_in_a_stream_cut_anywhere() {
    for (provider, streamed) in text_rows() {
        let said = format!("Åland first. 🌧\n{QWEN}\n{}", QWEN.replace("Oslo", "Tromsø"));
        let whole = provider.says(streamed, &said);
        let cut = [1, 3, 7].map(|size| whole.clone().in_pieces_of(size));
        let server = ScriptedServer::start(cut.into_iter().chain([whole])).await;
        let model = bound(provider, &server, streamed);
        for _ in 0..4 {
            let reply = ask(&*model).await;
            let expected = [
                ("get_weather_0", "get_weather", json!({"city": "Oslo"})),
                ("get_weather_1", "get_weather", json!({"city": "Tromsø"})),
            ];
            assert_eq!(calls(&reply), expected);
            assert_eq!(text(&reply), "Åland first. 🌧");
        }
    }
}

#[tokio::test]
async fn s004_19_text_flows_at_once_and_no_piece_of_a_call_is_text() {
    for (provider, streamed) in text_rows() {
        let said = format!("One moment. {QWEN}");
        let server = ScriptedServer::start([provider.says(streamed, &said)]).await;
        let model = bound(provider, &server, streamed);
        let stream = model.stream(&[Message::human("?")], &CallOptions::default());
        let chunks: Vec<ChatChunk> = stream.try_collect().await.unwrap();
        let mut shown = String::new();
        let mut raw = String::new();
        let mut kinds = Vec::new();
        for chunk in &chunks {
            match chunk {
                ChatChunk::Text(text) => shown.push_str(text),
                ChatChunk::CallArgs { index: 0, fragment } => raw.push_str(fragment),
                ChatChunk::CallStart { index: 0, name, .. } => kinds.push(format!("start {name}")),
                ChatChunk::CallEnd { index: 0, call } => kinds.push(format!("end {}", call.id)),
                ChatChunk::Repaired(repair) => {
                    kinds.push(format!("{} {}", repair.kind, repair.tool));
                }
                ChatChunk::Done(_) => kinds.push("done".to_owned()),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(shown.trim(), "One moment.");
        assert_eq!(raw, "{\"city\": \"Oslo\"}");
        let found = "found_in_text get_weather";
        assert_eq!(
            kinds,
            ["start get_weather", found, "end get_weather_0", "done"]
        );
    }
}

#[tokio::test]
async fn s004_12_native_calls_beside_a_printed_one_win() {
    for (provider, streamed) in text_rows() {
        let said = Said {
            text: QWEN,
            calls: vec![("call_1", "SearchDatabase", json!({"query": "x"}))],
        };
        let server = ScriptedServer::start([(provider.reply)(streamed, &said)]).await;
        let reply = ask(&*bound(provider, &server, streamed)).await;
        let expected = json!({"query": "x"});
        assert_eq!(calls(&reply), [("call_1", "SearchDatabase", expected)]);
        assert_eq!(text(&reply), "");
    }
}

#[tokio::test]
async fn s004_12_a_mention_in_prose_is_no_call() {
    for (provider, streamed) in text_rows() {
        for said in [
            "I could use get_weather(city=\"Oslo\") for that, but you said not to.",
            "Tools are called like `get_weather(city=\"Oslo\")` in this system.",
            "There is no tool called fly(city=\"Oslo\").",
        ] {
            let server = ScriptedServer::start([provider.says(streamed, said)]).await;
            let reply = ask(&*bound(provider, &server, streamed)).await;
            assert!(!reply.has_calls(), "{reply:?}");
            assert_eq!(reply.content.text(), said);
        }
    }
}

#[tokio::test]
async fn reasoning_in_the_text_is_separated() {
    for (provider, streamed) in text_rows() {
        let said = format!("<think>Maybe {QWEN}?</think>It is sunny.");
        let server = ScriptedServer::start([provider.says(streamed, &said)]).await;
        let reply = ask(&*bound(provider, &server, streamed)).await;
        assert!(!reply.has_calls());
        assert_eq!(text(&reply), "It is sunny.");
        let Content::Blocks(blocks) = &reply.content else {
            panic!("{reply:?}")
        };
        assert!(matches!(&blocks[0], ContentBlock::Thinking { thinking, .. }
            if thinking.contains("Maybe")));
    }
}

#[tokio::test]
async fn s004_10_bad_items_never_lose_their_neighbours() {
    let good =
        json!({"id": "g", "function": {"name": "get_weather", "arguments": {"city": "Oslo"}}});
    for (provider, _) in text_rows() {
        let reply = |calls: Value| {
            let message = json!({"role": "assistant", "content": "Hm.", "tool_calls": calls});
            Reply::json(match provider.name {
                "ollama" => json!({"message": message, "done": true}),
                _ => {
                    json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
                }
            })
        };
        for (bad, remaining) in [
            (json!("no list"), 0),
            (json!({"id": "x"}), 0),
            (json!([7, "x", null, good]), 1),
            (json!([good, {"id": "x"}, {"id": "y", "function": 7}]), 1),
            (json!([{"function": {"arguments": "{}"}}, good]), 1),
            (
                json!([{"function": {"name": "get_weather", "arguments": "{\"city\": \"Os"}}, good]),
                1,
            ),
        ] {
            let server = ScriptedServer::start([reply(bad.clone())]).await;
            let said = ask(&*bound(provider, &server, false)).await;
            assert_eq!(said.tool_calls.len(), remaining, "{bad}: {said:?}");
            assert_eq!(text(&said), "Hm.");
        }
    }
}

#[tokio::test]
async fn s004_11_calls_that_share_an_id_are_both_there() {
    for (provider, streamed) in text_rows() {
        let said = Said {
            text: "",
            calls: vec![
                (
                    "call_1",
                    "SearchDatabase",
                    json!({"query": "python", "limit": 10}),
                ),
                ("call_1", "get_weather", json!({"city": "New York"})),
            ],
        };
        let server = ScriptedServer::start([(provider.reply)(streamed, &said)]).await;
        let reply = ask(&*bound(provider, &server, streamed)).await;
        assert_eq!(reply.tool_calls.len(), 2);
        assert_eq!(reply.tool_calls[0].id, "call_1");
        assert_eq!(reply.tool_calls[1].args["city"], "New York");
    }
}

#[tokio::test]
async fn s004_03_text_mode_teaches_the_tools_and_sends_none() {
    for (provider, _) in text_rows().filter(|(_, streamed)| *streamed) {
        let script = [QWEN, "get_weather(city=\"Oslo\")"].map(|said| provider.says(true, said));
        let server = ScriptedServer::start(script).await;
        for (model, taught) in [
            ("qwen2.5:0.5b", "<tool_call>"),
            ("phi3", "get_weather(city"),
        ] {
            let model = in_mode(provider, &server, model, ToolMode::Text);
            let reply = ask(&*model).await;
            assert_eq!(
                calls(&reply),
                [("get_weather_0", "get_weather", json!({"city": "Oslo"}))]
            );
            let body = server.requests().pop().unwrap().body;
            assert_eq!((provider.tools)(&body), [""; 0]);
            let sent = (provider.messages)(&body);
            let roles: Vec<_> = sent.iter().map(|message| message.role.as_str()).collect();
            assert_eq!(roles, ["system", "user"]);
            assert!(sent[0].text.contains("- get_weather(city: string)"));
            assert!(sent[0].text.contains(taught), "{}", sent[0].text);
        }
    }
}

#[tokio::test]
async fn s004_03_the_history_goes_out_as_text() {
    for (provider, _) in text_rows().filter(|(_, streamed)| *streamed) {
        let server = ScriptedServer::start([provider.says(true, "Dry.")]).await;
        let call = ToolCall::new("get_weather", json!({"city": "Oslo"}), "get_weather_0");
        let messages = [
            Message::system("Be brief."),
            Message::human("A coat?"),
            AiMessage::new("Looking.").with_tool_calls([call]).into(),
            ToolMessage::success("rain", "get_weather_0").into(),
        ];
        let model = in_mode(provider, &server, "qwen3", ToolMode::Text);
        let options = CallOptions {
            tool_choice: ToolChoice::None,
            ..CallOptions::default()
        };
        model.invoke(&messages, &options).await.unwrap();
        let said = |role: &str, text: &str| Sent {
            role: role.to_owned(),
            text: text.to_owned(),
            ..Sent::default()
        };
        let expected = [
            said("system", "Be brief."),
            said("user", "A coat?"),
            said("assistant", &format!("Looking.\n{QWEN}")),
            said("user", "<tool_response>\nrain\n</tool_response>"),
        ];
        assert_eq!((provider.messages)(&server.requests()[0].body), expected);
    }
}

#[tokio::test]
async fn s004_12_a_server_without_tools_is_asked_again_in_text_and_remembered() {
    for (provider, streamed) in text_rows() {
        for refusal in refusals(provider) {
            let server = ScriptedServer::start([
                refusal,
                provider.says(streamed, "get_weather(city=\"Oslo\")"),
                provider.says(streamed, "Hello."),
            ])
            .await;
            let model = provider.at(&server, streamed);
            let first = ask(&*model.bind_tools(&tools()).unwrap()).await;
            assert_eq!(first.tool_calls[0].name, "get_weather");
            // The same client with tools bound again still remembers it.
            let second = ask(&*model.bind_tools(&tools()[..1]).unwrap()).await;
            assert_eq!(text(&second), "Hello.");
            let requests = server.requests();
            let offered: Vec<_> = requests
                .iter()
                .map(|request| (provider.tools)(&request.body).len())
                .collect();
            assert_eq!(offered, [2, 0, 0]);
            assert!(requests[1].text.contains("get_weather(city: string)"));
            let warned = CapturedLog::of_program().lines_with(&["WARN", "no native tools"]);
            assert!(!warned.is_empty());
        }
    }
}

#[tokio::test]
async fn a_server_that_refuses_text_too_is_not_asked_endlessly() {
    for (provider, streamed) in text_rows() {
        let refusal = refusals(provider).remove(0);
        let server = ScriptedServer::with(move |_| refusal.clone()).await;
        let model = bound(provider, &server, streamed);
        let question = [Message::human("?")];
        let error = model.invoke(&question, &CallOptions::default()).await;
        assert_eq!(error.unwrap_err().kind(), ModelErrorKind::ToolsUnsupported);
        let chats = server.requests();
        let chats = chats.iter().filter(|request| request.method == "POST");
        assert_eq!(chats.count(), 2);
    }
}

#[tokio::test]
async fn native_mode_neither_falls_back_nor_reads_text() {
    for (provider, _) in text_rows().filter(|(_, streamed)| *streamed) {
        let refusal = refusals(provider).remove(0);
        let server = ScriptedServer::start([refusal]).await;
        let model = in_mode(provider, &server, MODEL, ToolMode::Native);
        let question = [Message::human("?")];
        let error = model.invoke(&question, &CallOptions::default()).await;
        assert_eq!(error.unwrap_err().kind(), ModelErrorKind::ToolsUnsupported);
        let server = ScriptedServer::start([provider.says(true, QWEN)]).await;
        let reply = ask(&*in_mode(provider, &server, MODEL, ToolMode::Native)).await;
        assert_eq!(
            (reply.content.text().as_str(), reply.has_calls()),
            (QWEN, false)
        );
    }
}

#[tokio::test]
async fn s004_03_ollama_is_asked_once_what_a_model_can() {
    for streamed in [true, false] {
        let provider = rows().find(|(row, _)| row.name == "ollama").unwrap().0;
        for (answer, offered) in [
            (Reply::json(json!({"capabilities": ["completion"]})), 0),
            (
                Reply::json(json!({"capabilities": ["completion", "tools"]})),
                2,
            ),
            (Reply::json(json!({"capabilities": []})), 2),
            (Reply::json(json!({"message": {}})), 2),
            (Reply::text("no").with_status(500), 2),
        ] {
            let asked = Arc::new(Mutex::new(0));
            let count = Arc::clone(&asked);
            let server = ScriptedServer::with(move |request| {
                if request.path != "/api/show" {
                    return provider.says(streamed, "Hi");
                }
                assert_eq!(request.body["model"], MODEL);
                *count.lock().unwrap() += 1;
                answer.clone()
            })
            .await;
            let model = provider.at(&server, streamed);
            ask(&*model).await;
            assert_eq!(
                *asked.lock().unwrap(),
                0,
                "without tools it does not matter"
            );
            for _ in 0..2 {
                ask(&*model.bind_tools(&tools()).unwrap()).await;
            }
            let body = server.requests().pop().unwrap().body;
            assert_eq!((provider.tools)(&body).len(), offered);
            assert_eq!(*asked.lock().unwrap(), 1);
        }
    }
}

/// Ollama's error if it cannot parse the arguments that its own model wrote.
fn unread(raw: &str) -> Value {
    json!({"error": format!("error parsing tool call: raw='{raw}', err=invalid character ']' \
        after top-level value")})
}

#[tokio::test]
async fn a_call_that_ollama_could_not_read_is_recovered() {
    let provider = rows().find(|(row, _)| row.name == "ollama").unwrap().0;
    let weather = json!({"city": "Oslo"});
    for raw in [
        "{\"city\": \"Oslo\"}]",
        "{'city': 'Oslo'}",
        "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]",
        "We want the weather. {\"city\": \"Oslo\"}",
    ] {
        for streamed in [true, false] {
            let whole = Reply::json(unread(raw)).with_status(500);
            let server = ScriptedServer::start([whole]).await;
            let reply = ask(&*bound(provider, &server, streamed)).await;
            let [(_, "get_weather", args)] = &calls(&reply)[..] else {
                panic!("{raw}: {reply:?}")
            };
            assert_eq!(args, &weather);
            assert_eq!(server.requests().len(), 1, "it is not asked again");
        }
        let begun = json!({"message": {"role": "assistant", "content": "Well."}, "done": false});
        let server = ScriptedServer::start([Reply::ndjson([begun, unread(raw)])]).await;
        let reply = ask(&*bound(provider, &server, true)).await;
        assert_eq!(calls(&reply)[0].2, weather, "{raw}");
        assert_eq!(text(&reply), "Well.");
    }
}

#[tokio::test]
async fn a_call_that_cannot_be_parsed_goes_back_to_the_model() {
    let provider = rows().find(|(row, _)| row.name == "ollama").unwrap().0;
    for raw in [
        "ls -R\n",
        "{\"query\": \"x",
        "{\"city\": \"Oslo\", \"more\": 1}",
    ] {
        let server = ScriptedServer::start([Reply::json(unread(raw)).with_status(500)]).await;
        let reply = ask(&*bound(provider, &server, true)).await;
        assert!(reply.tool_calls.is_empty(), "{raw}: {reply:?}");
        assert_eq!(reply.invalid_tool_calls.len(), 1, "{raw}");
        assert_eq!(reply.stop_reason, Some(StopReason::ToolUse));
    }
}

#[tokio::test]
async fn a_schema_and_tools_in_text_mode_take_two_turns() {
    for (provider, _) in text_rows().filter(|(_, streamed)| *streamed) {
        let script = ["It is sunny.", "{\"weather\": \"sunny\"}"];
        let script = script.map(|said| provider.says(true, said));
        let server = ScriptedServer::start(script).await;
        let model = in_mode(provider, &server, MODEL, ToolMode::Text);
        let options = CallOptions {
            response_schema: Some(Arc::new(json!({"type": "object"}))),
            ..CallOptions::default()
        };
        let reply = model
            .invoke(&[Message::human("?")], &options)
            .await
            .unwrap();
        assert_eq!(reply.content.text(), "{\"weather\": \"sunny\"}");
        let constrained: Vec<_> = server
            .requests()
            .iter()
            .map(|request| {
                let body = &request.body;
                body.get("format").or(body.get("response_format")).is_some()
            })
            .collect();
        assert_eq!(constrained, [false, true]);
    }
}

#[tokio::test]
async fn a_demand_in_text_mode_is_checked() {
    for (provider, _) in text_rows().filter(|(_, streamed)| *streamed) {
        let spelled = "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}";
        let script = ["No.", spelled].map(|said| provider.says(true, said));
        let server = ScriptedServer::start(script).await;
        let model = in_mode(provider, &server, MODEL, ToolMode::Text);
        let options = CallOptions {
            tool_choice: ToolChoice::Tool("get_weather".to_owned()),
            ..CallOptions::default()
        };
        let reply = model
            .invoke(&[Message::human("?")], &options)
            .await
            .unwrap();
        assert_eq!(calls(&reply)[0].2, json!({"city": "Oslo"}));
        let first = &(provider.messages)(&server.requests()[0].body)[0].text;
        assert!(first.contains("must call this tool"), "{first}");
        assert!(!first.contains("SearchDatabase"), "{first}");
    }
}
