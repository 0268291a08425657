//! What the chat template of a model, as its server shows it, tells about the replies.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use haft_extract::ExtractOptions;
use tracing::debug;

/// A hint that is learned once, from the template, and doubted once it was wrong.
#[derive(Debug, Default)]
pub(crate) struct TemplateHint {
    options: OnceLock<ExtractOptions>,
    /// The server tells thoughts apart itself, or the model has none.
    doubted: AtomicBool,
}

impl TemplateHint {
    /// Takes in the template.
    pub(crate) fn learn(&self, model: &str, template: &str) {
        let options = ExtractOptions::from_chat_template(template);
        let (format, starts_thinking) = (options.format, options.starts_thinking);
        debug!(model, %format, starts_thinking, "by the chat template");
        // What was learned first stays.
        let _ = self.options.set(options);
    }

    /// What is known, if anything is.
    pub(crate) fn options(&self) -> Option<ExtractOptions> {
        let mut options = *self.options.get()?;
        options.starts_thinking &= !self.doubted.load(Ordering::Relaxed);
        Some(options)
    }

    /// The replies do not start inside thinking.
    pub(crate) fn doubt(&self) {
        self.doubted.store(true, Ordering::Relaxed);
    }
}
