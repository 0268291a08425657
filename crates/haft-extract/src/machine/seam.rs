//! The white space around what is taken out of a text: none is left at the ends, one run of it
//! between two texts.

use crate::limits;

/// One text from which pieces are taken out. As it is made, it comes out unchanged if nothing is.
#[derive(Debug, Default)]
pub(crate) struct Seam {
    /// White space after the last text.
    pending: String,
    /// Something other than white space came already.
    begun: bool,
    /// Something was taken out since the last text.
    after_removal: bool,
    /// The white space that is held back came before that.
    blanks_precede_it: bool,
}

impl Seam {
    /// A text without white space at its ends.
    pub(crate) fn inner() -> Self {
        Self {
            after_removal: true,
            ..Self::default()
        }
    }

    /// Says that something was taken out here.
    pub(crate) fn note_removal(&mut self) {
        self.after_removal = true;
        self.blanks_precede_it = !self.pending.is_empty();
    }

    /// Adds text and hands out what is certain.
    pub(crate) fn add(&mut self, text: &str, sink: &mut dyn FnMut(&str)) {
        let body = text.trim_ascii_start();
        let is_dropped = self.after_removal && (!self.begun || self.blanks_precede_it);
        if !is_dropped && body.len() < text.len() {
            let blanks = text.get(..text.len() - body.len());
            self.hold(blanks.unwrap_or_default(), sink);
        }
        if body.is_empty() {
            return;
        }
        if self.begun || !self.after_removal {
            self.release(sink);
        }
        self.pending.clear();
        self.begun = true;
        self.after_removal = false;
        let whole = body.trim_ascii_end();
        sink(whole);
        self.hold(body.get(whole.len()..).unwrap_or_default(), sink);
    }

    /// Ends the text: white space at its end belongs to it, unless something was taken out there.
    pub(crate) fn finish(&mut self, sink: &mut dyn FnMut(&str)) {
        if !self.after_removal {
            self.release(sink);
        }
    }

    /// Holds white space back; full, all of it goes, so that the same is held back however the
    /// text is cut.
    fn hold(&mut self, blanks: &str, sink: &mut dyn FnMut(&str)) {
        for blank in blanks.chars() {
            self.pending.push(blank);
            if self.pending.len() == limits::BLANKS {
                self.release(sink);
            }
        }
    }

    fn release(&mut self, sink: &mut dyn FnMut(&str)) {
        if !self.pending.is_empty() {
            sink(&self.pending);
            self.pending.clear();
        }
    }
}

#[cfg(test)]
mod tests;
