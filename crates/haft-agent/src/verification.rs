//! Whether a reply may stand as the answer although no call succeeded.
//!
//! A small model says "The front door is unlocked" without having looked. Where a call was surely
//! needed and none succeeded, such a reply is not the answer. That a call was needed is certain only
//! where the command engine understands every word of the question, knows a tool for it, and nobody
//! could know the answer without one; a wrong suspicion would take an answer from a capable model.
//! What a reply says about its own limits stands: a question back, a refusal, a failure that it
//! reports.

use std::sync::Arc;

use haft_command::Builtin;
use haft_core::{ContentBlock, Message, Tool, ToolStatus};
use haft_select::english::one_of;
use haft_select::{DialogueAct, SearchTools, stems};

use crate::text::{letters, sentences, words};

/// What a sentence says that admits to know or to have done nothing.
const LIMITS: &str = "did nothing|none of the|no idea|can not|could not|unable to|not able to|\
    do not have|does not have|do not know|not know|not sure|not certain|no access|no way to|\
    no information|no tool|sorry|apologize|apologies|unfortunately|failed|error|not found|\
    not find|no such|there is no|there are no|no device|not exist|unavailable|not available|\
    offline|did not|not possible|nothing was|as an ai";

/// How a sentence begins that states nothing.
const INVITING: &str = "please|let|if|you|try|sure|ok|okay|hello|hi|certainly|well|alright|understood|perhaps|maybe|thank|thanks";

/// Words that state how something is, or what was done.
const CLAIMS: &str = "done|turned|switched|set|now|running|dimmed|opened|changed|off|open|closed|\
    locked|unlocked|shut|inactive";

/// Verbs before "on" where it is a state.
const BEFORE_ON: &str = "is|are|currently|still|already";

/// The conversation of a question that ends with a reply without calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unproven<'a> {
    /// The messages up to the reply.
    pub(crate) conversation: &'a [Message],
    /// All tools of the agent.
    pub(crate) tools: &'a [Arc<dyn Tool>],
}

/// True when the command engine understands every word of the question, knows tools for it, and
/// nobody could answer it without one.
pub(crate) fn surely_needs_tool(question: &str, tools: &[Arc<dyn Tool>]) -> bool {
    Builtin::with_tools(tools).must_look_up(question)
}

impl Unproven<'_> {
    /// What to say in place of `reply`, if it states something that nobody looked up or did.
    pub(crate) fn answer(&self, reply: &str) -> Option<&'static str> {
        let question = self.question()?;
        let is_known = self.conversation.iter().any(is_success) || self.is_told(&question);
        if is_known || self.admits(reply) || !surely_needs_tool(&question, self.tools) {
            return None;
        }
        Some(match DialogueAct::of(&question) {
            DialogueAct::Command => "No tool call succeeded, so nothing was done.",
            _ => "No tool gave an answer, so I could not find that out.",
        })
    }

    /// True for a reply that admits its limits to a question that surely needs a tool, although
    /// nobody called one. A question back is none.
    pub(crate) fn is_excuse(&self, reply: &str) -> bool {
        let admits = || sentences(reply).into_iter().any(has_limits);
        let is_question_back = reply.trim_end().ends_with('?');
        self.question().is_some_and(|question| {
            !is_question_back
                && !self.is_told(&question)
                && admits()
                && surely_needs_tool(&question, self.tools)
        })
    }

    /// The question, if it is words alone: a picture or a piped text may hold the answer.
    fn question(&self) -> Option<String> {
        let mut messages = self.conversation.iter().rev();
        let question = messages.find_map(|message| match message {
            Message::Human(question) => Some(&question.content),
            _ => None,
        })?;
        let blocks = question.blocks();
        let is_text = |block: &ContentBlock| matches!(block, ContentBlock::Text { .. });
        blocks.iter().all(is_text).then(|| question.text())
    }

    /// True when the system message may hold the answer: a time, or the states of a home.
    fn is_told(&self, question: &str) -> bool {
        let asked = stems(question);
        self.conversation.iter().any(|message| match message {
            Message::System(system) => {
                let text = system.content.text();
                text.contains(|c: char| c.is_ascii_digit())
                    || stems(&text).iter().any(|stem| asked.contains(stem))
            }
            _ => false,
        })
    }

    /// True for a reply that states nothing but its own limits.
    fn admits(&self, reply: &str) -> bool {
        let stating: Vec<&str> = sentences(reply)
            .into_iter()
            .filter(|sentence| !is_harmless(sentence) && !self.is_reported(sentence))
            .collect();
        let has_limits = || sentences(reply).into_iter().any(has_limits);
        stating.is_empty() || (has_limits() && !stating.iter().any(|sentence| claims(sentence)))
    }

    /// True for a sentence of a failed call.
    fn is_reported(&self, sentence: &str) -> bool {
        let sentence = letters(sentence);
        self.conversation.iter().any(|message| match message {
            Message::Tool(result) => letters(&result.content.text()).contains(&sentence),
            _ => false,
        })
    }
}

fn is_success(message: &Message) -> bool {
    match message {
        Message::Tool(result) => {
            result.status == ToolStatus::Success
                && result.name.as_deref() != Some(SearchTools::NAME)
        }
        _ => false,
    }
}

fn is_harmless(sentence: &&str) -> bool {
    let words = words(sentence);
    sentence.ends_with('?') || has_limits(sentence) || is_inviting(&words) && !claims(sentence)
}

/// True for the beginning of an offer, a request or a remark.
fn is_inviting(words: &[String]) -> bool {
    let mut words = words.iter();
    match words.next().map(String::as_str) {
        Some("i") => words
            .next()
            .is_some_and(|verb| one_of(verb, "can|could|would")),
        Some(first) => one_of(first, INVITING),
        None => false,
    }
}

fn has_limits(sentence: &str) -> bool {
    let said = format!(" {} ", words(sentence).join(" "));
    let mut limits = LIMITS.split('|');
    limits.any(|limit| said.contains(&format!(" {limit} ")))
}

/// True for a sentence with a number, a state or a deed.
fn claims(sentence: &str) -> bool {
    let words = words(sentence);
    let is_claim =
        |word: &String| word.contains(|c: char| c.is_ascii_digit()) || one_of(word, CLAIMS);
    let is_on =
        |pair: &[String]| matches!(pair, [verb, on] if on == "on" && one_of(verb, BEFORE_ON));
    words.iter().any(is_claim) || words.windows(2).any(is_on)
}

#[cfg(test)]
mod tests;
