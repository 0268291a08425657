//! Approval of tool calls: the callback that the executor asks, and the rule for which calls need
//! approval.
//!
//! The executor asks after the arguments were repaired and checked, so that the approved call is
//! the one that runs. It asks for one call at a time, before any call of the batch runs.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use futures_util::future::{BoxFuture, ready};
use haft_core::{Tool, ToolAnnotations, ToolCall};

use crate::effect::effect_of;

/// Whether a call may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// The call may run.
    Allowed,
    /// The call must not run. The reason is for the model to read.
    Denied(String),
}

/// A call that waits for approval.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The call, with its arguments exactly as the tool will receive them.
    pub call: ToolCall,
    /// The tool.
    pub tool: Arc<dyn Tool>,
    /// The effects of this particular call. For a tool of an MCP server they are unverified claims,
    /// see [`Tool::source`].
    pub annotations: ToolAnnotations,
    /// The effect of the call, as described by the device or the tool. For a tool of an MCP server
    /// it is untrusted text.
    pub effect: String,
}

impl ApprovalRequest {
    /// A request about `call`, to be run by `tool`.
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

/// Which calls need approval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApprovalMode {
    /// None: every call runs.
    Never,
    /// Calls that may destroy something or have a high impact.
    #[default]
    Destructive,
    /// Every call.
    Always,
}

impl ApprovalMode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Never, Self::Destructive, Self::Always];

    /// The name of the mode, as in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Destructive => "destructive",
            Self::Always => "always",
        }
    }

    /// An approver that passes the calls selected by this mode to `ask` and allows all others;
    /// `None` if the mode never asks.
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

/// An approver that denies every call, for programs in which nobody can be asked. The model reads
/// that the call was not run and what it would have done, followed by `remedy`, a full sentence.
#[must_use]
pub fn refuse(remedy: impl Into<String>) -> Approve {
    let remedy = remedy.into();
    Arc::new(move |request| {
        let name = request.tool.name();
        let effect = &request.effect;
        let reason =
            format!("{name} was not run: this call ({effect}) needs a person's approval. {remedy}");
        Box::pin(ready(Approval::Denied(reason)))
    })
}

#[cfg(test)]
mod tests;
