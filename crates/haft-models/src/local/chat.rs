//! The chat model of a file: what a conversation becomes for its engine, and how the reply is read.
//!
//! The file's chat template renders the conversation, with the tools if it knows any; otherwise, or
//! if it refuses the conversation, the tools are taught as text (`text_mode.rs`). Replies go through
//! the same `ReplyBuilder` as those of a server, and demanded calls and response schemas are the
//! same requests with a JSON Schema (`tool_choice.rs`), which the engine's sampler follows.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use haft_core::{
    CallOptions, ChatChunk, ChatModel, ChatStream, Emitter, Message, ModelError, ModelErrorKind,
    ThinkingEffort, Tool, generate,
};
use serde_json::{Map, Value, json};
use tracing::{debug, warn};

use super::engine::{Engine, Piece, Request, Sampling, ended};
use super::file::ModelFile;
use super::template::{ChatTemplate, Prompt};
use crate::bound::BoundTools;
use crate::max_tokens::max_tokens_factor;
use crate::offered::offered;
use crate::ollama::encode::encode_messages;
use crate::ollama::wire::ChatMessage;
use crate::ollama::{QwenTool, fitting_tools};
use crate::reply::{Reading, ReplyBuilder};
use crate::schema_after_tools::schema_after_tools;
use crate::settings::ModelSettings;
use crate::text_mode::{Teaching, written};
use crate::tool_choice::enforced;
use crate::tool_mode::{ToolMode, ToolProtocol, ToolRoute};

/// Why a model gets no native tools.
const NO_TOOLS: &str = "the chat template of its file has none";

/// The tag with which models begin to reason.
const THINK: &str = "<think>";

/// A model in a file of this machine. Clones share its engine.
#[derive(Clone, Debug)]
pub(super) struct ChatLocal {
    shared: Arc<Shared>,
    route: ToolRoute,
    bound: Arc<Bound>,
}

/// What does not change.
#[derive(Debug)]
struct Shared {
    id: String,
    /// The file's name, which tells the model's family.
    name: String,
    file: ModelFile,
    template: ChatTemplate,
    engine: Engine,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    /// Whether the model may reason before it answers.
    reasons: bool,
    /// The mode that was set: a file's calls are always in its text.
    mode: ToolMode,
}

/// The bound tools, as templates want them.
#[derive(Debug, Default)]
struct Bound {
    tools: BoundTools,
    wire: Vec<QwenTool>,
}

/// A conversation as the model reads it.
struct Rendered {
    /// How the tools are in the prompt.
    protocol: ToolProtocol,
    prompt: String,
}

impl ChatLocal {
    /// Opens a file without loading it.
    ///
    /// # Errors
    ///
    /// Those of [`ModelFile::open`] and [`Engine::start`].
    pub(super) fn open(path: &Path, settings: &ModelSettings) -> Result<Self, ModelError> {
        let id = format!("local:{}", path.display());
        let file = ModelFile::open(path, settings.context)?;
        let name = file.path.file_stem().unwrap_or_default();
        let template = ChatTemplate::new(&id, &file.head);
        let mode = match settings.tool_mode {
            ToolMode::Native => ToolMode::Auto,
            mode => mode,
        };
        let route = ToolRoute::new(mode, settings.format, settings.bare_calls);
        if !template.has_tools && settings.tool_mode == ToolMode::Auto {
            route.learn_text(&id, NO_TOOLS);
        }
        let source = file.head.template.as_deref().unwrap_or_default();
        route.hint.learn(&id, source);
        let shared = Shared {
            name: name.to_string_lossy().into_owned(),
            reasons: source.contains(THINK),
            engine: Engine::start(file.clone())?,
            temperature: settings.temperature,
            max_tokens: settings.max_tokens,
            mode: settings.tool_mode,
            template,
            file,
            id,
        };
        Ok(Self {
            shared: Arc::new(shared),
            route,
            bound: Arc::default(),
        })
    }

