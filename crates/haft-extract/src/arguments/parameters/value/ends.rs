//! Where a value may have ended that nothing closed.

use super::{End, OpenValue};
use crate::arguments::parameters::mark::Mark;

/// The longest text behind the end of a call that is given up as part of a value when the reply
/// ends: a few closing sentences.
const MAX_AFTERWORD: usize = 16 * 1024;

impl OpenValue {
    /// The one tag that may have ended the value of a reply that ends at `len`.
    pub(super) fn only_end(&self, len: usize) -> Option<End> {
        let end = self.candidate.filter(|_| self.rejected == 1)?;
        (len.saturating_sub(end.resume) <= MAX_AFTERWORD).then_some(end)
    }

    /// True for a special token of another form behind a tag that may have ended the value: it
    /// says no more about that.
    pub(super) fn is_foreign(&self, mark: &Mark) -> bool {
        mark.barred && !self.barred && self.candidate.is_some()
    }
}
