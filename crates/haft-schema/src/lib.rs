//! Validation and lossless coercion of tool arguments against JSON Schema: the one place in haft
//! that knows JSON Schema.
//!
//! Small models get arguments almost right: `"40"` for 40, `device_name` for `deviceName`, `"ON"`
//! for `"on"`. [`CompiledSchema`] repairs arguments without guessing, records every [`Repair`], and
//! describes the remaining violations in words that a model can act on ([`Violations`]). Misspelt
//! words are corrected only where that is allowed ([`Guessing`]). An argument that no parameter
//! takes is renamed if its meaning is certain, and refused otherwise.
//!
//! Users of this crate: `haft-tools` checks every call before a tool runs, `haft-extract` asks for
//! the types of parameters while it parses text ([`SchemaView`]) and adds repairs of its own. All
//! of them match names with [`normalize_key`] and [`match_key`].
//!
//! The path of a call's arguments through the modules: `compiled` holds the schema (`limits` bounds
//! its size, `meant` interprets mistakes in it). `shape` recognises valid arguments in one fast
//! pass. Otherwise `coerce` repairs values and names, using a `view` of the schema at each
//! position, `unknown` handles arguments that no parameter takes, and the validator decides;
//! `explain` turns its refusal into a `violation` in words (`describe`). `certain` accepts what a
//! model wrote as text and means without doubt; `unresolved` tells values that stand for the result of
//! another call.
//!
//! ```
//! use haft_schema::CompiledSchema;
//! use serde_json::json;
//!
//! let schema = CompiledSchema::new(&json!({
//!     "type": "object",
//!     "properties": {
//!         "action": {"enum": ["on", "off", "dim"]},
//!         "level": {"type": "number", "minimum": 0, "maximum": 100},
//!     },
//!     "required": ["action"],
//! }))?;
//!
//! let written = json!({"Action": "DIM", "level": "40"}).as_object().cloned().unwrap_or_default();
//! let coerced = schema.check(written)?;
//! assert_eq!(serde_json::to_value(&coerced.arguments)?, json!({"action": "dim", "level": 40}));
//! assert_eq!(coerced.repairs.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certain;
mod coerce;
mod compiled;
mod describe;
mod error;
mod explain;
mod guessing;
mod limits;
mod meant;
mod number;
mod outline;
mod path;
mod repair;
mod sense;
mod shape;
mod shorten;
mod unknown;
mod unresolved;
mod view;
mod violation;

pub use coerce::{match_key, normalize_key};
pub use compiled::CompiledSchema;
pub use error::{SchemaError, SchemaErrorKind};
pub use guessing::Guessing;
pub use limits::check_schema_limits;
pub use number::settle_numbers;
pub use outline::{PropertyKinds, SchemaView};
pub use repair::{Coerced, Repair, RepairKind};
pub use unresolved::{names_a_result, refers_to, stands_for_a_result, unresolved_argument};
pub use violation::{Violation, Violations};
