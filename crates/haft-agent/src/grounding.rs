//! Whether an answer agrees with the results of the calls of its question.
//!
//! A small model reads "off" and writes "on", repeats the tags around a result, or talks of
//! something else. Only what is certainly wrong is found: a state opposite to the one in the results,
//! a number with a unit or a time of day that is in no result, not in the question and not to be
//! computed from them, a result repeated as data, a text that has no word with question and results in
//! common. Everything else stands, long answers in particular. `states` and `numbers` have the two
//! harder comparisons.

mod numbers;
mod states;

use std::fmt;

use haft_command::{device_states, spoken};
use haft_core::{Message, ToolMessage, ToolStatus};
use haft_select::stems;
use serde_json::Value;

use crate::text::{letters, numbers as numbers_in, said_numbers, sentences, words};

/// Longer answers put results in ways that cannot be judged here.
const MOST_SENTENCES: usize = 2;

/// An answer is off topic only if so many of its words say something.
const TELLING_WORDS: usize = 6;

/// A result with more devices is a listing.
const LISTING: usize = 3;

/// The results that an answer is replaced with at most.
const MOST_RESULTS: usize = 3;

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ungrounded {
    /// It repeats a result as data.
    Echo,
    /// It states the opposite of a result.
    State,
    /// It has a number or a time from nowhere.
    Number,
    /// It is about something else.
    OffTopic,
}

impl fmt::Display for Ungrounded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Echo => "the answer repeats the data of a result",
            Self::State => "the answer states the opposite of a result",
            Self::Number => "the answer has a number that is in no result",
            Self::OffTopic => "the answer has nothing to do with question and results",
        })
    }
}

/// A question and the results of the calls that were made for it.
#[derive(Debug)]
pub(crate) struct Evidence<'a> {
    question: String,
    /// The results of calls that succeeded, in order.
    results: Vec<&'a ToolMessage>,
}

impl<'a> Evidence<'a> {
    /// What a conversation holds since the last message of the user; none without a result.
    pub(crate) fn of(conversation: &'a [Message]) -> Option<Self> {
        let is_question = |message: &Message| matches!(message, Message::Human(_));
        let start = conversation.iter().rposition(is_question)?;
        let question = conversation.get(start)?.content().text();
        let since = conversation.get(start..)?;
        let results: Vec<_> = since
            .iter()
            .filter_map(|message| match message {
                Message::Tool(result) if result.status == ToolStatus::Success => Some(result),
                _ => None,
            })
            .collect();
        (!results.is_empty()).then_some(Self { question, results })
    }

    /// What is certainly wrong with an answer.
    pub(crate) fn fault(&self, answer: &str) -> Option<Ungrounded> {
        if self.is_echo(answer) {
            return Some(Ungrounded::Echo);
        }
        if sentences(answer).len() > MOST_SENTENCES {
            return None;
        }
        if states::contradict(answer, &self.results) {
            Some(Ungrounded::State)
        } else if numbers::contradict(answer, &self.question, &self.results) {
            Some(Ungrounded::Number)
        } else if self.is_off_topic(answer) {
            Some(Ungrounded::OffTopic)
        } else {
            None
        }
    }

    /// True where an answer has nothing of its own: its numbers and most of its telling words are
    /// in the question or the results. For models that are too small to add anything that is true.
    pub(crate) fn covers(&self, answer: &str) -> bool {
        let mut known = self.question.clone();
        for result in &self.results {
            known.push('\n');
            known.push_str(&result.content.text());
        }
        let known_numbers = [said_numbers(&known), numbers_in(&known)].concat();
        let known_stems = stems(&known);
        let is_known = |number: &f64| known_numbers.contains(number);
        let own = stems(answer);
        let told = own.iter().filter(|stem| known_stems.contains(stem)).count();
        !answer.trim().is_empty()
            && numbers_in(answer).iter().all(is_known)
            && told * 3 >= own.len() * 2
    }

    /// The results in plain sentences, in place of an answer.
    pub(crate) fn sentence(&self) -> String {
        let is_listing = |result: &&&ToolMessage| device_states(result).len() > LISTING;
        let mut results: Vec<_> = self.results.iter().collect();
        if results.len() > 1 && !results.iter().all(is_listing) {
            // Devices were listed to find the one that is meant.
            results.retain(|result| !is_listing(result));
        }
        let mut said: Vec<String> = Vec::new();
        for result in results.iter().rev().take(MOST_RESULTS).rev() {
            let sentence = spoken(result, &self.question);
            if !sentence.is_empty() && !said.contains(&sentence) {
                said.push(sentence);
            }
        }
        said.join(" ")
    }

    /// True for a result with the tags around it, or for data that nobody asked for.
    fn is_echo(&self, answer: &str) -> bool {
        let answer = answer.trim();
        if ["<tool_response>", "<|tool_response", "</tool_response>"]
            .iter()
            .any(|tag| answer.starts_with(tag))
        {
            return true;
        }
        let is_data = matches!(
            serde_json::from_str(answer),
            Ok(Value::Object(_) | Value::Array(_))
        );
        is_data
            && !words(&self.question).iter().any(|word| word == "json")
            && self.results.iter().any(|result| {
                let result = letters(&result.content.text());
                let answer = letters(answer);
                !answer.is_empty() && (result.contains(&answer) || answer.contains(&result))
            })
    }

    /// True for an English answer of some length without a word of question and results.
    fn is_off_topic(&self, answer: &str) -> bool {
        let said = stems(answer);
        let is_english = |word: &String| matches!(word.as_str(), "the" | "is" | "are" | "and");
        let has_digit = answer.contains(|c: char| c.is_ascii_digit());
        if said.len() < TELLING_WORDS || has_digit || !words(answer).iter().any(is_english) {
            return false;
        }
        let mut known = stems(&self.question);
        for result in &self.results {
            known.extend(stems(&result.content.text()));
        }
        !said.iter().any(|stem| known.contains(stem))
    }
}

#[cfg(test)]
mod tests;