    /// Asks once, without checking the tool choice.
    fn ask(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let (this, messages, options) = (self.clone(), messages.to_vec(), options.clone());
        generate(|emitter| async move { this.exchange(&messages, &options, &emitter).await })
    }

    async fn exchange(
        &self,
        messages: &[Message],
        options: &CallOptions,
        emitter: &Emitter<ChatChunk>,
    ) -> Result<(), ModelError> {
        let start = Instant::now();
        let Rendered { protocol, prompt } = self.rendered(messages, options)?;
        let reading = self.reading(protocol, options);
        let reading = reading.of_conversation(&self.bound.tools, messages, options);
        let request = self.request(prompt, &reading, options);
        let mut builder = ReplyBuilder::new(reading);
        let mut pieces = self.shared.engine.ask(request)?;
        // A question without tools needs no such notice.
        let offers_tools = !offered(&self.bound.tools.tools, &options.tool_choice).is_empty();
        if let Some(notice) = offers_tools.then(|| self.route.notice()).flatten() {
            emitter.emit(notice).await;
        }
        loop {
            match pieces.recv().await {
                Some(Piece::Text(text)) => builder.text(&text),
                Some(Piece::End { usage, reason }) => {
                    debug!(model = self.shared.id, duration = ?start.elapsed(), ?usage, "model reply");
                    builder.usage(usage);
                    builder.stop(reason);
                    break;
                }
                Some(Piece::Failed(error)) => return Err(error),
                None => return Err(ended()),
            }
            for chunk in builder.take_chunks() {
                emitter.emit(chunk).await;
            }
        }
        for chunk in builder.finish() {
            emitter.emit(chunk).await;
        }
        Ok(())
    }

    /// The conversation as the model reads it.
    fn rendered(
        &self,
        messages: &[Message],
        options: &CallOptions,
    ) -> Result<Rendered, ModelError> {
        let mut images = messages
            .iter()
            .flat_map(|message| message.content().images());
        if images.next().is_some() {
            let message = "Models in local files cannot see pictures";
            return Err(ModelError::new(ModelErrorKind::Unsupported, message)
                .with_hint("serve the model with its projector by Ollama or llama-server"));
        }
        let protocol = self.route.protocol();
        if protocol == ToolProtocol::Text {
            return self.as_text(messages, options);
        }
        match self.natively(messages, options) {
            Ok(prompt) => Ok(Rendered { protocol, prompt }),
            // Some templates refuse several calls in one message, or results after each other.
            Err(error) if self.shared.mode == ToolMode::Auto && !self.bound.wire.is_empty() => {
                warn!(
                    model = self.shared.id,
                    detail = error.detail(),
                    "tools as text: {error}"
                );
                self.as_text(messages, options)
            }
            Err(error) => Err(error),
        }
    }

    fn natively(&self, messages: &[Message], options: &CallOptions) -> Result<String, ModelError> {
        let template = &self.shared.template;
        let positions = offered(&self.bound.tools.tools, &options.tool_choice);
        let tools = positions
            .into_iter()
            .filter_map(|place| self.bound.wire.get(place));
        let tools: Vec<Value> = tools.map(|tool| json!(tool)).collect();
        if !tools.is_empty() && !template.has_tools {
            let message = format!("{} cannot call tools natively: {NO_TOOLS}", self.shared.id);
            return Err(ModelError::new(ModelErrorKind::ToolsUnsupported, message)
                .with_hint("use the tool mode `auto` or `text`"));
        }
        template.render(Prompt {
            messages: encode_messages(messages).into_iter().map(spelled).collect(),
            tools: (!tools.is_empty()).then_some(Value::Array(tools)),
            thinking: self.thinking(options),
            variables: variables(options),
        })
    }

