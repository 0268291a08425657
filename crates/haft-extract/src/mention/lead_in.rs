//! Texts that lead to a call: those that say no more than that it comes, those that say so for
//! certain, those that explain how calls are written, and what counts in a sentence that gives its
//! reason first; and what the text behind a call says of it.

use std::ops::Range;

use super::intent::{future, intent};
use super::search::{Cues, Said, begins_with, said_in};
use super::sentence::{self, Plain, each};
use super::words::*;
use super::{Mention, Situation, evidence, waits_for_the_user};
use crate::limits;

/// With what a sentence ends that gives a call as an example, whatever it says that is done.
const FOR_EXAMPLE: Words = include_str!("words/for_example.txt");

/// True for a lead-in after which a tool that may do harm may run: it says that the call is made,
/// or no more than yes. "Here is the caption:" and "Sure, the page has this:" begin as lead-ins do,
/// and show a text.
pub(super) fn is_certain(situation: &Situation<'_>) -> bool {
    let lead = Plain::of(&without_quotes(situation.lead));
    let is_bare_yes = |sentence: &str| without(sentence, &PLAIN_LEAD_IN).is_empty();
    let waits = |sentence: &str| announces(sentence) && is_delayed(sentence, situation);
    let last = lead.last();
    let is_other = REPORTED.are_in(last) || only_looks(last, situation);
    let is_dialogue = lead.sentences().any(is_said_by_user);
    let is_announced = announces(last) && !is_other && !is_dialogue;
    lead.sentences().all(is_bare_yes) || (is_announced && !lead.sentences().any(waits))
}

/// True for a line that the user says in a dialogue.
fn is_said_by_user(sentence: &str) -> bool {
    sentence.starts_with("user:") || sentence.starts_with("human:")
}

/// True behind a dialogue in which the model wrote what its user says next. At the beginning of a reply it
/// rather repeats what the user did say.
fn is_invented(lead: &str) -> bool {
    let lines = lead.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut lines = lines.map(str::to_ascii_lowercase).skip(1);
    lines.any(|line| is_said_by_user(&line)) && lines.any(|line| line.starts_with("assistant:"))
}

/// The text without what stands in quotation marks, which somebody else may have said.
fn without_quotes(text: &str) -> String {
    let quotes = ['"', '“', '”', '„', '«', '»', '「', '」'];
    let parts: Vec<&str> = text.split(quotes).collect();
    // A last one without a partner quotes nothing.
    let count = parts.len();
    let stays = |place: &usize| place.is_multiple_of(2) || place + 1 == count;
    let parts = parts
        .into_iter()
        .enumerate()
        .filter(|(place, _)| stays(place));
    parts.map(|(_, part)| part).collect()
}

/// True for a sentence that says that something is looked at or thought about, and not that the tool
/// is called: "Let me check your balance".
fn only_looks(sentence: &str, situation: &Situation<'_>) -> bool {
    let said = intent(sentence).and_then(|done| sentence.get(done.start..));
    said.is_some_and(|said| {
        let verb = evidence::first_words(said, 4);
        LOOKING.are_in(verb)
            && !said.contains(" and ")
            && !evidence::shares_a_name(verb, &situation.tools())
    })
}

/// True for what is done at a time or under a condition that the arguments do not name.
fn is_delayed(sentence: &str, situation: &Situation<'_>) -> bool {
    let is_named = |delay: Range<usize>| {
        let rest = sentence.get(delay.end..).unwrap_or_default();
        let end = delay.end + evidence::first_words(rest, 1).len();
        let time = sentence.get(delay.start..end).unwrap_or_default();
        evidence::shares_a_value(time, &situation.arguments())
    };
    let delay = DELAYED.last_range_in(sentence);
    !AT_ONCE.are_in(sentence) && delay.is_some_and(|delay| !is_named(delay))
}

/// The sentence without these words at its beginning, such as "sure" and "here you go".
fn without<'t>(sentence: &'t str, cues: &Cues) -> &'t str {
    let mut rest = trim(sentence);
    while let Some(shorter) = cues.behind(rest) {
        rest = trim(shorter);
    }
    rest
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}

/// True for a sentence that says that the call is made, or that names what follows a call.
fn announces(sentence: &str) -> bool {
    let first = sentence.split_whitespace().next().unwrap_or_default();
    let is_gerund = each("ing, ando, endo, indo,").any(|ending| first.ends_with(ending));
    let is_firm = !is_gerund && (INTENT.are_in(sentence) || future(sentence).is_some());
    let is_done = intent(sentence).is_some() && (is_firm || !POINTING.are_in(sentence));
    // "I'll make the call" makes it, "I'll fix the call" does not.
    let is_made = !CALL_OBJECT.are_in(sentence) || MAKING.are_in(sentence);
    !RENDERING.are_in(sentence) && ((is_done && is_made) || names_the_call(sentence))
}

