//! Reports that a call begins, once its name is complete.

use haft_core::{ChatChunk, ToolCall};

use super::ReplyBuilder;

impl ReplyBuilder {
    /// Announces a call once, as late as possible, when its name is complete. After a reported call
    /// of the text it is announced only at its end, because it may be the same call.
    pub(super) fn announce(&mut self, index: usize) {
        let may_be_reported = !self.reported.is_empty();
        if let Some(call) = self.calls.get_mut(index).filter(|call| !call.announced) {
            call.waits |= may_be_reported;
            if !call.waits {
                self.announce_now(index);
            }
        }
    }

    /// Announces a call that was held back, with all of its arguments.
    pub(super) fn announce_late(&mut self, index: usize) {
        let waited = self.calls.get(index).filter(|call| !call.announced);
        let Some(fragment) = waited.map(|call| call.raw_arguments.clone()) else {
            return;
        };
        self.announce_now(index);
        if !fragment.is_empty() {
            self.chunks.push(ChatChunk::CallArgs { index, fragment });
        }
    }

    /// Reports that these calls of the text start.
    pub(super) fn announce_all(&mut self, calls: &[ToolCall]) {
        let starts = calls.iter().enumerate();
        self.chunks
            .extend(starts.map(|(index, call)| ChatChunk::CallStart {
                index,
                name: call.name.clone(),
                id: None,
            }));
    }

    pub(super) fn announce_now(&mut self, index: usize) {
        if let Some(call) = self.calls.get_mut(index).filter(|call| !call.announced) {
            call.announced = true;
            let name = self.reading.own_name(&call.wire_name).to_owned();
            let id = Some(call.id.clone());
            self.chunks.push(ChatChunk::CallStart { index, name, id });
        }
    }
}
