//! A provider that haft does not know: a [`ChatModel`] written outside of it gets the same loop,
//! the same executor and the same reader of calls in text.

use std::sync::Arc;

use haft::extract::{ExtractOptions, ToolSet, extract};
use haft::types::{CallOptions, ChatStream};
use haft::{Agent, AiMessage, ChatChunk, ChatModel, Message, ModelError, StreamExt, Tool};
use haft_testing::SpyTool;
use serde_json::{Value, json};

/// Writes a call as text when it is asked, and repeats the result of the tool.
#[derive(Clone, Debug, Default)]
struct TextOnlyModel {
    tools: Vec<Arc<dyn Tool>>,
}

impl ChatModel for TextOnlyModel {
    fn id(&self) -> &str {
        "elsewhere:text-only"
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        let tools = tools.to_vec();
        Ok(Arc::new(Self { tools }))
    }

    fn stream(&self, messages: &[Message], _: &CallOptions) -> ChatStream {
        let text = match messages.last() {
            Some(Message::Tool(result)) => result.content.text(),
            _ => "Let me look.\nget_weather(city=\"Oslo\")".into(),
        };
        let tools = ToolSet::new(&self.tools);
        let found = extract(&tools, ExtractOptions::default(), &text);
        let reply = AiMessage::new(found.content).with_tool_calls(found.calls);
        futures_util::stream::iter([Ok(ChatChunk::Done(reply))]).boxed()
    }
}

#[tokio::test]
async fn s004_21_a_new_provider_needs_the_chat_model_trait_only() {
    let tool = Arc::new(SpyTool::new("get_weather", |_| Ok("21 degrees".into())));
    let agent = Agent::builder()
        .model(Arc::new(TextOnlyModel::default()))
        .tools([tool.clone() as Arc<dyn Tool>])
        .build()
        .await
        .unwrap();
    let answer = agent.ask("Do I need a coat?").await.unwrap();
    assert_eq!((answer.text.as_str(), answer.rounds), ("21 degrees", 2));
    let given = Value::Object(tool.seen()[0].input.clone());
    assert_eq!((tool.seen().len(), given), (1, json!({"city": "Oslo"})));
    let Message::Ai(asked) = &answer.messages[1] else {
        panic!("{:?}", answer.messages)
    };
    assert_eq!(asked.tool_calls[0].id, "get_weather_0");
    assert_eq!(asked.content.text(), "Let me look.");
}
