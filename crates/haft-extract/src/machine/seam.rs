//! The white space around what is taken out of a text: none is left at the ends, one run of it
//! between two texts.

/// How much white space is held back, in bytes; more comes out as it is.
const MAX_PENDING: usize = 96;

/// One text from which pieces are taken out.
#[derive(Debug)]
pub(crate) struct Seam {
    /// White space after the last text.
    pending: [u8; MAX_PENDING],
    len: usize,
    /// Something other than white space came already.
    begun: bool,
    /// Something was taken out since the last text.
    is_cut: bool,
    /// The white space that is held back came before that.
    is_kept: bool,
}

impl Seam {
    /// A text that comes out unchanged if nothing is taken out.
    pub(crate) fn outer() -> Self {
        Self {
            pending: [0; MAX_PENDING],
            len: 0,
            begun: false,
            is_cut: false,
            is_kept: false,
        }
    }

    /// A text without white space at its ends.
    pub(crate) fn inner() -> Self {
        Self {
            is_cut: true,
            ..Self::outer()
        }
    }

    /// Says that something was taken out here.
    pub(crate) fn cut(&mut self) {
        self.is_cut = true;
        self.is_kept = self.len > 0;
    }

    /// Adds text and hands out what is certain.
    pub(crate) fn add(&mut self, text: &str, sink: &mut dyn FnMut(&str)) {
        let body = text.trim_ascii_start();
        let leading = text.get(..text.len() - body.len()).unwrap_or_default();
        let is_dropped = self.is_cut && (!self.begun || self.is_kept);
        if !is_dropped {
            self.hold(leading, sink);
        }
        if body.is_empty() {
            return;
        }
        if self.begun || !self.is_cut {
            self.release(sink);
        }
        self.len = 0;
        self.begun = true;
        self.is_cut = false;
        let whole = body.trim_ascii_end();
        sink(whole);
        self.hold(body.get(whole.len()..).unwrap_or_default(), sink);
    }

    /// Ends the text: white space at its end belongs to it, unless something was taken out there.
    pub(crate) fn finish(&mut self, sink: &mut dyn FnMut(&str)) {
        if !self.is_cut {
            self.release(sink);
        }
    }

    /// Holds white space back; full, all of it goes, so that the same is held back however the
    /// text is cut.
    fn hold(&mut self, blanks: &str, sink: &mut dyn FnMut(&str)) {
        for blank in blanks.bytes() {
            if let Some(place) = self.pending.get_mut(self.len) {
                *place = blank;
                self.len += 1;
            }
            if self.len == MAX_PENDING {
                self.release(sink);
            }
        }
    }

    fn release(&mut self, sink: &mut dyn FnMut(&str)) {
        match self.pending.get(..self.len).unwrap_or_default() {
            [] => {}
            // Between two words.
            [b' '] => sink(" "),
            pending => {
                if let Ok(text) = std::str::from_utf8(pending) {
                    sink(text);
                }
            }
        }
        self.len = 0;
    }
}

#[cfg(test)]
mod tests;
