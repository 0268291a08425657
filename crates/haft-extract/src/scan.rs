//! Looks at text without knowing what it is for: where tags, strings and values in brackets begin
//! and end.
//!
//! `tag` cuts one tag or token out of a text, damaged or not. `balance` finds where a value in
//! brackets ends, in text that arrives in pieces, and `lexis` has the one rule for where a string in
//! it ends. `whole_call` finds the parts of a call in JSON that is whole and well formed, which is
//! how most calls come.

pub(crate) mod balance;
pub(crate) mod lexis;
pub(crate) mod tag;
pub(crate) mod whole_call;
