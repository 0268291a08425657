//! What is known about how a model's replies are written: by its chat template, as its server shows
//! it, and by earlier replies.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use haft_extract::ExtractOptions;
use tracing::debug;

/// A hint that is learned once, from the template, and doubted once it was wrong; and what replies
/// taught.
#[derive(Debug, Default)]
pub(crate) struct TemplateHint {
    options: OnceLock<ExtractOptions>,
    /// The server tells thoughts apart itself, or the model has none.
    doubted: AtomicBool,
    /// The end of a reply took back a call that it had printed.
    takes_back: AtomicBool,
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

    /// A printed call does not count yet when it is complete: the model closes thoughts that it
    /// never opened, or its server tells of other calls later.
    pub(crate) fn learn_to_wait(&self, model_does: &str) {
        if !self.takes_back.swap(true, Ordering::Relaxed) {
            debug!(model_does, "its printed calls wait from now on");
        }
    }

    /// Whether printed calls wait until they are sure to count.
    pub(crate) fn is_to_wait(&self) -> bool {
        self.takes_back.load(Ordering::Relaxed)
    }
}
