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
    let (word, rest) = split_run(behind_signs(text), limits::GAP, u8::is_ascii_alphabetic);
    let is_label = is_word_of(LABELS, word);
    let colon = behind_signs(rest);
    let behind = colon.strip_prefix(':');
    let object = behind_signs(behind.unwrap_or_default());
    let may_go_on = match behind {
        _ if rest.is_empty() => may_be_word_of(LABELS, word),
        Some(behind) => is_label && object.is_empty() && behind.len() < limits::GAP,
        None => is_label && colon.is_empty() && rest.len() < limits::GAP,
    };
    if may_go_on && !finished {
        return Err(More);
    }
    Ok((is_label && object.starts_with('{')).then(|| text.len() - object.len()))
}

/// What stands behind the blanks and stars of a label.
fn behind_signs(text: &str) -> &str {
    split_run(text, limits::GAP, |byte| matches!(byte, b' ' | b'*' | b'`')).1
}
