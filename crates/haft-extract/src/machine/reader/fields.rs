//! The headings of the fields in which DSPy has its agents answer:
//!
//! ```text
//! [[ ## next_tool_name ## ]]
//! get_weather
//!
//! [[ ## next_tool_args ## ]]
//! {"city": "Oslo"}
//!
//! [[ ## completed ## ]]
//! ```
//!
//! and the labels between the name of a tool and its arguments in other words: `Tool: get_weather`
//! and, in the next line, `Input: {"city": "Oslo"}`.

use crate::limits;
use crate::scan::{More, is_word_of, may_be_word_of, split_run};

/// Above the name of the tool.
pub(super) const NAME: &str = "[[ ## next_tool_name ## ]]";

/// Above its arguments.
pub(super) const ARGUMENTS: &str = "[[ ## next_tool_args ## ]]";

/// Below them.
pub(super) const COMPLETED: &str = "[[ ## completed ## ]]";

/// Labels of the arguments.
const LABELS: &str = "input arguments args parameters params parameter";

/// The length of a label such as `Arguments:` in the line below the name of a tool, if an object
/// follows it there.
pub(super) fn label_before_object(text: &str, finished: bool) -> Result<Option<usize>, More> {
    let unless_more = if finished { Ok(None) } else { Err(More) };
    let (word, rest) = split_run(behind_signs(text), limits::GAP, u8::is_ascii_alphabetic);
    if rest.is_empty() && !finished && may_be_word_of(LABELS, word) {
        return Err(More);
    }
    if !is_word_of(LABELS, word) {
        return Ok(None);
    }
    let colon = behind_signs(rest);
    if colon.is_empty() && rest.len() < limits::GAP {
        return unless_more;
    }
    let Some(behind) = colon.strip_prefix(':') else {
        return Ok(None);
    };
    let object = behind_signs(behind);
    match object.as_bytes().first() {
        Some(b'{') => Ok(Some(text.len() - object.len())),
        None if behind.len() < limits::GAP => unless_more,
        _ => Ok(None),
    }
}

/// What stands behind the blanks and stars of a label.
fn behind_signs(text: &str) -> &str {
    split_run(text, limits::GAP, |byte| matches!(byte, b' ' | b'*' | b'`')).1
}
