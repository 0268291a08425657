//! The size of a model, as it or its name states it.

use haft_core::ChatModel;

/// In billions of parameters; a smaller number in a name is no size of a model.
const SMALLEST_MODEL: f64 = 0.01;

/// Models below this size get short prompts, in billions of parameters: in Home Assistant's voice
/// benchmark models from 4 billion on call tools about as well as larger ones.
const SMALL: f64 = 4.0;

/// The size of a model in billions of parameters, as far as it or its name tells.
///
/// ```
/// use haft_models::{ChatOllama, billions};
///
/// assert_eq!(billions(&ChatOllama::new("smollm2:135m")), Some(0.135));
/// assert_eq!(billions(&ChatOllama::new("llama3.2")), None);
/// ```
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 parameters")]
pub fn billions(model: &dyn ChatModel) -> Option<f64> {
    match model.parameters() {
        Some(parameters) => Some(parameters as f64 / 1e9),
        None => named_billions(model.id()),
    }
}

/// The size that a model's name states, in billions of parameters.
pub(crate) fn named_billions(model: &str) -> Option<f64> {
    let lower = model.to_lowercase();
    lower
        .split(|c: char| !c.is_alphanumeric() && c != '.')
        .find_map(|part| {
            let (number, unit) = part.split_at_checked(part.len().checked_sub(1)?)?;
            let scale = match unit {
                "b" => 1.0,
                "m" => 0.001,
                _ => return None,
            };
            let size = number.parse::<f64>().ok()? * scale;
            // `1m` is the length of a context.
            (size >= SMALLEST_MODEL).then_some(size)
        })
}

/// True for a model that is known to have fewer than 4 billion parameters: it gets few tools, short
/// descriptions and short first replies.
///
/// ```
/// use haft_models::{ChatOpenAi, is_small};
///
/// assert!(is_small(&ChatOpenAi::new("Qwen2.5-0.5B-Instruct")));
/// assert!(!is_small(&ChatOpenAi::new("gpt-4.1")));
/// ```
#[must_use]
pub fn is_small(model: &dyn ChatModel) -> bool {
    billions(model).is_some_and(|size| size < SMALL)
}

/// True for a model whose name states such a size.
pub(crate) fn is_named_small(model: &str) -> bool {
    named_billions(model).is_some_and(|size| size < SMALL)
}

#[cfg(test)]
mod tests;
