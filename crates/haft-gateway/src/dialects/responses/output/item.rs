//! An item of a reply while it is written, and its forms in events.

use serde_json::{Value, json};

use super::{REDACTED, ReasoningForm};
use crate::dialects::responses::tools::{ClientName, ToolKind};

/// The item that is being written.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) id: String,
    pub(super) content: Content,
    /// What was written of it.
    pub(super) text: String,
}

/// What kind of item it is.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Message,
    Reasoning {
        form: ReasoningForm,
        /// Set by the signature, after which the reasoning ends.
        encrypted: Option<String>,
    },
    Call {
        call_id: String,
        tool: ClientName,
    },
}

impl Open {
    /// The item as it is now.
    pub(super) fn item(&self, status: &str) -> Value {
        let (id, text) = (&self.id, &self.text);
        match &self.content {
            Content::Message => json!({
                "id": id, "type": "message", "role": "assistant", "status": status,
                "content": [self.part()],
            }),
            Content::Reasoning { form, encrypted } => {
                let said = if text.is_empty() {
                    json!([])
                } else {
                    json!([self.part()])
                };
                let mut item = json!({"id": id, "type": "reasoning", "summary": []});
                match form {
                    ReasoningForm::Summary => set(&mut item, "summary", said),
                    ReasoningForm::Text => set(&mut item, "content", said),
                }
                if let Some(encrypted) = encrypted {
                    set(&mut item, "encrypted_content", encrypted.as_str().into());
                }
                set(&mut item, "status", status.into());
                item
            }
            Content::Call { call_id, tool } => {
                let (kind, field) = match tool.kind {
                    ToolKind::Function => ("function_call", "arguments"),
                    ToolKind::Custom => ("custom_tool_call", "input"),
                };
                let mut item = json!({
                    "id": id, "type": kind, "status": status, "call_id": call_id,
                    "name": tool.name, field: text,
                });
                if let Some(namespace) = &tool.namespace {
                    set(&mut item, "namespace", namespace.as_str().into());
                }
                item
            }
        }
    }

    /// The part of the item that has its text.
    pub(super) fn part(&self) -> Value {
        let text = &self.text;
        match &self.content {
            Content::Message => {
                json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
            }
            Content::Reasoning { .. } if self.is_summary() => {
                json!({"type": "summary_text", "text": text})
            }
            _ => json!({"type": "reasoning_text", "text": text}),
        }
    }

    /// The fields of an event about this item.
    pub(super) fn located(&self, output_index: usize, field: &str, value: Value) -> Value {
        let mut fields = json!({"item_id": self.id, "output_index": output_index});
        if self.is_content() {
            set(&mut fields, "content_index", 0.into());
        }
        if self.is_summary() {
            set(&mut fields, "summary_index", 0.into());
        }
        set(&mut fields, field, value);
        fields
    }

    /// The events of its text: more of it, the end of it, and the field with the whole text.
    pub(super) fn text_events(&self) -> (&'static str, &'static str, &'static str) {
        match &self.content {
            Content::Message => (
                "response.output_text.delta",
                "response.output_text.done",
                "text",
            ),
            Content::Reasoning { form, .. } => match form {
                ReasoningForm::Text => (
                    "response.reasoning_text.delta",
                    "response.reasoning_text.done",
                    "text",
                ),
                ReasoningForm::Summary => (
                    "response.reasoning_summary_text.delta",
                    "response.reasoning_summary_text.done",
                    "text",
                ),
            },
            Content::Call { tool, .. } => match tool.kind {
                ToolKind::Function => (
                    "response.function_call_arguments.delta",
                    "response.function_call_arguments.done",
                    "arguments",
                ),
                ToolKind::Custom => (
                    "response.custom_tool_call_input.delta",
                    "response.custom_tool_call_input.done",
                    "input",
                ),
            },
        }
    }

    /// The events of the part around its text, if it has one: its start and its end.
    pub(super) fn part_events(&self) -> Option<(&'static str, &'static str)> {
        if self.is_unreadable() {
            None
        } else if self.is_summary() {
            Some((
                "response.reasoning_summary_part.added",
                "response.reasoning_summary_part.done",
            ))
        } else if self.is_content() {
            Some(("response.content_part.added", "response.content_part.done"))
        } else {
            None
        }
    }

    /// True for reasoning that nobody can read.
    pub(super) fn is_unreadable(&self) -> bool {
        let redacted = |encrypted: &Option<String>| {
            encrypted
                .as_ref()
                .is_some_and(|encrypted| encrypted.starts_with(REDACTED))
        };
        matches!(&self.content, Content::Reasoning { encrypted, .. } if redacted(encrypted))
    }

    pub(super) fn is_summary(&self) -> bool {
        matches!(
            self.content,
            Content::Reasoning {
                form: ReasoningForm::Summary,
                ..
            }
        )
    }

    pub(super) fn is_content(&self) -> bool {
        match self.content {
            Content::Message => true,
            Content::Reasoning { form, .. } => form == ReasoningForm::Text,
            Content::Call { .. } => false,
        }
    }
}

fn set(object: &mut Value, field: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(field.to_owned(), value);
    }
}
