//! The answer to `describe`: a program that handles commands, and one that recognizes intents.

use serde_json::{Value, json};

use crate::wyoming::protocol::Event;

const NAME: &str = "haft";
const URL: &str = env!("CARGO_PKG_REPOSITORY");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The `info` of a server whose answers come from `model`.
pub(super) fn info(model: &str, has_tools: bool) -> Event {
    let handles = "Answers what is said, and does it with the tools of the house";
    let recognizes = "Finds the tool that a command asks for, without running it";
    let mut handle = artifact(NAME, handles);
    add(
        &mut handle,
        "models",
        json!([with_languages(model, "Answers")]),
    );
    add(&mut handle, "supports_handled_streaming", json!(true));
    add(&mut handle, "supports_home_control", json!(has_tools));
    let mut intent = artifact(NAME, recognizes);
    let engine = with_languages("builtin", "The local command engine");
    add(&mut intent, "models", json!([engine]));
    ["asr", "tts", "wake", "mic", "snd"]
        .into_iter()
        .fold(Event::new("info"), |info, none| info.with(none, json!([])))
        .with("handle", json!([handle]))
        .with("intent", json!([intent]))
}

/// No language is named, because the model's languages are unknown; Home Assistant then assumes
/// all.
fn with_languages(name: &str, description: &str) -> Value {
    let mut model = artifact(name, description);
    add(&mut model, "languages", json!([]));
    model
}

fn artifact(name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "description": description,
        "attribution": { "name": NAME, "url": URL },
        "installed": true,
        "version": VERSION,
    })
}

fn add(artifact: &mut Value, field: &str, value: Value) {
    if let Value::Object(artifact) = artifact {
        artifact.insert(field.to_owned(), value);
    }
}
