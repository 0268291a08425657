//! Implements a chat model of your own and gives it to an agent with a tool.
//!
//! `cargo run -p haft --example write_a_chat_model`

#![allow(clippy::print_stdout, reason = "programs may print")]

use std::sync::Arc;

use haft::{
    Agent, AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError,
    StreamExt, Tool, ToolCall,
};
use serde_json::json;

/// Asks for the time once, then repeats what the tool said.
#[derive(Clone, Debug)]
struct Parrot;

impl ChatModel for Parrot {
    fn id(&self) -> &str {
        "parrot"
    }

    fn bind_tools(&self, _: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(self.clone()))
    }

    fn stream(&self, messages: &[Message], _: &CallOptions) -> ChatStream {
        let reply = match messages.last() {
            Some(Message::Tool(result)) => AiMessage::new(result.content.clone()),
            _ => {
                let args = json!({"timezone": "Pacific/Auckland"});
                let call = ToolCall::new("get_current_datetime", args, "call_1");
                AiMessage::new("").with_tool_calls([call])
            }
        };
        futures_util::stream::iter([Ok(ChatChunk::Done(reply))]).boxed()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::builder()
        .model(Arc::new(Parrot))
        .tool(haft::tools::get_current_datetime())
        .build()
        .await?;
    println!("{}", agent.ask("What time is it?").await?.text);
    Ok(())
}
