//! The lines of system prompts that change with every request. There are three rules, and a line
//! must match one as a whole; lines inside of code fences never do.
//!
//! 1. **Billing line** (removed): `x-anthropic-billing-header: cc_version=2.1.37.0d9;
//!    cc_entrypoint=cli; cch=fa690;`, the first line of Claude Code's system prompt. Its `cch` is new
//!    in every request, and it means nothing to a model (anthropics/claude-code#68900,
//!    ggml-org/llama.cpp#21793, waybarrios/vllm-mlx#277).
//! 2. **Token counters** (moved): `<total_tokens>14999436 tokens left</total_tokens>` of Claude Code
//!    (jundot/omlx#2881, ollama/ollama#17918), and `Token usage: 35000/200000; 165000 remaining`, bare
//!    or in `<system_warning>` (docs.anthropic.com, "Context windows", context awareness) or
//!    `<system-reminder>`.
//! 3. **The time of day** (moved): `Current date and time: Monday, March 9, 2026 at 06:00:31 PM PDT`
//!    (earendil-works/pi#2013), `The current date and time is ...` (Mintplex-Labs/anything-llm#6398),
//!    a heading `## Current Time` with the time below (HKUDS/nanobot#226), and `Current time is
//!    14:05:11. Today's date is 2026-11-25.` (home-assistant/core, `helpers/llm.py`).
//!
//! A date without a time of day stays: it changes once a day. So do working directories and the
//! state of a repository, which clients read once per session.

use memchr::memmem;

use super::moment::{self, Precision};

/// One of these is in every text that has a volatile line. Most texts have none, so most are not
/// read line by line.
const SIGNS: [&str; 9] = [
    BILLING,
    "<total_tokens>",
    "Token usage: ",
    "urrent time",
    "urrent Time",
    "urrent date",
    "urrent Date",
    "urrent local",
    "urrent Local",
];

const BILLING: &str = "x-anthropic-billing-header:";

/// Tags around a counter.
const TAGS: [(&str, &str); 2] = [
    ("<system_warning>", "</system_warning>"),
    ("<system-reminder>", "</system-reminder>"),
];

/// What may stand before the time, in lower case and without an article.
const LABELS: [&str; 7] = [
    "current date and time",
    "current date/time",
    "current datetime",
    "current local time",
    "current time",
    "current date",
    "today's date",
];

/// Where a system message stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Before everything that was said.
    Beginning,
    /// Between messages.
    Later,
}

/// A text without its volatile lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parted {
    pub(super) stable: String,
    /// The lines to move.
    pub(super) moved: Vec<String>,
}

/// The parts of a text with volatile lines; `None` if it has none.
pub(super) fn parted(text: &str, place: Place) -> Option<Parted> {
    let has = |sign: &&str| memmem::find(text.as_bytes(), sign.as_bytes()).is_some();
    if !SIGNS.iter().any(has) {
        return None;
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut stable = String::with_capacity(text.len());
    let (mut moved, mut index, mut in_code) = (Vec::new(), 0, false);
    if place == Place::Beginning {
        index = behind_billing(&lines);
    }
    let start = index;
    while let Some(rest) = lines.get(index..).filter(|rest| !rest.is_empty()) {
        let line = rest.first().copied().unwrap_or_default();
        let fence = line.trim_start();
        in_code ^= fence.starts_with("```") || fence.starts_with("~~~");
        let count = if in_code { 0 } else { volatile(rest) };
        if count == 0 {
            stable.push_str(line);
            index += 1;
            continue;
        }
        let found: String = rest.iter().take(count).copied().collect();
        moved.push(found.trim().to_owned());
        index += count;
    }
    if start == 0 && moved.is_empty() {
        return None;
    }
    if !moved.is_empty() {
        stable.truncate(stable.trim_end().len());
    }
    Some(Parted { stable, moved })
}

/// The number of lines up to the first one after the billing line; 0 if there is no billing line.
fn behind_billing(lines: &[&str]) -> usize {
    let is_blank = |line: &&&str| line.trim().is_empty();
    let before = lines.iter().take_while(is_blank).count();
    let rest = lines.get(before..).unwrap_or_default();
    match rest.split_first() {
        Some((first, after)) if first.trim_start().starts_with(BILLING) => {
            before + 1 + after.iter().take_while(is_blank).count()
        }
        _ => 0,
    }
}

/// How many of the first lines together are volatile.
fn volatile(lines: &[&str]) -> usize {
    let line = |index: usize| lines.get(index).copied().unwrap_or_default().trim();
    let first = line(0);
    if is_counter(first) || tells_time(first) {
        return 1;
    }
    let is_heading = first.starts_with('#')
        && label_of(first.trim_start_matches('#').trim_start()).is_some_and(str::is_empty);
    if is_heading && moment::precision(line(1)) == Some(Precision::TimeOfDay) {
        return 2;
    }
    let is_framed = |(open, close): &(&str, &str)| first == *open && line(2) == *close;
    if TAGS.iter().any(is_framed) && is_counter(line(1)) {
        return 3;
    }
    0
}

fn is_counter(line: &str) -> bool {
    let tagged = TAGS
        .iter()
        .find_map(|(open, close)| within(line, open, close));
    let line = tagged.unwrap_or(line);
    if let Some(left) = within(line, "<total_tokens>", "</total_tokens>") {
        return left.strip_suffix(" tokens left").is_some_and(is_number);
    }
    let counts = within(line, "Token usage: ", " remaining");
    let counts = counts.and_then(|counts| counts.split_once("; "));
    counts.is_some_and(|(used, left)| {
        let used = used.split_once('/');
        is_number(left) && used.is_some_and(|(used, of)| is_number(used) && is_number(of))
    })
}

fn within<'a>(line: &'a str, open: &str, close: &str) -> Option<&'a str> {
    Some(line.strip_prefix(open)?.strip_suffix(close)?.trim())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == ',')
}

/// Whether the line says what time it is, and nothing else but the date.
fn tells_time(line: &str) -> bool {
    /// Longer lines say more than the time.
    const LONGEST: usize = 160;
    if line.len() > LONGEST {
        return false;
    }
    let line = line.replace("**", "");
    let line = line
        .strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))
        .unwrap_or(&line);
    let mut has_time = false;
    for sentence in line.trim().trim_end_matches('.').split(". ") {
        let value = label_of(sentence).and_then(|rest| {
            let rest = rest
                .strip_prefix(':')
                .or_else(|| rest.strip_prefix(" is"))?;
            moment::precision(rest)
        });
        match value {
            Some(precision) => has_time |= precision == Precision::TimeOfDay,
            None => return false,
        }
    }
    has_time
}

/// What comes after a label at the beginning of the text.
fn label_of(text: &str) -> Option<&str> {
    let start = text
        .get(..4)
        .is_some_and(|the| the.eq_ignore_ascii_case("the "));
    let text = if start { text.get(4..)? } else { text };
    LABELS.iter().find_map(|label| {
        let (start, rest) = text.split_at_checked(label.len())?;
        start.eq_ignore_ascii_case(label).then_some(rest)
    })
}
