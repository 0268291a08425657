//! Calls that a server could not parse: its error has the model's text of them.

use haft_core::{ChatChunk, InvalidToolCall, ModelError, ToolCall};
use haft_extract::{Extraction, extract, match_arguments_text};
use serde_json::Value;
use tracing::warn;

use super::native::CallSlot;
use super::{CallResult, ReplyBuilder, mint_id};
use crate::http::unread_output;

/// How much of an invalid call the model is shown, in characters.
const SHOWN: usize = 300;

impl ReplyBuilder {
    /// The last chunks of the reply with the output that the server reports in its `error`.
    ///
    /// # Errors
    ///
    /// The `error` itself, if it reports none.
    pub(crate) fn recovered(mut self, error: ModelError) -> Result<Vec<ChatChunk>, ModelError> {
        let Some(output) = unread_output(&error) else {
            return Err(error);
        };
        warn!(%error, bytes = output.len(), "recovered the reply from the server's error");
        self.recover(output);
        Ok(self.finish())
    }

    /// Reads the `output` that a server reports because it could not parse it: the model's text of
    /// a native call, or only of its arguments.
    pub(super) fn recover(&mut self, output: &str) {
        let options = self.reading.text.unwrap_or_default();
        let found = extract(&self.reading.tools, options, output);
        if !found.calls.is_empty() {
            return self.add_recovered(found);
        }
        // There may be reasoning before the arguments.
        let object = output.find('{').and_then(|at| output.split_at_checked(at));
        let (thought, arguments) = object.unwrap_or(("", output));
        let call = match_arguments_text(&self.reading.tools, arguments);
        if let Some((name, arguments)) = call {
            let (name, arguments) = (name.to_owned(), Value::Object(arguments));
            self.reasoning(thought);
            return self.recovered_call(ToolCall::new(name, arguments, mint_id()));
        }
        self.native_call(Err(InvalidToolCall {
            name: String::new(),
            args: output.to_owned(),
            id: mint_id(),
            error: format!(
                "The call could not be read; call a tool with a JSON object as arguments. This \
                 arrived: {}",
                output.chars().take(SHOWN).collect::<String>()
            ),
        }));
    }

    /// Adds recovered output; its calls are native ones.
    fn add_recovered(&mut self, found: Extraction) {
        self.reasoning(&found.reasoning);
        self.say(&found.content);
        for mut call in found.calls {
            call.id = mint_id();
            self.recovered_call(call);
        }
        for mut call in found.invalid {
            call.id = mint_id();
            self.native_call(Err(call));
        }
    }

    /// Adds a recovered call, which may be a quoted one like any call of the text.
    fn recovered_call(&mut self, call: ToolCall) {
        match self.reading.quotations.quoted(&call) {
            Some(quoted) => self.quote(quoted),
            None => self.native_call(Ok(call)),
        }
    }

    /// Adds a native call that is already parsed.
    fn native_call(&mut self, result: CallResult) {
        let (Ok(ToolCall { name, id, .. }) | Err(InvalidToolCall { name, id, .. })) = &result;
        let (name, id) = (name.clone(), id.clone());
        let index = self.calls.len();
        self.calls.push(CallSlot {
            id,
            wire_name: name.clone(),
            raw_arguments: String::new(),
            announced: true,
            waits: false,
            result: Some(result.clone()),
        });
        self.chunks.push(ChatChunk::CallStart {
            index,
            name,
            id: None,
        });
        self.tell(index, result);
    }
}
