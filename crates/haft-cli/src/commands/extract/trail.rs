//! How a reply was read, piece by piece: what `--explain` shows.

use haft::extract::Piece;

/// What a piece of a reply was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thinking,
    /// Markers, wrappers and separators.
    Markup,
    /// Where a call begins: the tool's bound name, which is no piece of the reply itself.
    Call,
    Arguments,
}

impl Kind {
    pub(super) const ALL: [Self; 5] = [
        Self::Text,
        Self::Thinking,
        Self::Markup,
        Self::Call,
        Self::Arguments,
    ];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Thinking => "thinking",
            Self::Markup => "markup",
            Self::Call => "call",
            Self::Arguments => "arguments",
        }
    }
}

/// The pieces in order. Neighbours of one kind are one piece, however the reply was cut.
#[derive(Debug, Default)]
pub(super) struct Trail(Vec<(Kind, String)>);

impl Trail {
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Kind, &str)> {
        self.0.iter().map(|(kind, text)| (*kind, text.as_str()))
    }

    /// Takes in the next piece.
    pub(super) fn add(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Text(text) => self.push(Kind::Text, text),
            Piece::Reasoning(text) => self.push(Kind::Thinking, text),
            Piece::Syntax(text) => self.push(Kind::Markup, text),
            Piece::CallStart { name, .. } => self.0.push((Kind::Call, (*name).to_owned())),
            Piece::CallArgs { fragment, .. } => self.push(Kind::Arguments, fragment),
            Piece::ThinkingEnded => self.all_was_thinking(),
            _ => {}
        }
    }

    fn push(&mut self, kind: Kind, text: &str) {
        match self.0.last_mut() {
            Some((last, so_far)) if *last == kind => so_far.push_str(text),
            _ => self.0.push((kind, text.to_owned())),
        }
    }

    fn all_was_thinking(&mut self) {
        for (kind, text) in std::mem::take(&mut self.0) {
            match kind {
                Kind::Call => {}
                Kind::Markup => self.push(kind, &text),
                _ => self.push(Kind::Thinking, &text),
            }
        }
    }
}

#[cfg(test)]
mod tests;
