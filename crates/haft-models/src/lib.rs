//! Chat models: Ollama, OpenAI-compatible servers, Anthropic, the embedded command engine
//! `builtin`, and recorded traffic, all behind [`haft_core::ChatModel`].

mod anthropic;
mod builtin;
mod choose;
mod http;
mod names;
mod ollama;
mod openai;
mod replay;
mod reply;
mod spec;
mod tool_choice;
mod wire_ids;

pub use anthropic::{AnthropicTool, ChatAnthropic, to_anthropic_tools};
pub use http::{Limits, Secret, Transport};
pub use ollama::{
    ChatOllama, QwenFunction, QwenTool, QwenToolType, to_qwen_tools, validate_qwen_tool,
};
pub use openai::ChatOpenAi;
pub use replay::{Recorder, open_replay};
