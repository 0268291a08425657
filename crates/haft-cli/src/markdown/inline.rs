//! Emphasis, code and links within a line.

use anstyle::{AnsiColor, Style};

/// How far the end of an emphasis is waited for, in bytes; a mark without an end is text.
const FAR: usize = 400;

const CODE: Style = AnsiColor::Cyan.on_default();
const LINK: Style = Style::new().underline();
const ADDRESS: Style = Style::new().dimmed();

/// Text of one style.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) text: String,
    pub(super) style: Style,
}

/// How much of a line is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// More may follow: the last word is held back, and so is an emphasis without its end.
    Beginning,
    Whole,
}

/// The spans of a line, and the length of the text that they stand for.
pub(super) fn inline(text: &str, part: Part) -> (Vec<Span>, usize) {
    let mut reader = Reader::default();
    let mut place = 0;
    while let Some(rest) = text.get(place..).filter(|rest| !rest.is_empty()) {
        let before = text.get(..place).and_then(|text| text.chars().next_back());
        match construct(rest, before) {
            Found::Text(length) => {
                let end = place + length;
                let character = text.get(place..end).unwrap_or_default();
                let character = match length {
                    2 if character.starts_with('\\') => character.trim_start_matches('\\'),
                    _ => character,
                };
                // A backslash before another one.
                reader.plain(if character.is_empty() {
                    "\\"
                } else {
                    character
                });
                place = end;
                if is_boundary(character) {
                    reader.boundary(place);
                }
            }
            Found::Spans(spans, length) => {
                spans.into_iter().for_each(|span| reader.span(span));
                place += length;
            }
            Found::Open(_) if part == Part::Beginning && rest.len() < FAR => break,
            Found::Open(mark) => {
                reader.plain(mark);
                place += mark.len();
            }
        }
    }
    match part {
        Part::Whole => (reader.spans, place),
        Part::Beginning => reader.certain(),
    }
}

/// The text of a line without its marks.
pub(super) fn without_marks(text: &str) -> String {
    let (spans, _) = inline(text, Part::Whole);
    spans.into_iter().map(|span| span.text).collect()
}

/// The spans so far.
#[derive(Default)]
struct Reader {
    spans: Vec<Span>,
    /// The state at the end of the last complete word: number of spans, length of the last one,
    /// and the place in the text.
    word_end: WordEnd,
}

#[derive(Clone, Copy, Default)]
struct WordEnd {
    spans: usize,
    last_length: usize,
    place: usize,
}

impl Reader {
    fn plain(&mut self, text: &str) {
        match self.spans.last_mut() {
            Some(last) if last.style == Style::new() => last.text.push_str(text),
            _ => self.span(Span {
                text: text.to_owned(),
                style: Style::new(),
            }),
        }
    }

    fn span(&mut self, span: Span) {
        self.spans.push(span);
    }

    fn boundary(&mut self, place: usize) {
        self.word_end = WordEnd {
            spans: self.spans.len(),
            last_length: self.spans.last().map_or(0, |last| last.text.len()),
            place,
        };
    }

    /// What stands before the last word.
    fn certain(mut self) -> (Vec<Span>, usize) {
        self.spans.truncate(self.word_end.spans);
        if let Some(last) = self.spans.last_mut() {
            last.text.truncate(self.word_end.last_length);
        }
        (self.spans, self.word_end.place)
    }
}

/// What the rest of a line begins with.
enum Found {
    /// A character of so many bytes.
    Text(usize),
    /// Styled text that takes so many bytes.
    Spans(Vec<Span>, usize),
    /// A mark whose end is missing.
    Open(&'static str),
}

/// A mark of emphasis, its style, and whether it may stand within a word.
const MARKS: [(&str, Style); 5] = [
    ("**", Style::new().bold()),
    ("__", Style::new().bold()),
    ("~~", Style::new().strikethrough()),
    ("*", Style::new().italic()),
    ("_", Style::new().italic()),
];

fn construct(rest: &str, before: Option<char>) -> Found {
    let first = rest.chars().next().map_or(1, char::len_utf8);
    if let Some(after) = rest.strip_prefix('\\') {
        let escaped = after.starts_with(|c: char| c.is_ascii_punctuation());
        return Found::Text(if escaped { 2 } else { 1 });
    }
    if rest.starts_with('`') {
        return code(rest);
    }
    if let Some(after) = rest.strip_prefix('[') {
        return link(after);
    }
    if let Some((mark, style)) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark)) {
        let in_word = before.is_some_and(char::is_alphanumeric);
        let after = rest.get(mark.len()..).unwrap_or_default();
        let opens = !after.starts_with(char::is_whitespace) && (!in_word || *mark == "**");
        return match after.is_empty() || opens {
            true => emphasis(after, mark, *style),
            false => Found::Text(mark.len()),
        };
    }
    Found::Text(first)
}

/// Text between two equal marks.
fn emphasis(after: &str, mark: &'static str, style: Style) -> Found {
    let mut from = 0;
    while let Some(found) = after.get(from..).and_then(|rest| rest.find(mark)) {
        let end = from + found;
        let (inner, behind) = after.split_at_checked(end).unwrap_or((after, ""));
        let behind = behind.get(mark.len()..).unwrap_or_default();
        // A single mark within a double one is not the end.
        let doubled = mark.len() == 1 && (behind.starts_with(mark) || inner.ends_with(mark));
        let in_word = mark != "**" && behind.starts_with(char::is_alphanumeric);
        if inner.is_empty() || inner.ends_with([' ', '\\']) || doubled || in_word {
            from = end + mark.len();
            continue;
        }
        let (spans, _) = inline(inner, Part::Whole);
        let spans = spans.into_iter().map(|span| Span {
            style: super::merged(style, span.style),
            ..span
        });
        return Found::Spans(spans.collect(), end + 2 * mark.len());
    }
    Found::Open(mark)
}

/// Code between equally many backticks.
fn code(rest: &str) -> Found {
    let after = rest.trim_start_matches('`');
    let ticks = rest.len() - after.len();
    let fence = rest.get(..ticks).unwrap_or("`");
    let Some(end) = after.find(fence) else {
        return Found::Open("`");
    };
    let text = after.get(..end).unwrap_or_default().to_owned();
    Found::Spans(vec![Span { text, style: CODE }], end + 2 * ticks)
}

/// A link: its text, then its address.
fn link(after: &str) -> Found {
    let Some(end) = after.find(']') else {
        return Found::Open("[");
    };
    let (text, behind) = after.split_at_checked(end).unwrap_or((after, ""));
    let behind = behind.get(1..).unwrap_or_default();
    if behind.is_empty() {
        return Found::Open("[");
    }
    let Some(address) = behind.strip_prefix('(') else {
        return Found::Text(1);
    };
    let Some(close) = address.find(')') else {
        return Found::Open("[");
    };
    let address = address.get(..close).unwrap_or_default();
    let shown = |text: &str, style| Span {
        text: text.to_owned(),
        style,
    };
    let mut spans = vec![shown(text, LINK)];
    if address != text {
        spans.push(shown(&format!(" ({address})"), ADDRESS));
    }
    // [text](address)
    Found::Spans(spans, end + close + 4)
}

/// True for what a line may be broken after: a space, or a wide character.
fn is_boundary(character: &str) -> bool {
    character == " " || unicode_width::UnicodeWidthStr::width(character) == 2
}
