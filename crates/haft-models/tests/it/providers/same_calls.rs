//! One form of a tool call for every provider: the type, the types of its arguments, and one
//! reader for calls that are written into text.

use std::sync::Arc;

use haft_core::{AiMessage, CallOptions, Message, Tool, ToolCall};
use haft_extract::{ExtractOptions, ToolSet, extract};
use haft_testing::{Reply, ScriptedServer, SpyTool};
use serde_json::{Value, json};

use super::{PROVIDERS, Provider, Said, rows};

const NAMES: [&str; 2] = ["SearchDatabase", "GetWeather"];

/// Tools that take any arguments, so that no schema changes what a reply says.
fn tools() -> Vec<Arc<dyn Tool>> {
    NAMES
        .map(|name| {
            let tool = SpyTool::new(name, |_| Ok("ok".into()));
            Arc::new(tool.with_schema(json!({"type": "object"}))) as Arc<dyn Tool>
        })
        .into()
}

/// The reply of a model of `provider` whose server sends `reply`.
async fn answer(provider: &Provider, streamed: bool, reply: Reply) -> AiMessage {
    let server = ScriptedServer::start([reply]).await;
    let model = provider.at(&server, streamed).bind_tools(&tools()).unwrap();
    let question = [Message::human("?")];
    let reply = model.invoke(&question, &CallOptions::default()).await;
    reply.unwrap()
}

/// A reply of the OpenAI API with these `tool_calls`.
fn openai_reply(tool_calls: &Value) -> Reply {
    let message = json!({"role": "assistant", "content": null, "tool_calls": tool_calls});
    Reply::json(json!({"choices": [
        {"index": 0, "message": message, "finish_reason": "tool_calls"}]}))
}

fn openai() -> &'static Provider {
    PROVIDERS.iter().find(|row| row.name == "openai").unwrap()
}

/// One value of each type, and objects in lists in objects.
fn every_type() -> Value {
    json!({
        "text": "Åland, \"quoted\"",
        "whole": 10,
        "fraction": 2.75,
        "negative": -2,
        "yes": true,
        "no": false,
        "nested": {"list": [1, "two", {"three": 3}], "empty": {}},
    })
}

#[tokio::test]
async fn s004_01_every_provider_gives_calls_of_one_type() {
    let args = json!({"query": "python", "limit": 10});
    for (provider, streamed) in rows() {
        let said = Said {
            text: "",
            calls: vec![("call_1", "SearchDatabase", args.clone())],
        };
        let reply = answer(provider, streamed, (provider.reply)(streamed, &said)).await;
        let call = ToolCall::new("SearchDatabase", args.clone(), "call_1");
        assert_eq!(reply.tool_calls, [call]);
    }
    for (provider, streamed) in rows().filter(|(provider, _)| provider.name != "anthropic") {
        let said = provider.says(streamed, "SearchDatabase(query=\"python\", limit=10)");
        let reply = answer(provider, streamed, said).await;
        let call = ToolCall::new("SearchDatabase", args.clone(), "SearchDatabase_0");
        assert_eq!(reply.tool_calls, [call]);
    }
}

#[tokio::test]
async fn s004_02_arguments_keep_strings_numbers_booleans_and_nested_objects() {
    for (provider, streamed) in rows() {
        let said = Said {
            text: "",
            calls: vec![("call_1", "SearchDatabase", every_type())],
        };
        let reply = answer(provider, streamed, (provider.reply)(streamed, &said)).await;
        let args = Value::Object(reply.tool_calls[0].args.clone());
        assert_eq!(args, every_type());
    }
    let named = "text=\"Åland, \\\"quoted\\\"\", whole=10, fraction=2.75, negative=-2, yes=true, \
                 no=false, nested={\"list\": [1, \"two\", {\"three\": 3}], \"empty\": {}}";
    for (provider, streamed) in rows().filter(|(provider, _)| provider.name != "anthropic") {
        for arguments in [named.to_owned(), every_type().to_string()] {
            let said = provider.says(streamed, &format!("SearchDatabase({arguments})"));
            let reply = answer(provider, streamed, said).await;
            assert_eq!(reply.tool_calls.len(), 1, "{arguments}: {reply:?}");
            let args = Value::Object(reply.tool_calls[0].args.clone());
            assert_eq!(args, every_type(), "{arguments}");
        }
    }
}

#[tokio::test]
async fn s004_09_native_calls_of_openai_are_read_with_id_name_and_json_arguments() {
    let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let query = "{\"query\": \"python libraries\", \"limit\": 10}";
    let city = "{\"city\": \"New York\", \"units\": \"celsius\"}";
    let reply = openai_reply(&json!([
        call("call_9b88", "SearchDatabase", query),
        call("call_ac16", "GetWeather", city),
        call("call_b52c", "GetWeather", ""),
    ]));
    let reply = answer(openai(), false, reply).await;
    let query = json!({"query": "python libraries", "limit": 10});
    let city = json!({"city": "New York", "units": "celsius"});
    let expected = [
        ToolCall::new("SearchDatabase", query, "call_9b88"),
        ToolCall::new("GetWeather", city, "call_ac16"),
        ToolCall::new("GetWeather", json!({}), "call_b52c"),
    ];
    assert_eq!(reply.tool_calls, expected);
    assert_eq!(reply.invalid_tool_calls, []);
}

#[tokio::test]
async fn s004_18_all_providers_read_text_with_the_one_extractor() {
    let set = ToolSet::new(&tools());
    for said in [
        "Let me look.\nSearchDatabase(query=\"a\")\nGetWeather({city: \"Oslo\"})\nOne moment.",
        "<tool_call>\n{\"name\": \"GetWeather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>",
        "SearchDatabase(python, 10)",
        "I could use GetWeather(city=\"Oslo\") for that.",
        "SearchDatabase(query=\"a",
    ] {
        let expected = extract(&set, ExtractOptions::default(), said);
        for (provider, streamed) in rows().filter(|(provider, _)| provider.name != "anthropic") {
            let reply = answer(provider, streamed, provider.says(streamed, said)).await;
            assert_eq!(reply.tool_calls, expected.calls, "{said}");
            assert_eq!(reply.invalid_tool_calls, expected.invalid, "{said}");
            assert_eq!(reply.content.text(), expected.content, "{said}");
        }
    }
}
