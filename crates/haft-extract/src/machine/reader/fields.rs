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

use crate::scan::More;

/// Above the name of the tool.
pub(super) const NAME: &str = "[[ ## next_tool_name ## ]]";

/// Above its arguments.
pub(super) const ARGUMENTS: &str = "[[ ## next_tool_args ## ]]";

/// Below them.
pub(super) const COMPLETED: &str = "[[ ## completed ## ]]";

/// Labels of the arguments.
const LABELS: &str = "input arguments args parameters params parameter";

/// As many blanks stand around a label, and as many letters in it.
const LONGEST: usize = 16;

/// The length of a label such as `Arguments:` in the line below the name of a tool, if an object
/// follows it there.
pub(super) fn label_before_object(text: &str, finished: bool) -> Result<Option<usize>, More> {
    let unless_more = if finished { Ok(None) } else { Err(More) };
    let word = behind_signs(text);
    let letters = word
        .bytes()
        .take(LONGEST)
        .take_while(u8::is_ascii_alphabetic);
    let (word, rest) = word.split_at(letters.count());
    let begins = |label: &str| {
        let head = label.get(..word.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    if rest.is_empty() && !finished && LABELS.split(' ').any(begins) {
        return Err(More);
    }
    if !LABELS
        .split(' ')
        .any(|label| label.eq_ignore_ascii_case(word))
    {
        return Ok(None);
    }
    let colon = behind_signs(rest);
    if colon.is_empty() && rest.len() < LONGEST {
        return unless_more;
    }
    let Some(behind) = colon.strip_prefix(':') else {
        return Ok(None);
    };
    let object = behind_signs(behind);
    match object.as_bytes().first() {
        Some(b'{') => Ok(Some(text.len() - object.len())),
        None if behind.len() < LONGEST => unless_more,
        _ => Ok(None),
    }
}

/// What stands behind the blanks and stars of a label.
fn behind_signs(text: &str) -> &str {
    let signs = text.bytes().take(LONGEST);
    let signs = signs.take_while(|byte| matches!(byte, b' ' | b'*' | b'`'));
    text.get(signs.count()..).unwrap_or_default()
}
