//! Fences that hold no call, passed over in one go when all of them is there. The careful way,
//! through [`block`](super::block), says the same of them, and reads those that may hold one.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::memrchr;

use super::block::{Block, End, Shape, fence_end, may_hold_marker};
use super::line::Sight;
use super::{Reader, Turn};

/// The fewest ticks that open a fence.
const TICKS: usize = 3;

/// What stands in a line that closes a fence.
static CLOSING: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("```"));

/// What opens a section of Functionary, in a fence too.
static SECTION: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("\n>>>"));

impl Reader {
    /// How much of the line that begins at `at`, and may hold a call, is text by now, and how much
    /// further the next line is that is of interest; nothing when it has to be looked at more
    /// carefully. Fences that open or close there are noted.
    pub(super) fn text_ahead(
        &mut self,
        turn: &mut Turn<'_, '_>,
        at: usize,
    ) -> Option<(usize, usize)> {
        let line = Turn {
            text: turn.tail(at),
            sink: &mut *turn.sink,
            ..*turn
        };
        match self.sight(&line, at) {
            Sight::Text => Some((0, 0)),
            Sight::FenceEnd => {
                self.fence = 0;
                Some((0, 0))
            }
            Sight::Call(lead, Shape::Fence) => self.plain_fence(&line, at, lead),
            _ => None,
        }
    }

    /// The same of a line that opens a fence after `lead` bytes of decoration.
    fn plain_fence(
        &mut self,
        turn: &Turn<'_, '_>,
        at: usize,
        lead: usize,
    ) -> Option<(usize, usize)> {
        let mut block = Block::new(lead, Shape::Fence);
        match fence_end(turn, &mut block) {
            End::None => {}
            End::More => return None,
            End::At(content, whole, _) => {
                let text = turn.text.get(lead..content).unwrap_or_default();
                let may_call = may_hold_marker(text) || turn.tools.may_be_named_in(text);
                if may_call && whole <= turn.options.hold_limit {
                    return None;
                }
            }
        }
        if let Some(looked_at) = block.looked_far() {
            self.quiet = self.quiet.max(at + looked_at);
        }
        let ticks = turn.tail(lead).bytes().take_while(|byte| *byte == b'`');
        let ticks = ticks.count();
        self.fence = ticks.max(TICKS);
        // Past the first tick, as the careful way goes on.
        Some((lead + 1, calm_end(turn.text, lead + ticks)))
    }
}

/// Where the first line begins, with the break before it, that may close the fence whose content
/// begins at `start`; 0 where a line before it is of interest, or none may.
fn calm_end(text: &str, start: usize) -> usize {
    let inside = text.as_bytes().get(start..).unwrap_or_default();
    let lines = CLOSING.find(inside).and_then(|ticks| inside.get(..ticks));
    let last = lines.and_then(|lines| Some((lines, memrchr(b'\n', lines)?)));
    match last {
        Some((lines, last)) if SECTION.find(lines).is_none() => start + last,
        _ => 0,
    }
}
