//! Whether a sentence that no list of verbs knows leads to a call all the same: it speaks of what
//! the call is about ("Light off in the hall" before a call for the hall), or it is the label of a
//! step at the end of the reply.

use super::sentence::{Plain, each, words_with};
use super::words::{ASKED, POINTING, STEPS, TEXT_OBJECT};
use super::{Situation, search::is_unspaced};
use crate::{limits, scan::near};

/// Words shorter than this count only where they are the same, in characters.
const STEM: usize = 4;

/// True where the last sentence leads to the only call of the reply, which does no harm.
pub(super) fn is_lead_in(situation: &Situation<'_>, lead: &Plain) -> bool {
    let last = lead.last();
    let is_short = last.len() <= limits::SENTENCE && lead.sentences().count() <= 4;
    // A colon may announce anything; a sentence that ends says what happens.
    let is_end = |c: char| c.is_alphanumeric() || is_mark(c) || matches!(c, ':' | '：');
    let end = situation.lead.trim_end_matches(|c: char| !is_end(c));
    let is_fit = situation.is_only && !situation.is_destructive && is_short;
    let is_said = is_about_the_call(situation, last) || is_all(situation, lead);
    begins_the_steps(situation, lead) || (is_fit && end.ends_with(is_mark) && is_said)
}

/// True where a sentence or two and the call are the whole reply, and neither points to the call:
/// "Mal sehen, wie spät es ist." "My colleague pasted this." speaks of it as of a thing.
fn is_all(situation: &Situation<'_>, lead: &Plain) -> bool {
    let speaks_of_it = |sentence: &str| {
        let is_past = |word: &str| word.len() > STEM && word.ends_with("ed");
        POINTING.are_in(sentence)
            || TEXT_OBJECT.are_in(sentence)
            || words(sentence).any(|word| is_past(word) && !each(ASKED).any(|asked| asked == word))
    };
    Plain::of(situation.follow).sentences().count() <= 1
        && lead.sentences().count() <= 2
        && !lead.sentences().any(speaks_of_it)
}

fn is_mark(c: char) -> bool {
    matches!(c, '.' | '。' | '!' | '！' | '…')
}

/// "Step 1: read the file", and the reply ends with the only call.
pub(super) fn begins_the_steps(situation: &Situation<'_>, lead: &Plain) -> bool {
    let is_end = situation.follow.trim().is_empty();
    is_end && situation.is_only && !situation.is_destructive && is_step(lead.last())
}

/// True for the label of a step: "Step 1:".
fn is_step(sentence: &str) -> bool {
    let rest = STEPS.behind(sentence).map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_numeric() || matches!(c, ':' | '：')))
}

/// True for a sentence that shares a word with the call, and does not speak of its text.
fn is_about_the_call(situation: &Situation<'_>, last: &str) -> bool {
    let tools = situation.tools();
    let names_the_tool = last.contains(&tools.replace('_', "").to_lowercase());
    let is_about = shares_a_value(last, &situation.arguments()) || shares_a_name(last, &tools);
    let was = words(last).any(|word| matches!(word, "was" | "were"));
    is_about && !names_the_tool && !was && !TEXT_OBJECT.are_in(last)
}

/// True where a word of the sentence is a word of the tool's name.
pub(super) fn shares_a_name(sentence: &str, tool: &str) -> bool {
    let tool = tool.to_lowercase();
    let mut parts = words(&tool).filter(|part| part.chars().count() > STEM);
    parts.any(|part| words(sentence).any(|word| are_alike(word, part)))
}

/// True where a word of the sentence is a word of the arguments.
pub(super) fn shares_a_value(sentence: &str, arguments: &str) -> bool {
    let arguments = arguments.to_lowercase();
    values(&arguments).any(|value| {
        let is_there = |pair: &[char]| sentence.contains(&pair.iter().collect::<String>());
        let letters: Vec<char> = value.chars().filter(|c| is_unspaced(*c)).collect();
        letters.windows(2).any(is_there) || words(sentence).any(|word| are_alike(word, value))
    })
}

/// The words of the arguments without the names of the parameters, which a colon or an equals sign
/// follows.
fn values(arguments: &str) -> impl Iterator<Item = &str> {
    words_with(arguments, '_').filter_map(move |(at, word)| {
        let behind = arguments.get(at + word.len()..).unwrap_or_default();
        let behind = behind.trim_start_matches(['"', '\'', ' ']);
        (!behind.starts_with([':', '='])).then_some(word)
    })
}

fn words(sentence: &str) -> impl Iterator<Item = &str> {
    let words = sentence.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// True for the same word, maybe with another ending.
fn are_alike(one: &str, other: &str) -> bool {
    let count = |word: &str| word.chars().count();
    let shared = one.chars().zip(other.chars());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let is_number = one.chars().all(|c| c.is_ascii_digit());
    if is_number || count(one).min(count(other)) <= STEM {
        return one == other && (is_number || count(one) > 2);
    }
    shared > STEM && shared * 4 >= count(one).max(count(other)) * 3 - 4
}

/// So many words from the beginning; of a script without blanks, as much as they would take.
pub(super) fn first_words(sentence: &str, count: usize) -> &str {
    let ends = sentence.match_indices(' ').nth(count - 1);
    let end = ends.map_or(sentence.len(), |(at, _)| at);
    near(sentence, end.min(60))
}