    /// Renders the conversation with the tools taught in the system message.
    fn as_text(&self, messages: &[Message], options: &CallOptions) -> Result<Rendered, ModelError> {
        let teaching = Teaching::of(self.route.format, &self.shared.name);
        let messages = written(messages, &self.bound.tools, options, teaching);
        let prompt = self.shared.template.render(Prompt {
            messages: encode_messages(&messages)
                .into_iter()
                .map(spelled)
                .collect(),
            tools: None,
            thinking: self.thinking(options),
            variables: variables(options),
        })?;
        Ok(Rendered {
            protocol: ToolProtocol::Text,
            prompt,
        })
    }

    /// Whether the model reasons first. A reply that follows a schema has no room for it.
    fn thinking(&self, options: &CallOptions) -> Option<bool> {
        if options.without_thinking || options.response_schema.is_some() {
            return Some(false);
        }
        let effort = options.generation.thinking?;
        Some(effort != ThinkingEffort::Off)
    }

    /// How the reply is read. Reasoning is taken out of the text even where no tool is bound.
    fn reading(&self, protocol: ToolProtocol, options: &CallOptions) -> Reading {
        let mut reading = self.route.reading(protocol, &self.bound.tools, options);
        let thinks = self.thinking(options) != Some(false);
        if let Some(extract) = &mut reading.text {
            extract.starts_thinking &= thinks;
        } else if self.shared.reasons && thinks {
            let hint = self.route.hint.options();
            reading.text = Some(hint.unwrap_or_default());
            reading.allows_calls = false;
        }
        reading
    }

    fn request(&self, prompt: String, reading: &Reading, options: &CallOptions) -> Request {
        let wished = &options.generation;
        let most = wished.max_tokens.or(self.shared.max_tokens);
        Request {
            prompt,
            bos: self.shared.template.bos().to_owned(),
            sampling: Sampling::of(wished, self.shared.temperature),
            schema: options.response_schema.clone(),
            stop: wished.stop.clone(),
            max_tokens: most.map(|most| most.saturating_mul(max_tokens_factor(options))),
            writes_special: reading.text.is_some(),
        }
    }
}

/// Further variables of the template that the caller sets.
fn variables(options: &CallOptions) -> Option<&Map<String, Value>> {
    let fields = &options.generation.openai_fields;
    fields.get("chat_template_kwargs")?.as_object()
}

/// A message as templates know it: a call has a type, and a result the name of its tool.
fn spelled(message: ChatMessage) -> Value {
    let mut spelled = Map::new();
    spelled.insert("role".to_owned(), message.role.into());
    spelled.insert("content".to_owned(), message.content.into());
    if let Some(thinking) = message.thinking {
        spelled.insert("reasoning_content".to_owned(), thinking.into());
    }
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter();
        let calls =
            calls.map(|call| json!({"type": "function", "id": call.id, "function": call.function}));
        spelled.insert("tool_calls".to_owned(), calls.collect());
    }
    if let Some(name) = message.tool_name {
        spelled.insert("name".to_owned(), name.into());
    }
    if let Some(id) = message.tool_call_id {
        spelled.insert("tool_call_id".to_owned(), id.into());
    }
    Value::Object(spelled)
}

#[async_trait::async_trait]
impl ChatModel for ChatLocal {
    fn id(&self) -> &str {
        &self.shared.id
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        // Calls are read from the text, where any name may stand.
        let bound = BoundTools {
            names: Arc::default(),
            ..BoundTools::new(tools)?
        };
        Ok(Arc::new(Self {
            bound: Arc::new(Bound {
                wire: fitting_tools(tools),
                tools: bound,
            }),
            ..self.clone()
        }))
    }

    fn context(&self) -> Option<u64> {
        Some(self.shared.file.context.into())
    }

    fn parameters(&self) -> Option<u64> {
        self.shared.file.head.parameters
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let this = self.clone();
        let tools = &self.bound.tools.tools;
        enforced(tools, messages, options, move |messages, options| {
            let asked = this.clone();
            // A schema leaves no room for calls.
            schema_after_tools(
                &this.bound.tools,
                messages,
                options,
                move |messages, options| asked.ask(messages, options),
            )
        })
    }
}
