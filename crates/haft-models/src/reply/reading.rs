//! What is known about a reply before it begins: the tools and the format of calls.

use std::sync::Arc;

use haft_core::{CallOptions, Message, RawReply};
use haft_extract::{ExtractOptions, ToolSet};

use crate::bound::BoundTools;
use crate::document::document_for;
use crate::hint::TemplateHint;
use crate::names::WireNames;
use crate::quoted::Quotations;
use crate::server_kind::ServerKind;

/// How one reply is read.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The names that native calls use.
    pub(crate) names: Arc<WireNames>,
    /// The tools that may be called.
    pub(crate) tools: ToolSet,
    /// How calls are extracted from the text; `None` if the text cannot contain calls. Whether a
    /// reply begins inside reasoning is a guess.
    pub(crate) text: Option<ExtractOptions>,
    /// The source of the guess.
    pub(crate) hint: Arc<TemplateHint>,
    /// Whether calls are allowed; if not, calls in the text are dropped.
    pub(crate) allows_calls: bool,
    /// The calls that the conversation contains; a call of the text that only quotes one is text.
    pub(crate) quotations: Quotations,
    /// Whether fields of the reply that haft does not handle are wanted.
    pub(crate) keeps_fields: bool,
    /// Where the reply is recorded as the model wrote it.
    pub(crate) raw: RawReply,
}

impl Reading {
    /// Creates a reading for native calls only.
    pub(crate) fn native(bound: &BoundTools) -> Self {
        Self {
            names: Arc::clone(&bound.names),
            tools: bound.set.clone(),
            text: None,
            hint: Arc::default(),
            allows_calls: true,
            quotations: Quotations::default(),
            keeps_fields: false,
            raw: RawReply::default(),
        }
    }

    /// Keeps the fields that haft does not handle, if the client in `options` has the API of this
    /// kind of server.
    pub(crate) fn for_client(mut self, options: &CallOptions, kind: ServerKind) -> Self {
        self.keeps_fields = document_for(options, kind).is_some();
        self
    }

    /// Adds the conversation that the reply continues, so that quoted calls are recognized.
    pub(crate) fn of_conversation(
        mut self,
        bound: &BoundTools,
        messages: &[Message],
        options: &CallOptions,
    ) -> Self {
        if self.text.is_some() && self.allows_calls {
            self.quotations = Quotations::of(bound, messages, options);
        }
        self
    }

    /// The tool's own name for the name on the wire, or the name itself if there is no such tool.
    pub(super) fn own_name<'a>(&'a self, wire_name: &'a str) -> &'a str {
        let name = self.names.original(wire_name);
        let tool = self.tools.definition(name);
        tool.map_or(name, |tool| tool.name.as_str())
    }
}
