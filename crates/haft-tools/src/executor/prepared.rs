//! A call as its tool will receive it: with repaired and validated arguments, before approval.

use std::sync::Arc;

use haft_core::{CallRepair, Tool, ToolCall, ToolError, ToolErrorKind};
use haft_schema::{CompiledSchema, Guessing};
use tracing::warn;

use crate::manager::ToolManager;

/// A call that passed all checks.
pub(super) struct Prepared {
    pub(super) tool: Arc<dyn Tool>,
    pub(super) call: ToolCall,
    /// The changes to the arguments.
    pub(super) coercions: Vec<CallRepair>,
}

impl Prepared {
    /// Repairs and validates the arguments of `call` for `tool`, which is one of `tools` or the
    /// current version of one. Without a usable `schema` only configured synonyms are renamed.
    pub(super) fn new(
        call: &ToolCall,
        tool: &Arc<dyn Tool>,
        schema: Option<&CompiledSchema>,
        tools: &ToolManager,
    ) -> Result<Self, ToolError> {
        let mut arguments = call.args.clone();
        let mut coercions = tools.rename_synonyms(tool.as_ref(), &mut arguments);
        let arguments = match schema {
            None => arguments,
            Some(schema) => {
                let guessing = Guessing::for_tool(tool.annotations().read_only);
                let checked = schema.check_with(arguments, guessing);
                let coerced = checked.map_err(|violations| {
                    let sentence = format!("Invalid arguments for {}: {violations}", call.name);
                    ToolError::of_kind(ToolErrorKind::InvalidArguments, sentence)
                })?;
                coercions.extend(
                    coerced
                        .repairs
                        .iter()
                        .map(|repair| repair.report(&call.name)),
                );
                coerced.arguments
            }
        };
        let call = ToolCall {
            name: call.name.clone(),
            args: arguments,
            id: call.id.clone(),
        };
        Ok(Self {
            tool: Arc::clone(tool),
            call,
            coercions,
        })
    }
}

/// The compiled schema of a tool; `None` if the schema is unusable.
pub(super) fn compiled(tool: &dyn Tool) -> Option<Arc<CompiledSchema>> {
    match CompiledSchema::shared(tool.schema()) {
        Ok(schema) => Some(schema),
        Err(error) => {
            // The tool's own server still validates the arguments.
            warn!(tool = tool.name(), %error, "schema not usable, arguments go unchecked");
            None
        }
    }
}
