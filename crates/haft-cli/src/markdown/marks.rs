//! The marks at the beginning of a line that say what it is.

/// The mark at the beginning of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark<'a> {
    None,
    Heading(&'a str),
    Bullet,
    Number(&'a str),
    Quote,
}

/// The mark of a line, and the text after it.
pub(super) fn split_mark(line: &str) -> (Mark<'_>, &str) {
    let split = |length: usize| line.split_at_checked(length).unwrap_or((line, ""));
    let hashes = line.len() - line.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) && line.get(hashes..).is_some_and(|rest| rest.starts_with(' ')) {
        let (mark, text) = split(hashes + 1);
        return (Mark::Heading(mark), text.trim_start());
    }
    if let Some(text) = ["- ", "* ", "+ "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
    {
        return (Mark::Bullet, text.trim_start());
    }
    if let Some(text) = line.strip_prefix('>') {
        return (Mark::Quote, text.trim_start());
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_number = |mark: &str| {
        line.get(digits..)
            .is_some_and(|rest| rest.starts_with(mark))
    };
    if (1..=9).contains(&digits) && (is_number(". ") || is_number(") ")) {
        let (mark, text) = split(digits + 2);
        return (Mark::Number(mark), text.trim_start());
    }
    (Mark::None, line)
}

/// True while the first characters may still become a mark or a rule.
pub(super) fn is_undecided(begin: &str) -> bool {
    let Some(first) = begin.chars().next() else {
        return true;
    };
    match first {
        '#' => begin.chars().all(|c| c == '#') && begin.len() <= 6,
        // One is a bullet or emphasis; several alone may be a rule.
        '-' | '*' | '_' | '+' => begin.chars().all(|c| c == first),
        '0'..='9' => {
            let after = begin.trim_start_matches(|c: char| c.is_ascii_digit());
            begin.len() <= 9 && matches!(after, "" | "." | ")")
        }
        _ => false,
    }
}

pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    ["---", "***", "___"]
        .iter()
        .any(|rule| line.starts_with(rule))
}

/// The fence that a line opens.
pub(super) fn fence_of(line: &str) -> Option<&str> {
    let mark = line
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    line.get(..length).filter(|_| length >= 3)
}

/// True for a line that begins with code and not with a fence.
pub(super) fn is_code_span(begin: &str) -> bool {
    let mark = begin.starts_with('`');
    let ticks = begin.len() - begin.trim_start_matches('`').len();
    mark && ticks < 3 && ticks < begin.len()
}
