//! What stands between the markers of a call, as its arguments.
//!
//! `value` reads JSON, Python and what models make of them. `parameters` finds the parameters that
//! are written as tags, in text that arrives in pieces.

pub(crate) mod parameters;
pub(crate) mod value;
