//! Whether a reply to a chat template starts inside thinking: how the prompt of the template ends, and
//! whether it opens a thought that the reply goes on with. Which format the template asks for is told
//! by the signs in [`formats`](crate::formats).
//!
//! A template is a program in Jinja (Hugging Face, llama.cpp) or Go (Ollama). It is not run: only its
//! end is followed, from the place where it asks for a reply, with what
//! servers set by default. Where the outcome hangs on more than that, the answer is no.

mod parts;

use crate::{formats::Role, limits, scan::whole_tag};

use parts::{Part, Parts, Settings, either, in_parentheses, outside_quotes, quoted_length};

/// The variable by which a Jinja template is asked for the beginning of a reply.
const ASKED: &str = "add_generation_prompt";

/// Whether the prompt is inside a thought; nothing where that hangs on what is not known.
type Ending = Option<bool>;

/// A condition or loop that is open.
struct Block {
    before: Ending,
    /// The end of the branches so far that may be taken, if any may.
    after: Option<Ending>,
    /// Whether the current branch is taken, as far as that is known.
    taken: Option<bool>,
    /// One branch so far surely is.
    decided: bool,
}

/// True when the prompt of a chat template ends with an opening thinking tag, unless it is told
/// otherwise.
pub(crate) fn starts_thinking(template: &str) -> bool {
    if template.len() > limits::TEMPLATE {
        return false;
    }
    let settings = Settings::of(template);
    let parts: Vec<Part<'_>> = Parts(template).collect();
    let asks = |part: &Part<'_>| match part {
        Part::Text(_) => false,
        Part::Output(code) => code.contains(ASKED),
        Part::Tag(code) => condition_of(code)
            .is_some_and(|code| code.contains(ASKED) && settings.truth(code) != Some(false)),
    };
    let ending = match parts.iter().rposition(asks) {
        Some(at) => jinja(parts.get(at..).unwrap_or_default(), &settings),
        None if template.contains("{%") => Some(false),
        None => go(&parts),
    };
    ending == Some(true)
}

/// The end of a Jinja template from where it begins a reply.
fn jinja(parts: &[Part<'_>], settings: &Settings) -> Ending {
    let mut ending = Some(false);
    let mut open: Vec<Block> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Text(text) => ending = after_text(ending, text),
            Part::Output(code) => ending = after_output(ending, code, settings),
            Part::Tag(code) => match code.split_ascii_whitespace().next() {
                // The first one asks for the reply: it counts as true.
                Some("if") if at == 0 => open.push(Block::new(ending, Some(true))),
                Some("if") => {
                    let taken = condition_of(code).and_then(|it| settings.truth(it));
                    open.push(Block::new(ending, taken));
                }
                Some("for") => open.push(Block::new(ending, None)),
                Some("elif" | "else") => {
                    let taken = condition_of(code).map_or(Some(true), |it| settings.truth(it));
                    match open.last_mut() {
                        Some(block) => {
                            block.end_branch(ending);
                            block.taken = if block.decided { Some(false) } else { taken };
                            block.decided |= taken == Some(true);
                            ending = block.before;
                        }
                        // Of what stands around the beginning, the other branches are not taken.
                        None => open.push(Block {
                            after: Some(ending),
                            decided: true,
                            ..Block::new(ending, Some(false))
                        }),
                    }
                }
                Some("endif" | "endfor") => {
                    if let Some(mut block) = open.pop() {
                        block.end_branch(ending);
                        ending = match block.after {
                            Some(after) if block.decided => after,
                            Some(after) => either(after, block.before),
                            None => block.before,
                        };
                    }
                }
                _ => {}
            },
        }
    }
    ending
}

/// The end of a Go template: its last text, unless a setting decides about that.
fn go(parts: &[Part<'_>]) -> Ending {
    let is_text = |part: &Part<'_>| matches!(part, Part::Text(text) if !text.trim().is_empty());
    let at = parts.iter().rposition(is_text)?;
    let decides = |part: &Part<'_>| matches!(part, Part::Output(code) if code.contains("Think"));
    let around = parts.get(at.saturating_sub(1)..).unwrap_or_default();
    match parts.get(at) {
        _ if around.iter().take(at.min(1) + 2).any(decides) => None,
        Some(Part::Text(text)) => after_text(Some(false), text),
        _ => Some(false),
    }
}

impl Block {
    fn new(before: Ending, taken: Option<bool>) -> Self {
        Self {
            before,
            after: None,
            taken,
            decided: taken == Some(true),
        }
    }

    fn end_branch(&mut self, ending: Ending) {
        if self.taken != Some(false) {
            self.after = Some(self.after.map_or(ending, |after| either(after, ending)));
        }
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
    Some(whole_tag(last).is_some_and(|tag| tag.len == last.len() && tag.opens(Role::Thinking)))
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
        None => either(yes, no),
    }
}

/// Where the prompt is after texts in quotes and what else stands between them.
fn after_sum(mut ending: Ending, code: &str) -> Ending {
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, quoted) = rest.split_at(at);
        if before.contains(" if ") {
            // A choice within a sum is not followed.
            return None;
        }
        if !is_glue(before) {
            ending = Some(false);
        }
        let len = quoted_length(quoted);
        let inner = quoted.get(1..len.saturating_sub(1));
        ending = after_text(ending, inner.unwrap_or_default());
        rest = quoted.get(len..).unwrap_or_default();
    }
    if is_glue(rest) { ending } else { Some(false) }
}

fn is_glue(code: &str) -> bool {
    code.bytes()
        .all(|byte| byte.is_ascii_whitespace() || b"+~()".contains(&byte))
}

#[cfg(test)]
mod tests;
