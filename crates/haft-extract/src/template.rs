//! Whether a reply to a chat template starts inside thinking. Which format it asks for is told by
//! the signs in [`formats`](crate::formats).
//!
//! A template is a program in Jinja (Hugging Face, llama.cpp) or Go (Ollama). It is not run:
//! [`prompt`] reads how its prompt ends.

mod prompt;

pub(crate) use prompt::starts_thinking;

/// More than this is no template, in bytes; the longest known ones have some 30 thousand.
pub(crate) const MAX_TEMPLATE: usize = 1024 * 1024;

#[cfg(test)]
mod tests;
