//! Validation and lossless coercion of tool arguments against JSON Schema.
mod change;
mod compiled;
mod error;
mod violation;

pub use change::{Coerced, Coercion, CoercionKind};
pub use compiled::CompiledSchema;
pub use error::{SchemaError, SchemaErrorKind};
pub use violation::{Violation, Violations};
