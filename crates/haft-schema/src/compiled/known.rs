//! A cache of compiled schemas: a server for many conversations receives the same tools with each
//! request, and compiling costs far more than validating.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::CompiledSchema;
use crate::SchemaError;
use crate::limits::check_schema_limits;

/// The maximum number of cached schemas, enough for the tools of some clients. Schemas are
/// untrusted, so the number is bounded; when it is reached, the cache is cleared.
const MOST: usize = 64;

/// The maximum size of a cached schema in bytes of JSON, far above that of usual tools.
const LONGEST: usize = 16 * 1024;

#[derive(Default)]
struct Known(Mutex<HashMap<String, Arc<CompiledSchema>>>);

pub(super) fn shared(schema: &Value) -> Result<Arc<CompiledSchema>, SchemaError> {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(Known::default).compiled(schema)
}

impl Known {
    fn compiled(&self, schema: &Value) -> Result<Arc<CompiledSchema>, SchemaError> {
        // Serialization recurses, so the depth is checked first.
        check_schema_limits(schema)?;
        let text = schema.to_string();
        if text.len() > LONGEST {
            return CompiledSchema::for_tool(schema).map(Arc::new);
        }
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = found.get(&text) {
            return Ok(compiled.clone());
        }
        // The lock is not held while compiling.
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
