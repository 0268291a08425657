//! Renders a conversation with the chat template of a model file, as model servers do.
//!
//! Templates are Jinja programs in the dialect of Hugging Face's `apply_chat_template`
//! (huggingface/transformers: `docs/source/en/chat_templating_writing.md`): Python's methods of
//! texts and lists, `raise_exception`, `strftime_now` and a `tojson` that escapes nothing for HTML.
//! A template comes with the file and is somebody else's, so its steps are limited.

use std::sync::Arc;

use haft_core::{ModelError, ModelErrorKind};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Serde};
use minijinja::{Environment, Error, ErrorKind, Value as Variable};
use serde::{Serialize, Serializer};
use serde_json::ser::PrettyFormatter;
use serde_json::{Map, Value, json};
use tracing::warn;

use super::gguf::Head;
use crate::text_mode::json_line;

/// How many steps a template may take; a long conversation with many tools needs some ten thousand.
const FUEL: u64 = 2_000_000;

/// The name under which the template is compiled.
const NAME: &str = "chat";

/// The template of files without one: ChatML, which most of their models know.
const CHAT_ML: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n\
    {{ message.content }}<|im_end|>\n{% endfor %}{{ '<|im_start|>assistant\n' }}";

/// A name of a tool and a text that no template has of its own.
const PROBE: &str = "haft_probe_7c1";

/// A chat template, compiled.
#[derive(Clone, Debug)]
pub(super) struct ChatTemplate {
    environment: Arc<Environment<'static>>,
    bos: String,
    eos: String,
    /// Whether tools that are handed to the template reach the model.
    pub(super) has_tools: bool,
    /// Whether a system message reaches the model.
    has_system: bool,
}

/// What one request renders.
#[derive(Clone, Debug, Default)]
pub(super) struct Prompt<'a> {
    pub(super) messages: Vec<Value>,
    pub(super) tools: Option<Value>,
    /// Whether a reasoning model thinks first; `None` leaves it to the template.
    pub(super) thinking: Option<bool>,
    /// Further variables of the template (`chat_template_kwargs`).
    pub(super) variables: Option<&'a Map<String, Value>>,
}

impl ChatTemplate {
    /// Compiles the template of a model file, or ChatML if it has none that can be used.
    pub(super) fn new(model: &str, head: &Head) -> Self {
        let own = head.template.as_deref().and_then(|source| {
            compiled(source)
                .inspect_err(|error| warn!(model, %error, "the chat template cannot be used"))
                .ok()
        });
        let mut template = Self {
            // ChatML above is correct: a test compiles it.
            environment: Arc::new(own.or_else(|| compiled(CHAT_ML).ok()).unwrap_or_default()),
            bos: head.bos.clone().unwrap_or_default(),
            eos: head.eos.clone().unwrap_or_default(),
            has_tools: false,
            has_system: true,
        };
        template.has_tools = template.shows(Prompt {
            messages: vec![spoken("user", "?")],
            tools: Some(probe()),
            ..Prompt::default()
        });
        template.has_system = template.shows(Prompt {
            messages: vec![spoken("system", PROBE), spoken("user", "?")],
            ..Prompt::default()
        });
        template
    }

    /// Whether the probe in the prompt reaches the text.
    fn shows(&self, prompt: Prompt<'_>) -> bool {
        self.render(prompt).is_ok_and(|text| text.contains(PROBE))
    }

    /// The text that begins the model's vocabulary's texts, which templates may write themselves.
    pub(super) fn bos(&self) -> &str {
        &self.bos
    }

    /// Renders a conversation up to where the reply begins.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Unsupported`] if the template refuses the conversation.
    pub(super) fn render(&self, prompt: Prompt<'_>) -> Result<String, ModelError> {
        let mut variables = prompt.variables.cloned().unwrap_or_default();
        let mut messages = prompt.messages;
        if !self.has_system {
            into_first_question(&mut messages);
        }
        variables.insert("messages".to_owned(), messages.into());
        if let Some(tools) = prompt.tools {
            variables.insert("tools".to_owned(), tools);
        }
        if let Some(thinking) = prompt.thinking {
            variables.insert("enable_thinking".to_owned(), thinking.into());
        }
        variables.insert("add_generation_prompt".to_owned(), true.into());
        variables.insert("bos_token".to_owned(), self.bos.clone().into());
        variables.insert("eos_token".to_owned(), self.eos.clone().into());
        let variables = Value::Object(variables);
        let template = self.environment.get_template(NAME);
        template
            .and_then(|template| template.render(Variable::from(Serde(Plain(&variables)))))
            .map_err(|error| refused(&error))
    }
}

