//! What is read: made-up replies with one to three calls each, the same in every format and in
//! every run. How the calls are written is in [`write`], of what the texts are made in [`words`].

mod words;
mod write;

use fastrand::Rng;
use serde_json::{Map, Value, json};

pub use words::{chinese, markdown, plain};
pub use write::arguments;

/// Replies per format.
const REPLIES: usize = 1000;
/// Any number does; another gives other replies of the same kind.
const SEED: u64 = 20_261_122;

/// A tool that the replies call.
pub struct Tool {
    pub name: &'static str,
    /// JSON Schema.
    pub parameters: Value,
}

/// A call as it should be found.
pub struct Call {
    pub name: &'static str,
    pub arguments: Map<String, Value>,
    /// JSON formats write characters beyond ASCII as `\u` escapes.
    pub ascii: bool,
}

/// A reply and the calls in it.
pub struct Reply {
    pub text: String,
    pub calls: Vec<Call>,
}

/// A way to write calls.
pub struct Format {
    /// As haft names it.
    pub name: &'static str,
    /// Text may stand before the calls.
    pub has_text: bool,
    write: fn(&[Call]) -> String,
}

/// All formats that are measured.
pub static FORMATS: &[Format] = &[
    format("hermes", true, write::hermes),
    format("qwen3_coder", true, write::qwen3_coder),
    format("glm47", true, write::glm47),
    format("deepseek_v31", true, write::deepseek_v31),
    format("deepseek_v4", true, write::deepseek_v4),
    format("kimi_k2", true, write::kimi_k2),
    format("mistral", true, write::mistral),
    format("llama3_json", false, write::llama3_json),
    format("pythonic", false, write::pythonic),
    format("gemma4", true, write::gemma4),
];

const fn format(name: &'static str, has_text: bool, write: fn(&[Call]) -> String) -> Format {
    Format {
        name,
        has_text,
        write,
    }
}

impl Format {
    /// The corpus in this format.
    pub fn replies(&self) -> Vec<Reply> {
        let mut random = Rng::with_seed(SEED);
        (0..REPLIES).map(|_| self.reply(&mut random)).collect()
    }

    fn reply(&self, random: &mut Rng) -> Reply {
        let text = words::introduction(random);
        let mut calls: Vec<Call> = Vec::new();
        for _ in 0..random.usize(1..=3) {
            let call = call(random);
            // Some parsers take a call that is repeated for one.
            if calls.iter().all(|other| other.arguments != call.arguments) {
                calls.push(call);
            }
        }
        self.written(&text, calls)
    }

    /// A reply with one call that has one string of about `bytes` bytes.
    pub fn long_reply(&self, bytes: usize) -> Reply {
        let mut arguments = Map::new();
        let content = words::markdown(bytes).trim().to_owned();
        arguments.insert("content".to_owned(), content.into());
        let call = Call {
            name: "write_note",
            arguments,
            ascii: false,
        };
        self.written("I will write it down.", vec![call])
    }

    fn written(&self, text: &str, calls: Vec<Call>) -> Reply {
        let written = (self.write)(&calls);
        let text = if self.has_text {
            format!("{text}\n{written}")
        } else {
            written
        };
        Reply { text, calls }
    }
}

/// Cuts a text into chunks of four bytes, or three where a character would be cut, as most of
/// the parsers take only whole characters.
pub fn chunks(text: &str) -> Vec<&str> {
    let mut chunks = Vec::with_capacity(text.len() / 4 + 1);
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(4));
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

/// The tools, which every parser is given.
pub fn tools() -> Vec<Tool> {
    let string = || json!({"type": "string"});
    let strings = || json!({"type": "array", "items": {"type": "string"}});
    vec![
        tool(
            "get_weather",
            json!({"city": string(), "days": {"type": "integer"}, "detailed": {"type": "boolean"},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}}),
        ),
        tool(
            "send_message",
            json!({"to": string(), "body": string(), "urgent": {"type": "boolean"}}),
        ),
        tool(
            "search_files",
            json!({"query": string(), "path": string(), "limit": {"type": "integer"},
                "extensions": strings()}),
        ),
        tool(
            "set_light",
            json!({"entity": string(), "brightness": {"type": "integer"},
                "color": {"type": "array", "items": {"type": "integer"}},
                "transition": {"type": "number"}}),
        ),
        tool(
            "create_event",
            json!({"title": string(), "start": string(), "attendees": strings(),
                "options": {"type": "object", "properties": {
                    "remind": {"type": "boolean"}, "room": string(), "minutes": {"type": "integer"}}}}),
        ),
        tool(
            "run_code",
            json!({"language": string(), "source": string()}),
        ),
        tool("write_note", json!({"content": string()})),
    ]
}

fn tool(name: &'static str, properties: Value) -> Tool {
    Tool {
        name,
        parameters: json!({"type": "object", "properties": properties}),
    }
}

fn call(random: &mut Rng) -> Call {
    let (name, arguments) = match random.u8(0..6) {
        0 => (
            "get_weather",
            json!({"city": pick(random, words::CITIES), "days": random.u8(1..=14),
                "unit": pick(random, &["celsius", "fahrenheit"]), "detailed": random.bool()}),
        ),
        1 => (
            "send_message",
            json!({"to": pick(random, words::PEOPLE), "body": pick(random, words::MESSAGES),
                "urgent": random.bool()}),
        ),
        2 => (
            "search_files",
            json!({"query": pick(random, words::QUERIES), "path": pick(random, words::PATHS),
                "limit": random.u8(5..100), "extensions": [pick(random, &["rs", "toml"]), "md"]}),
        ),
        3 => (
            "set_light",
            json!({"entity": pick(random, words::LIGHTS), "brightness": random.u8(1..=100),
                "color": [random.u8(..), random.u8(..), random.u8(..)], "transition": 1.5}),
        ),
        4 => (
            "create_event",
            json!({"title": pick(random, words::TITLES), "start": "2026-11-24T09:30:00+01:00",
                "attendees": [pick(random, words::PEOPLE), pick(random, words::PEOPLE)],
                "options": {"remind": random.bool(), "room": pick(random, words::ROOMS),
                    "minutes": 45}}),
        ),
        _ => (
            "run_code",
            json!({"language": "python", "source": pick(random, words::SOURCES)}),
        ),
    };
    let arguments = match arguments {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    Call {
        name,
        arguments,
        ascii: random.u8(0..10) == 0,
    }
}

fn pick(random: &mut Rng, from: &[&'static str]) -> &'static str {
    random.choice(from.iter().copied()).unwrap_or_default()
}
