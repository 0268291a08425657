//! Tags in a value that are more than text: with MiniMax's prefix, or of calls that are quoted.

use super::{End, MAX_LOOK, OpenValue, Verdict};
use crate::arguments::parameters::following::After;
use crate::arguments::parameters::mark::{Mark, MarkKind};
use crate::arguments::parameters::text::PREFIX;
use crate::scan::{More, Seen, Text};

impl OpenValue {
    /// A tag with a prefix, which no value holds as data.
    pub(super) fn at_prefixed(&mut self, source: &Text<'_>, tag: usize) -> Seen<Verdict> {
        if source.byte(tag) != Some(b'<') {
            let is_over = tag < source.len() || source.ended().is_ok();
            return is_over.then_some(Verdict::Pass(tag)).ok_or(More);
        }
        let Some(mark) = source.mark(tag, true)? else {
            return Ok(Verdict::Pass(tag + 1));
        };
        let outer = tag - PREFIX.len();
        let before = End::before(outer);
        Ok(match mark.kind {
            _ if self.is_own_close(source, &mark) => {
                if self.depth == 0 {
                    return Ok(Verdict::End(End::closed(outer, &mark)));
                }
                self.depth -= 1;
                Verdict::Pass(mark.end)
            }
            MarkKind::Element | MarkKind::Parameter if !mark.close => {
                if !self.nested && !source.is_blank(self.start..outer, MAX_LOOK) {
                    return Ok(Verdict::End(before));
                }
                self.nested = true;
                if self.is_same_element(source, &mark) {
                    self.depth += 1;
                } else {
                    self.wrappers += usize::from(mark.wraps);
                }
                Verdict::Pass(mark.end)
            }
            MarkKind::Wrapper if mark.close && self.wrappers > 0 => {
                self.wrappers -= 1;
                Verdict::Pass(mark.end)
            }
            MarkKind::Element | MarkKind::Parameter if !self.nested => {
                Verdict::End(before.resuming(mark.end))
            }
            _ if mark.is_of_calls() => Verdict::End(before),
            _ => Verdict::Pass(mark.end),
        })
    }

    /// A tag inside a quoted call.
    pub(super) fn at_quoted(&mut self, source: &Text<'_>, mark: &Mark<'_>) -> Seen<Verdict> {
        use MarkKind::{Call, Parameter, Value, Wrapper};
        // Nobody quotes it before the call is over.
        if mark.kind == MarkKind::Frame {
            return Ok(match self.follows(source, mark.end, After::Call)? {
                true => Verdict::End(End::before(self.quoted.run_before(source, mark.at))),
                false => Verdict::Reject(None),
            });
        }
        if mark.close && matches!(mark.kind, Parameter | Value | Call | Wrapper) {
            self.quoted.close(source, mark);
        }
        Ok(Verdict::Pass(mark.end))
    }

    /// The opening tag of a call: quoted, or only mentioned.
    pub(super) fn at_call(&mut self, source: &Text<'_>, mark: &Mark<'_>) -> Seen<Verdict> {
        if source.opens_call(mark.end)? {
            self.quoted.open(source, mark.at);
        } else if !self.is_foreign(mark) {
            return Ok(Verdict::Reject(None));
        }
        Ok(Verdict::Pass(mark.end))
    }

    /// The closing tag of a call or a wrapper, or a token of the frame of a reply.
    pub(super) fn at_end_of_call(&self, source: &Text<'_>, mark: &Mark<'_>) -> Seen<Verdict> {
        let is_foreign = self.is_foreign(mark);
        let before = self.before(source, mark);
        Ok(match self.follows(source, mark.end, After::Call)? {
            true if mark.kind == MarkKind::Frame || is_foreign => {
                Verdict::End(self.only_end(mark.at).unwrap_or(before))
            }
            true => Verdict::End(before),
            false if is_foreign => Verdict::Pass(mark.end),
            // A special token is hardly data, whatever follows it.
            false => {
                let may_end = mark.barred || source.is_line_end(mark.end);
                Verdict::Reject(may_end.then_some(before))
            }
        })
    }
}