fn refused(error: &Error) -> ModelError {
    ModelError::new(
        ModelErrorKind::Unsupported,
        "The model's chat template refuses this conversation",
    )
    .with_hint("start a new conversation, or use another model")
    .with_detail(error.to_string())
}

/// A template with what it may use.
fn compiled(source: &str) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()?;
    environment.set_syntax(syntax);
    environment.set_fuel(Some(FUEL));
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_filter("tojson", to_json);
    environment.add_function("raise_exception", |reason: String| {
        Err::<Variable, _>(Error::new(ErrorKind::InvalidOperation, reason))
    });
    environment.add_function("strftime_now", |format: String| {
        let now = jiff::Zoned::now();
        jiff::fmt::strtime::format(format, &now)
            .map_err(|error| Error::new(ErrorKind::InvalidOperation, error.to_string()))
    });
    environment.add_template_owned(NAME, without_training_marks(source))?;
    Ok(environment)
}

/// The template without the tags that mark replies for training, which only Hugging Face knows.
fn without_training_marks(source: &str) -> String {
    let mut source = source.to_owned();
    for opener in ["{% ", "{%- "] {
        source = source
            .replace(
                &format!("{opener}generation "),
                &format!("{opener}if true "),
            )
            .replace(
                &format!("{opener}endgeneration "),
                &format!("{opener}endif "),
            );
    }
    source
}

/// JSON as Python writes it, which models were trained on. Other arguments than `indent`, such as
/// `ensure_ascii`, change nothing here.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the template engine gives its arguments away"
)]
fn to_json(value: &Variable, arguments: Kwargs) -> Result<String, Error> {
    let wrong =
        |error: serde_json::Error| Error::new(ErrorKind::InvalidOperation, error.to_string());
    let value = serde_json::to_value(value).map_err(wrong)?;
    let Some(indent) = arguments.get::<Option<usize>>("indent")? else {
        return Ok(json_line(&value));
    };
    let indent = " ".repeat(indent.min(16));
    let mut text = Vec::new();
    let format = PrettyFormatter::with_indent(indent.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, format);
    value.serialize(&mut serializer).map_err(wrong)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Puts a system message into the first message of the user, for templates without system messages.
fn into_first_question(messages: &mut Vec<Value>) {
    let role = |message: &Value| {
        message
            .get("role")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let content = |message: &Value| {
        let content = message.get("content").and_then(Value::as_str);
        content.unwrap_or_default().to_owned()
    };
    if messages.first().and_then(role).as_deref() != Some("system") {
        return;
    }
    let system = content(&messages.remove(0));
    let mut others = messages.iter_mut();
    match others.find(|message| role(message).as_deref() == Some("user")) {
        Some(question) => {
            let text = format!("{system}\n\n{}", content(question));
            *question = spoken("user", &text);
        }
        None => messages.insert(0, spoken("user", &system)),
    }
}

/// A message with text alone.
pub(super) fn spoken(role: &str, content: &str) -> Value {
    json!({"role": role, "content": content})
}

/// A tool that no template knows.
fn probe() -> Value {
    json!([{"type": "function", "function": {
        "name": PROBE,
        "description": "A tool",
        "parameters": {
            "type": "object",
            "properties": {"place": {"type": "string", "description": "Where"}},
            "required": ["place"],
        },
    }}])
}

/// A JSON value for the template engine: `serde_json` keeps numbers as texts of any length, which
/// would reach the template as maps.
struct Plain<'a>(&'a Value);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
                (Some(whole), ..) => serializer.serialize_i64(whole),
                (_, Some(whole), _) => serializer.serialize_u64(whole),
                (.., Some(broken)) => serializer.serialize_f64(broken),
                _ => serializer.serialize_str(&number.to_string()),
            },
            Value::Array(items) => serializer.collect_seq(items.iter().map(Plain)),
            Value::Object(members) => {
                let members = members.iter();
                serializer.collect_map(members.map(|(name, value)| (name, Plain(value))))
            }
            other => other.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests;
