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

use crate::tag::Found;

/// Above the name of the tool.
pub(super) const NAME: &str = "[[ ## next_tool_name ## ]]";

/// Above its arguments.
pub(super) const ARGUMENTS: &str = "[[ ## next_tool_args ## ]]";

/// Below them.
pub(super) const COMPLETED: &str = "[[ ## completed ## ]]";

/// The length of `heading`, if `text` begins with it.
pub(super) fn heading(text: &str, heading: &str, finished: bool) -> Found<usize> {
    if text.starts_with(heading) {
        Found::Yes(heading.len())
    } else if heading.starts_with(text) && !finished {
        Found::More
    } else {
        Found::No
    }
}
