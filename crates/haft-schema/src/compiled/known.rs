//! Schemas that were compiled lately: a server of many conversations sees the same tools in
//! each of their requests, and compiling costs far more than checking.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::CompiledSchema;
use crate::SchemaError;
use crate::limits::check_schema_limits;

/// So many are kept: the tools of some clients at once. Schemas come from strangers, so the
/// number is bounded; when it is reached, all are forgotten.
const MOST: usize = 64;

/// Bytes of the text of a schema that is kept. The tools in use are far below.
const LONGEST: usize = 16 * 1024;

#[derive(Default)]
struct Known(Mutex<HashMap<String, Arc<CompiledSchema>>>);

pub(super) fn shared(schema: &Value) -> Result<Arc<CompiledSchema>, SchemaError> {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(Known::default).compiled(schema)
}

impl Known {
    fn compiled(&self, schema: &Value) -> Result<Arc<CompiledSchema>, SchemaError> {
        // Writing recurses, so the depth has to be right first.
        check_schema_limits(schema)?;
        let text = schema.to_string();
        if text.len() > LONGEST {
            return CompiledSchema::for_tool(schema).map(Arc::new);
        }
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = found.get(&text) {
            return Ok(compiled.clone());
        }
        // Nobody waits for somebody else's schema.
        drop(found);
        let compiled = Arc::new(CompiledSchema::for_tool(schema)?);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(text, compiled.clone());
        Ok(compiled)
    }
}

#[cfg(test)]
mod tests;
