//! What is known about the format of a model's replies, from the chat template that its server
//! reports and from earlier replies.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use haft_extract::ExtractOptions;
use tracing::debug;

/// Hints for reading replies. The template is learned once; earlier replies may show that the hint
/// is wrong or that printed calls are unreliable.
#[derive(Debug, Default)]
pub(crate) struct TemplateHint {
    options: OnceLock<ExtractOptions>,
    /// Whether the hint is wrong: the server separates reasoning itself, or the model does not
    /// reason.
    doubted: AtomicBool,
    /// Whether the end of an earlier reply retracted a printed call.
    retracts: AtomicBool,
}

impl TemplateHint {
    /// Learns the format from the chat template.
    pub(crate) fn learn(&self, model: &str, template: &str) {
        let options = ExtractOptions::from_chat_template(template);
        let (format, starts_thinking) = (options.format, options.starts_thinking);
        debug!(model, %format, starts_thinking, "format detected from the chat template");
        // `set` fails if a template was learned before; the first one stays.
        let _ = self.options.set(options);
    }

    /// The options for extracting calls, if a template was learned.
    pub(crate) fn options(&self) -> Option<ExtractOptions> {
        let mut options = *self.options.get()?;
        options.starts_thinking &= !self.doubted.load(Ordering::Relaxed);
        Some(options)
    }

    /// Records that replies do not start inside reasoning.
    pub(crate) fn doubt(&self) {
        self.doubted.store(true, Ordering::Relaxed);
    }

    /// Records that printed calls must wait for the end of the reply: the model closes reasoning
    /// that it never opened, or its server sends native calls later.
    pub(crate) fn learn_to_wait(&self, model_does: &str) {
        if !self.retracts.swap(true, Ordering::Relaxed) {
            debug!(
                model_does,
                "printed calls now wait for the end of the reply"
            );
        }
    }

    /// Whether printed calls wait for the end of the reply.
    pub(crate) fn is_to_wait(&self) -> bool {
        self.retracts.load(Ordering::Relaxed)
    }
}