/// "Here is the call", and maybe what it is for.
fn names_the_call(sentence: &str) -> bool {
    let purpose = ANNOUNCED.behind(without(sentence, &YES)).map(trim);
    let is_made = |purpose| PURPOSES.begin(purpose) && !ELSEWHERE.are_in(purpose);
    purpose.is_some_and(|purpose| purpose.is_empty() || is_made(purpose))
}

/// The end of a sentence that says what is done for a reason: "The log is empty, so I'll look".
pub(super) fn conclusion(sentence: &str) -> &str {
    let ends = CONCLUSION.split('|').filter_map(|cue| sentence.rfind(cue));
    let end = ends.max().and_then(|at| sentence.get(at..));
    end.filter(|end| intent(end).is_some()).unwrap_or(sentence)
}

/// The sentence without what it is done for: "To plan your trip, I'll get the weather".
pub(super) fn without_purpose(sentence: &str) -> &str {
    let done = intent(sentence).filter(|_| PURPOSE.begin(sentence));
    let said = done.and_then(|done| sentence.get(done.start..));
    said.unwrap_or(sentence)
}

/// True for a yes to what the user asked: "Sí, puedo hacerlo". A colon announces possibilities.
pub(super) fn is_promise(sentence: &str) -> bool {
    YES.begin(sentence)
        && ABLE.are_in(sentence)
        && !OR.are_in(sentence)
        && sentence.trim_end().ends_with(['.', '!', '。', '！'])
}

/// Why a call with a marker is none, as far as the text before it says so: it is refused, asked about,
/// done under a condition, reported, or shown as an example of how calls are written.
pub(super) fn before_marked(lead: &str) -> Option<Mention> {
    // Most replies say nothing of it before their calls.
    let said = said_in(lead.trim_end());
    if said == Said::default() {
        return None;
    }
    if said.shows && is_invented(lead) {
        return Some(Mention::Invented);
    }
    let lead = Plain::of(lead);
    let last = lead.last();
    if said.shows && is_reported(last) {
        return Some(Mention::Quotation);
    }
    if said.shows && shows_calls(&lead) {
        return Some(Mention::Format);
    }
    let has_condition = || WHEN.begin(last) || CONDITIONS.begin(last);
    // "If not, I will say so" delays no call.
    let waits = || AWAITED.are_in(last) || (has_condition() && !TELLING.are_in(last));
    let is_intended = INTENT.are_in(last);
    if is_intended && waits() {
        return Some(Mention::Conditional);
    }
    if !said.is_not_now || (is_intended && !lead.asks()) || begins_with(last, "assistant") {
        return None;
    }
    let is_announced = last.trim_end().ends_with([':', '：']);
    let is_done = || intent(last).is_some();
    let is_led_to = || is_done() || PLAIN_LEAD_IN.begin(last);
    super::before(&Plain::of(last)).filter(|reason| match reason {
        Mention::Sentence | Mention::Example | Mention::Format => false,
        Mention::Question => waits_for_the_user(last) && !is_offer(last, true),
        Mention::Conditional => is_announced || is_done(),
        Mention::Prohibited => !is_done(),
        Mention::Plan => is_announced && !is_led_to(),
        _ => !is_led_to(),
    })
}

/// True for a text that shows calls: they are refused, or examples of how calls are written.
fn shows_calls(lead: &Plain) -> bool {
    let last = lead.last();
    let is_dialogue = lead.sentences().any(is_said_by_user);
    let is_made = || !is_dialogue && (intent(last).is_some() || names_the_call(last));
    // What stands before the label of a dialogue or of an item.
    let is_label = begins_with(last, "assistant") || !last.contains(char::is_alphabetic);
    let before = lead.before_last(if is_label { 3 } else { 1 });
    let is_explained = (is_label || FORMAT_EXPLAINED.are_in(&before)) && !WRONG.are_in(&before);
    let is_prepared = |text: &str| PREPARED.are_in(text) && intent(text).is_none();
    let refuses = |text: &str| REFUSED.are_in(text) || is_prepared(text);
    let is_refused = refuses(last) || (is_label && refuses(&before));
    is_refused || explains(last) || (is_explained && !is_made() && explains(&before))
}

