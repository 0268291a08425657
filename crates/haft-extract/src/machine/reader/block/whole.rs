//! A candidate that is one whole and well-formed call in JSON, taken without being held back. The
//! careful way in the parent, [`block`](super), finds the same in it.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::ends::whole_line;
use super::example::begins_as_example;
use super::{Block, Shape};
use crate::Format;
use crate::machine::reader::{Reader, State, Step, Turn};
use crate::machine::reading::Reading;
use crate::scan::lexis::Ends;
use crate::scan::whole_call::WholeCall;

/// What the definition of a tool has and a call has not.
static PROPERTIES: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\"properties\""));

impl Reader {
    /// The candidate that is a whole and well-formed call.
    pub(super) fn whole_block(&mut self, turn: &mut Turn<'_, '_>, block: &Block) -> Option<Step> {
        (!self.in_pieces).then_some(())?;
        let mut call = WholeCall::default();
        self.whole_call_in(turn, block, &mut call)?;
        if call.end == turn.text.len() && !turn.finished {
            self.seen = Some(call.arguments);
            return Some(self.wait(State::Line));
        }
        if self.settled(turn, &call) != Ends::Yes {
            return None;
        }
        let whole = whole_line(turn, block, call.end)?;
        (whole <= turn.options.hold_limit)
            .then(|| self.take_whole_block(turn, block, (&call, whole)))
    }

    /// Finds the call of a bound tool that a candidate is, if it is whole and well formed.
    pub(super) fn whole_call_in<'t>(
        &mut self,
        turn: &Turn<'t, '_>,
        block: &Block,
        call: &mut WholeCall<'t>,
    ) -> Option<()> {
        if block.shape != Shape::Object {
            return None;
        }
        call.find((turn.text, block.lead), self.seen.as_ref(), turn.tools)?;
        // What was kept was looked through.
        if self.seen.as_ref() == Some(&call.arguments) {
            return Some(());
        }
        let arguments = turn.text.as_bytes().get(call.arguments.clone())?;
        // The definition of a tool looks like a call.
        let may_be_example = begins_as_example(turn.text.get(call.arguments.clone())?);
        let is_plain = !may_be_example && PROPERTIES.find(arguments).is_none();
        is_plain.then_some(())
    }

    pub(super) fn take_whole_block(
        &mut self,
        turn: &mut Turn<'_, '_>,
        block: &Block,
        (call, whole): (&WholeCall<'_>, usize),
    ) -> Step {
        block.announce(turn);
        let end = call.end;
        self.tell_whole_call(turn, call, (0, end, Format::BareJson));
        turn.tell(Reading::Decided);
        turn.syntax(turn.text.get(end..whole).unwrap_or_default());
        self.take(whole, State::Line)
    }
}
