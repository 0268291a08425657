//! Whether a reply to a chat template starts inside thinking: how the prompt of the template ends, and
//! whether it opens a thought that the reply goes on with. Which format the template asks for is told
//! by the signs in [`formats`](crate::formats).
//!
//! A template is a program in Jinja (Hugging Face, llama.cpp) or Go (Ollama). It is not run: only its
//! end is followed, from the place where it asks for a reply, with what
//! servers set by default. Where the outcome hangs on more than that, the answer is no.

mod parts;

use crate::{formats::Role, limits, scan::whole_tag};

use parts::{Part, Settings, in_parentheses, outside_quotes, parts_of, quoted_length};

/// The variable by which a Jinja template is asked for the beginning of a reply.
const ASKED: &str = "add_generation_prompt";

/// Where the prompt may be: some of the places below, more than one where that hangs on what is not
/// known.
type Ending = u8;

/// In a branch that is not taken.
const NOWHERE: Ending = 0;
const OUTSIDE: Ending = 1;
const INSIDE: Ending = 2;

/// A condition or loop that is open. Of one that stands around the beginning, the other branches are
/// not taken, as where this one is empty.
#[derive(Default)]
struct Block {
    /// Where the prompt is that comes to its next branch, or past it.
    before: Ending,
    /// Where it is at the ends of the branches so far.
    after: Ending,
}

/// True when the prompt of a chat template ends with an opening thinking tag, unless it is told
/// otherwise.
pub(crate) fn starts_thinking(template: &str) -> bool {
    if template.len() > limits::TEMPLATE {
        return false;
    }
    let settings = Settings::of(template);
    let parts = parts_of(template);
    let asks = |part: &Part<'_>| match part {
        Part::Text(_) => false,
        Part::Output(code) => code.contains(ASKED),
        Part::Tag(code) => condition_of(code)
            .is_some_and(|code| code.contains(ASKED) && settings.truth(code) != Some(false)),
    };
    let ending = match parts.iter().rposition(asks) {
        Some(at) => jinja(parts.get(at..).unwrap_or_default(), &settings),
        None if template.contains("{%") => OUTSIDE,
        None => go(&parts),
    };
    ending == INSIDE
}

/// The end of a Jinja template from where it begins a reply.
fn jinja(parts: &[Part<'_>], settings: &Settings) -> Ending {
    let mut ending = OUTSIDE;
    let mut open: Vec<Block> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Text(_) | Part::Output(_) if ending == NOWHERE => {}
            Part::Text(text) => ending = after_text(ending, text),
            Part::Output(code) => ending = after_output(ending, code, settings),
            Part::Tag(code) => {
                let word = code.split_ascii_whitespace().next().unwrap_or_default();
                let mut block = match word {
                    "if" | "for" => Block::default(),
                    "elif" | "else" | "endif" | "endfor" => open.pop().unwrap_or_default(),
                    _ => continue,
                };
                match word {
                    "if" | "for" => block.before = ending,
                    _ => block.after |= ending,
                }
                let taken = match (word, condition_of(code)) {
                    // The first one asks for the reply: it counts as true.
                    ("if", _) if at == 0 => Some(true),
                    ("if" | "for", None) => None,
                    (_, condition) => condition.map_or(Some(true), |it| settings.truth(it)),
                };
                ending = block.before;
                match taken {
                    _ if word.starts_with("end") => {
                        ending |= block.after;
                        continue;
                    }
                    Some(true) => block.before = NOWHERE,
                    Some(false) => ending = NOWHERE,
                    None => {}
                }
                open.push(block);
            }
        }
    }
    ending
}

/// The end of a Go template: its last text, unless a setting decides about that.
fn go<'t>(parts: &[Part<'t>]) -> Ending {
    let text = |(at, part): (usize, &Part<'t>)| match *part {
        Part::Text(text) if !text.trim().is_empty() => Some((at, text)),
        _ => None,
    };
    let last = parts.iter().enumerate().rev().find_map(text);
    let (at, text) = last.unwrap_or_default();
    let decides = |part: &Part<'_>| matches!(part, Part::Output(code) if code.contains("Think"));
    let mut around = parts.iter().skip(at.saturating_sub(1)).take(at.min(1) + 2);
    match around.any(decides) {
        true => INSIDE | OUTSIDE,
        false => after_text(OUTSIDE, text),
    }
}

/// The condition of `if` and `elif`.
fn condition_of(code: &str) -> Option<&str> {
    code.strip_prefix("if ").or(code.strip_prefix("elif "))
}

/// Where the prompt is after a text; blank text, also in escapes, changes nothing.
fn after_text(ending: Ending, text: &str) -> Ending {
    let mut text = text.trim_end();
    while let Some(shorter) = text.strip_suffix("\\n") {
        text = shorter.trim_end();
    }
    if text.is_empty() {
        return ending;
    }
    let last = text.rfind(['<', '[']).and_then(|at| text.get(at..));
    let last = last.unwrap_or_default();
    let opens = whole_tag(last).filter(|tag| tag.len == last.len() && tag.opens(Role::Thinking));
    if opens.is_some() { INSIDE } else { OUTSIDE }
}

/// Where the prompt is after the value of an expression.
fn after_output(ending: Ending, code: &str, settings: &Settings) -> Ending {
    let code = in_parentheses(code).unwrap_or(code);
    let Some((yes, rest)) = outside_quotes(code, " if ") else {
        return after_sum(ending, code);
    };
    let (condition, no) = outside_quotes(rest, " else ").unwrap_or((rest, ""));
    let (yes, no) = (after_sum(ending, yes), after_sum(ending, no));
    match settings.truth(condition) {
        Some(true) => yes,
        Some(false) => no,
        None => yes | no,
    }
}

/// Where the prompt is after texts in quotes and what else stands between them.
fn after_sum(mut ending: Ending, code: &str) -> Ending {
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, quoted) = rest.split_at(at);
        if before.contains(" if ") {
            // A choice within a sum is not followed.
            return INSIDE | OUTSIDE;
        }
        if !is_glue(before) {
            ending = OUTSIDE;
        }
        let len = quoted_length(quoted);
        let inner = quoted.get(1..len.saturating_sub(1));
        ending = after_text(ending, inner.unwrap_or_default());
        rest = quoted.get(len..).unwrap_or_default();
    }
    if is_glue(rest) { ending } else { OUTSIDE }
}

fn is_glue(code: &str) -> bool {
    code.bytes()
        .all(|byte| byte.is_ascii_whitespace() || b"+~()".contains(&byte))
}

#[cfg(test)]
mod tests;
