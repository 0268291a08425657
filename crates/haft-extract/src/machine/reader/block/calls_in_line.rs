//! Plain calls that stand one behind the other in a line, such as `f(x=1), g()`.

use super::{is_code, is_comment, is_signature, name_length, parenthesised};
use crate::Format;
use crate::machine::raw_call::{RawCall, Written};
use crate::machine::reader::{Cursor, Reader};

impl Reader {
    /// Calls such as `f(x=1), g()`, `print(f(x=1))` or, in a fence, `return f(x=1)`.
    pub(super) fn calls_in_line(
        &self,
        here: &Cursor<'_>,
        text: &str,
        cut: bool,
    ) -> Option<Vec<RawCall<'static>>> {
        let mut readings = Vec::new();
        let mut rest = text;
        if let Some(returned) = text.strip_prefix("return ") {
            rest = returned;
        } else if let Some(inner) = text.strip_prefix("print(") {
            rest = inner.trim_end().strip_suffix(')').unwrap_or(inner);
            rest = rest.trim_start_matches(['[', ' ']);
        }
        loop {
            rest = rest.trim_start_matches([
                ' ', '\t', ',', ';', '`', '*', '[', ']', '\n', '\r', '+', '|', '\'', '"', '\\',
            ]);
            if rest.is_empty() || is_comment(rest) {
                break;
            }
            let len = name_length(rest);
            let name = rest.get(..len)?;
            let after = rest.get(len..)?.trim_start_matches(' ');
            if !here.tools.binds(name) || !after.starts_with('(') {
                return None;
            }
            let (arguments, end, is_whole) = parenthesised(after);
            if !is_whole && !cut {
                return None;
            }
            let is_apart = rest.get(len..).is_some_and(|rest| rest.starts_with(' '));
            if is_signature(name, arguments, here.tools) || is_code(arguments, is_apart) {
                return None;
            }
            readings.push(RawCall {
                cut: !is_whole,
                ..RawCall::new(
                    name.to_owned(),
                    Written::Call(arguments.to_owned().into()),
                    Format::PlainCall,
                )
            });
            rest = after.get(end..)?;
        }
        (!readings.is_empty()).then_some(readings)
    }
}
