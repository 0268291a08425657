//! The size of a model, as its name states it.

/// In billions of parameters; a smaller number in a name is no size of a model.
const SMALLEST_MODEL: f64 = 0.01;

/// Models below this size get short prompts, in billions of parameters: in Home Assistant's voice
/// benchmark models from 4 billion on call tools about as well as larger ones.
const SMALL: f64 = 4.0;

/// The size that a model's name states, in billions of parameters.
///
/// ```
/// assert_eq!(haft_models::billions("ollama:smollm2:135m"), Some(0.135));
/// assert_eq!(haft_models::billions("ollama:llama3.2"), None);
/// ```
#[must_use]
pub fn billions(model: &str) -> Option<f64> {
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

/// True for a model whose name says that it has fewer than 4 billion parameters: it gets few
/// tools, short descriptions and short first replies.
///
/// ```
/// assert!(haft_models::is_small("openai:Qwen2.5-0.5B-Instruct"));
/// assert!(!haft_models::is_small("anthropic:claude-haiku-4-5"));
/// ```
#[must_use]
pub fn is_small(model: &str) -> bool {
    billions(model).is_some_and(|size| size < SMALL)
}

#[cfg(test)]
mod tests;
