//! What the engine says of itself.

use crate::catalog::Catalog;
use crate::intent::{Cause, Doubt};

/// What the engine is, and what it can do with these tools.
pub(crate) fn introduction(catalog: &Catalog) -> String {
    format!(
        "I am haft's local command engine, not a language model. {}",
        abilities(catalog)
    )
}

/// How to get more than the engine can do.
const CONNECT: &str = "connect a language model, for example with --model ollama:NAME, or with \
    --model anthropic:NAME and ANTHROPIC_API_KEY set";

/// What to say to all that is neither the time nor a device.
pub(crate) fn beyond(catalog: &Catalog) -> String {
    format!(
        "I am haft's local command engine, not a language model, so I cannot help with that. {} For more, {CONNECT}.",
        abilities(catalog)
    )
}

/// What stopped the commands, and how more than commands is understood.
pub(super) fn stopped(doubt: &Doubt) -> String {
    let sentence = doubt.sentence();
    if doubt.acts && doubt.cause != Cause::Unclear {
        return sentence;
    }
    format!("{sentence} I am only haft's local command engine: for more, {CONNECT}.")
}

fn abilities(catalog: &Catalog) -> String {
    match (catalog.has_clock(), catalog.has_devices()) {
        (true, true) => {
            "Here I can tell the time and the date, and control and check devices: try \
            \"Turn on the kitchen light and tell me the time in Tokyo\"."
                .to_owned()
        }
        (true, false) => {
            "Here I can tell the time and the date: try \"What time is it in Tokyo?\".".to_owned()
        }
        (false, true) => {
            "Here I can control and check devices: try \"Which lights are on?\".".to_owned()
        }
        (false, false) => {
            "No tool that I can use is bound here, so there is nothing I can do.".to_owned()
        }
    }
}
