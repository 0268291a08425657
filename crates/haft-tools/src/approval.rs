//! Who may say no to a call: the one seam through which the executor asks, and which calls are
//! worth a question.
//!
//! The executor asks after the arguments were repaired and checked, so that what is approved is
//! what runs, and one call after the other, before any call of the batch runs.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use futures_util::future::{BoxFuture, ready};
use haft_core::{Tool, ToolAnnotations, ToolCall};

use crate::effect::effect_of;

/// Whether a call may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// It may.
    Allowed,
    /// It may not, for a reason that the model reads.
    Denied(String),
}

/// A call that waits for approval.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The call, with its arguments as the tool will get them.
    pub call: ToolCall,
    /// The tool.
    pub tool: Arc<dyn Tool>,
    /// What this very call may do. Of an MCP server it is only hearsay, see [`Tool::source`].
    pub annotations: ToolAnnotations,
    /// What the call does, in the words of the device or of the tool. Of an MCP server it is
    /// untrusted text.
    pub effect: String,
}

impl ApprovalRequest {
    /// A request about `call`, which `tool` answers.
    #[must_use]
    pub fn new(call: ToolCall, tool: Arc<dyn Tool>, annotations: ToolAnnotations) -> Self {
        Self {
            effect: effect_of(tool.as_ref(), &call.args),
            call,
            tool,
            annotations,
        }
    }

    /// Sets the tool's own description of what the call does.
    #[must_use]
    pub fn with_effect(mut self, effect: Option<String>) -> Self {
        if let Some(effect) = effect {
            self.effect = effect;
        }
        self
    }
}

/// Decides about a call whose arguments are already validated.
pub type Approve = Arc<dyn Fn(ApprovalRequest) -> BoxFuture<'static, Approval> + Send + Sync>;

/// Which calls somebody is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApprovalMode {
    /// None: every call runs.
    Never,
    /// Those that may destroy something or have a high impact.
    #[default]
    Destructive,
    /// All.
    Always,
}

impl ApprovalMode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Never, Self::Destructive, Self::Always];

    /// The mode as a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Destructive => "destructive",
            Self::Always => "always",
        }
    }

    /// An approver that puts the calls of this mode to `ask` and allows all others; none where
    /// there is nothing to ask.
    ///
    /// ```
    /// use haft_tools::{ApprovalMode, refuse};
    ///
    /// let approve = ApprovalMode::Destructive.approver(refuse("Nobody is there to ask."));
    /// assert!(approve.is_some());
    /// assert!(ApprovalMode::Never.approver(refuse("")).is_none());
    /// ```
    #[must_use]
    pub fn approver(self, ask: Approve) -> Option<Approve> {
        match self {
            Self::Never => None,
            Self::Always => Some(ask),
            Self::Destructive => Some(Arc::new(move |request| {
                if request.annotations.destructive {
                    ask(request)
                } else {
                    Box::pin(ready(Approval::Allowed))
                }
            })),
        }
    }
}

impl fmt::Display for ApprovalMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for ApprovalMode {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mode = Self::ALL.into_iter().find(|mode| mode.name() == text);
        mode.ok_or("say never, destructive or always")
    }
}

/// Says no to everything that it is asked, where nobody can be asked. The model reads that the
/// call was not run, and then `remedy`, a sentence.
#[must_use]
pub fn refuse(remedy: impl Into<String>) -> Approve {
    let remedy = remedy.into();
    Arc::new(move |request| {
        let name = request.tool.name();
        let reason = format!("{name} was not run: this call needs a person's approval. {remedy}");
        Box::pin(ready(Approval::Denied(reason)))
    })
}

#[cfg(test)]
mod tests;
