//! Records how a reply was parsed, piece by piece, for `--explain`.
//!
//! An extractor omits pieces without meaning, such as the line end before a marker, and reports a
//! tool by its bound name. Here both are located in the reply again.

use std::ops::Range;

use haft::extract::Piece;

/// The maximum distance in bytes at which a piece is searched for in the reply: more than the space
/// between two pieces, and small enough that the work stays linear.
const AHEAD: usize = 16 * 1024;

/// The classification of a piece of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thinking,
    /// Markers, wrappers, separators, and everything that has no other kind.
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

/// The pieces in order. Adjacent pieces of one kind are merged, so that chunking makes no
/// difference.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Trail {
    pieces: Vec<(Kind, String)>,
    open: Vec<OpenCall>,
}

/// A call whose end was not reported yet.
#[derive(Debug, PartialEq, Eq)]
struct OpenCall {
    /// Its number in the reply.
    index: usize,
    /// The position of its first piece.
    start: usize,
}

impl Trail {
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Kind, &str)> {
        self.pieces
            .iter()
            .map(|(kind, text)| (*kind, text.as_str()))
    }

    /// Adds the next piece.
    pub(super) fn add(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Text(text) => self.push(Kind::Text, text),
            Piece::Reasoning(text) => self.push(Kind::Thinking, text),
            Piece::Syntax(text) => self.push(Kind::Markup, text),
            Piece::CallStart { index, name } => self.begin(*index, name),
            Piece::CallArgs { fragment, .. } => self.push(Kind::Arguments, fragment),
            Piece::CallEnd { index, .. } | Piece::Invalid { index, .. } => {
                self.open.retain(|call| call.index != *index);
            }
            Piece::ThinkingEnded => self.all_was_thinking(),
            _ => {}
        }
    }

    /// A call begins, or one that was announced before begins again.
    fn begin(&mut self, index: usize, name: &str) {
        let is_same = |call: &OpenCall| {
            let piece = self.pieces.get(call.start);
            call.index == index && piece.is_some_and(|(_, known)| known == name)
        };
        if let Some(at) = self.open.iter().position(is_same) {
            let call = self.open.swap_remove(at);
            self.take_back(call.start);
        }
        let start = self.pieces.len();
        self.open.push(OpenCall { index, start });
        self.pieces.push((Kind::Call, name.to_owned()));
    }

    /// Removes the pieces since `start`, because the extractor reports them again as another kind.
    fn take_back(&mut self, start: usize) {
        let behind = self.pieces.get(start + 1).map(|(kind, _)| *kind);
        let len = 1 + usize::from(behind == Some(Kind::Arguments));
        self.pieces.drain(start..start + len);
        for call in self.open.iter_mut().filter(|call| call.start > start) {
            call.start -= len;
        }
    }

    /// True if the arguments of the unfinished call at `start` were reported as text afterwards.
    fn came_as_text(&self, start: usize) -> bool {
        let mut behind = self.pieces.iter().skip(start + 1);
        let Some((Kind::Arguments, arguments)) = behind.next() else {
            return false;
        };
        behind.any(|(kind, text)| *kind == Kind::Text && text.contains(arguments.as_str()))
    }

    /// The trail over the whole reply, with the omitted parts and with names at their positions.
    pub(super) fn laid_over(mut self, reply: &str) -> Self {
        while let Some(call) = self.open.pop() {
            if self.came_as_text(call.start) {
                self.take_back(call.start);
            }
        }
        let mut laid = Self::default();
        let mut rest = reply;
        let mut name = None;
        for (kind, text) in self.pieces {
            if kind == Kind::Call {
                laid.place(name.replace(text));
                continue;
            }
            if text.trim().is_empty() {
                continue;
            }
            let mut found = find(rest, &text);
            if found.is_empty() && kind == Kind::Arguments {
                found = find_loosely(rest, &text).unwrap_or(found);
            }
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

    /// Marks the tool's name in the last markup, or adds it if it is spelled differently there.
    fn place(&mut self, name: Option<String>) {
        let Some(name) = name else {
            return;
        };
        if let Some((Kind::Markup, markup)) = self.pieces.last_mut()
            && let Some(at) = last_word(markup, &name)
        {
            let after = markup.split_off(at + name.len());
            markup.truncate(at);
            if markup.is_empty() {
                self.pieces.pop();
            }
            self.pieces.push((Kind::Call, name));
            self.push(Kind::Markup, &after);
        } else {
            self.pieces.push((Kind::Call, format!("({name})")));
        }
    }

    fn push(&mut self, kind: Kind, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some((last, so_far)) if *last == kind => so_far.push_str(text),
            _ => self.pieces.push((kind, text.to_owned())),
        }
    }

    fn all_was_thinking(&mut self) {
        for (kind, text) in std::mem::take(self).pieces {
            match kind {
                Kind::Call => {}
                Kind::Markup => self.push(kind, &text),
                _ => self.push(Kind::Thinking, &text),
            }
        }
    }
}

/// The next position of `text` in the reply: at the beginning after spaces, or nearby; an empty
/// range at the beginning if it is not found.
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

/// The position of arguments that were repaired before they were reported: between the first
/// brackets that contain the same letters and digits.
fn find_loosely(rest: &str, text: &str) -> Option<Range<usize>> {
    const MOST: usize = 16;
    let near = rest.floor_char_boundary(text.len().saturating_add(AHEAD));
    let near = rest.get(..near)?;
    let mut starts = near.match_indices(['{', '(', '[']).take(MOST);
    starts.find_map(|(start, _)| {
        let len = same_letters(near.get(start..)?, text)?;
        Some(start..start + len)
    })
}

/// The length of the bracketed part at the beginning of `written`, if it contains exactly the
/// letters and digits of `text`.
fn same_letters(written: &str, text: &str) -> Option<usize> {
    let letters = |c: &char| c.is_alphanumeric();
    let mut wanted = text.chars().filter(letters).flat_map(char::to_lowercase);
    let mut depth = 0_usize;
    for (at, c) in written.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            c if c.is_alphanumeric() && !c.to_lowercase().all(|c| wanted.next() == Some(c)) => {
                return None;
            }
            _ => {}
        }
        if depth == 0 {
            return wanted.next().is_none().then_some(at + c.len_utf8());
        }
    }
    None
}

/// The last position of `word` as a whole word.
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