/// True for a text that ends within a sentence and a line, and does not say that something is done: a
/// call behind it is a part of that sentence where the sentence goes on behind it. A record is one.
pub(super) fn ends_within(lead: &str) -> bool {
    let line = lead.lines().last().filter(|_| !lead.ends_with('\n'));
    line.is_some_and(|line| {
        let says_more = || !is_introduced(line) && intent(Plain::of(line).last()).is_none();
        let is_within = || sentence::is_record(line) || says_more();
        line.trim_start() == "`" || (line.contains(char::is_alphabetic) && is_within())
    })
}

/// True for a sentence that says where the text below was written: "The file says:". "Here is what the
/// file says:" may lead to the call that reads it.
fn is_reported(sentence: &str) -> bool {
    sentence.trim_end().ends_with([':', '：'])
        && REPORTED.are_in(sentence)
        && intent(sentence).is_none()
        && !PLAIN_LEAD_IN.begin(sentence)
}

/// True for a text that does no more than name what follows: "2.", "**Mistral:**", "and Mistral as".
pub(super) fn is_label(lead: &str) -> bool {
    let lead = Plain::of(lead);
    let is_short = lead.text.split_whitespace().count() <= limits::LABEL;
    is_short && intent(&lead.text).is_none() && !PLAIN_LEAD_IN.begin(lead.last())
}

/// True for a sentence with a word for a format or an example that is not about what is done: "I look
/// at an example", "Here is the call in the right format".
fn explains(sentence: &str) -> bool {
    let is_example = EXAMPLE.are_in(sentence);
    let words = sentence.trim_end_matches(|c: char| !c.is_alphanumeric());
    (is_example || FORMAT_EXPLAINED.are_in(sentence))
        && match intent(sentence).and_then(|done| sentence.get(done.start..)) {
            Some(said) => {
                let ends = each(FOR_EXAMPLE).any(|example| words.ends_with(example));
                SHOWING.are_in(said) || TELLING.are_in(said) || (is_example && ends)
            }
            None => is_example || !names_the_call(sentence),
        }
}

/// True for words that join two calls, and for none.
pub(crate) fn only_connects(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let plain = Plain::of(text);
    let words = plain.text.trim_matches(|c: char| !c.is_alphanumeric());
    // What opens a comment has no words, and says all the same that a call behind it is none.
    (words.is_empty() && !text.contains("<!--")) || each(CONNECT).any(|joint| joint == words)
}

/// What the text behind a call says of it.
pub(super) fn behind(situation: &Situation<'_>, is_led_to: bool) -> Option<Mention> {
    let follow = Plain::of(situation.follow);
    let is_first = situation.lead.trim().is_empty();
    let is_rest = match is_first {
        true => situation.follow.trim_start().starts_with([':', ',', ';']),
        false => sentence::begins_within(situation.follow) && !is_introduced(situation.lead),
    };
    if is_rest {
        return Some(Mention::Sentence);
    }
    let is_made = is_led_to || (is_first && !follow.first_asks());
    let asks_first = follow.first_asks() && !is_offer(&follow.first_sentences(1), is_made);
    let near = follow.first_sentences(3);
    let asks = |sentence: &&str| waits_for_the_user(sentence) && !is_offer(sentence, is_made);
    if asks_first || follow.sentences().take(3).any(|sentence| asks(&sentence)) {
        return Some(Mention::Question);
    }
    if let Some(cue) = BEHIND.iter().find(|cue| cue.words.are_in(&near)) {
        return Some(cue.mention);
    }
    let closing = Plain::of(situation.closing);
    let is_near = situation.closing.trim().len() <= limits::CLOSING;
    (is_near && closing.asks() && !is_offer(closing.last(), is_made)).then_some(Mention::Question)
}

/// True for an offer of more than the call. What is said to be made may be offered something
/// beside it: "I turn it on. Shall I lock the door too?"
pub(super) fn is_offer(sentence: &str, is_made: bool) -> bool {
    let is_more = OFFER.are_in(sentence) || (is_made && ALSO.are_in(sentence));
    (is_more || (is_made && invites(sentence))) && !AWAITED.are_in(sentence)
}

/// True for an invitation to say what else is wanted: "If you'd like it dimmed, let me know".
fn invites(sentence: &str) -> bool {
    INVITATION.are_in(sentence)
        && !GOING_AHEAD.are_in(sentence)
        && !THE_CALL.are_in(sentence)
        && !sentence::is_question(sentence)
}

/// True for a text that ends as what introduces a call does, not in the midst of a sentence.
fn is_introduced(lead: &str) -> bool {
    let end = lead.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'));
    end.ends_with([':', '：', '.', '!', '。', '！', '…'])
}
