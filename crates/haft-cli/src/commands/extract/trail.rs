//! How a reply was read, piece by piece: what `--explain` shows.
//!
//! An extractor leaves out what means nothing, such as the line end before a marker, and tells a
//! tool by its bound name. Here both get their places in the reply back.

use std::ops::Range;

use haft::extract::Piece;

/// In bytes: how far ahead a piece is looked for in the reply. More than stands between two pieces,
/// and little enough to keep the work in proportion to the reply.
const AHEAD: usize = 16 * 1024;

/// What a piece of a reply was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thinking,
    /// Markers, wrappers, separators, and whatever else is none of the others.
    Markup,
    /// The name of a tool.
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
#[derive(Debug, Default, PartialEq, Eq)]
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

    /// The same over the whole reply: with what the pieces left out, and names where they stand.
    pub(super) fn laid_over(self, reply: &str) -> Self {
        let mut laid = Self::default();
        let mut rest = reply;
        let mut name = None;
        for (kind, text) in self.0 {
            if kind == Kind::Call {
                laid.place(name.replace(text));
                continue;
            }
            if text.trim().is_empty() {
                continue;
            }
            let found = find(rest, &text);
            let (gap, after) = rest.split_at(found.start);
            laid.push(Kind::Markup, gap);
            if kind != Kind::Markup {
                laid.place(name.take());
            }
            let (own, after) = after.split_at(found.len());
            laid.push(kind, if own.is_empty() { &text } else { own });
            rest = after;
        }
        laid.place(name);
        laid.push(Kind::Markup, rest.trim_end());
        laid
    }

    /// Marks the name of a tool in the markup that came last, or says it where it is spelt
    /// otherwise there.
    fn place(&mut self, name: Option<String>) {
        let Some(name) = name else {
            return;
        };
        if let Some((Kind::Markup, markup)) = self.0.last_mut()
            && let Some(at) = last_word(markup, &name)
        {
            let after = markup.split_off(at + name.len());
            markup.truncate(at);
            if markup.is_empty() {
                self.0.pop();
            }
            self.0.push((Kind::Call, name));
            self.push(Kind::Markup, &after);
        } else {
            self.0.push((Kind::Call, format!("({name})")));
        }
    }

    fn push(&mut self, kind: Kind, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
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

/// Where `text` stands next in the reply: at its beginning but for spaces, or else near. Nowhere,
/// at the beginning, if neither.
fn find(rest: &str, text: &str) -> Range<usize> {
    let is_black = |(_, c): &(usize, char)| !c.is_whitespace();
    let mut written = rest.char_indices().filter(is_black);
    let mut begin = None;
    let mut end = 0;
    for (_, wanted) in text.char_indices().filter(is_black) {
        match written.next().filter(|(_, c)| *c == wanted) {
            Some((at, c)) => {
                begin.get_or_insert(at);
                end = at + c.len_utf8();
            }
            None => return find_near(rest, text).unwrap_or_default(),
        }
    }
    begin.unwrap_or(0)..end
}

fn find_near(rest: &str, text: &str) -> Option<Range<usize>> {
    let near = rest.floor_char_boundary(text.len().saturating_add(AHEAD));
    let at = rest.get(..near)?.find(text)?;
    Some(at..at + text.len())
}

/// Where `word` stands last, not as a part of another word.
fn last_word(text: &str, word: &str) -> Option<usize> {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = text.rmatch_indices(word);
    let alone = found.find(|(at, _)| {
        let (before, rest) = text.split_at(*at);
        let after = rest.strip_prefix(word).unwrap_or_default();
        !before.ends_with(part_of_word) && !after.starts_with(part_of_word)
    });
    alone.map(|(at, _)| at)
}

#[cfg(test)]
mod tests;
