//! Whether a reply makes a call or only mentions one: the one rule, judged by the text around it.
//!
//! A reply that holds nothing but calls makes them. In any other reply a call without a marker, or
//! in a fence, is one only where the sentence that leads to it says that it is made, or where the
//! call comes first, and nothing around it takes that back. [`words`] lists the words for both in ten
//! languages, and what they say of a call, [`intent`] knows verbs in the first person,
//! [`evidence`] compares the sentence with the call, [`sentence`] finds the sentences, [`quoting`] the
//! elements whose content somebody else said. A question to the user right behind a call makes
//! it a mention in every language, unless it offers something else.

mod evidence;
mod intent;
mod lead_in;
mod quoting;
mod reason;
mod search;
mod sentence;
mod words;

use std::ops::Range;

use crate::machine::{FoundCall, Placement};
use crate::{BareCalls, limits};
use intent::intent;
pub(crate) use lead_in::only_connects;
use lead_in::{before_marked, behind, ends_within};
pub(crate) use quoting::QuotingElement;
pub use reason::Mention;
use sentence::Plain;
use words::*;

/// What is known of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation<'t> {
    pub(crate) setting: BareCalls,
    pub(crate) placement: Placement,
    /// The reply says nothing beside its calls but that they come.
    pub(crate) is_alone: bool,
    /// The reply was cut before its end.
    pub(crate) is_cut: bool,
    /// It is the only call of the reply so far, and of what is held back.
    pub(crate) is_only: bool,
    /// The call before it only shows a format.
    pub(crate) is_in_list: bool,
    /// It calls a tool that may do harm.
    pub(crate) is_destructive: bool,
    /// The calls in it.
    pub(crate) calls: &'t [FoundCall<'t>],
    /// The text that leads to it.
    pub(crate) lead: &'t str,
    /// It stands in an element whose content somebody else said.
    pub(crate) is_quoted: bool,
    /// The text that it was read from.
    pub(crate) source: &'t str,
    /// The text that follows it.
    pub(crate) follow: &'t str,
    /// The text behind the last call, where the reply ends with it.
    pub(crate) closing: &'t str,
}

impl Situation<'_> {
    /// The names of the tools that it calls.
    fn tools(&self) -> String {
        let names = self.calls.iter().map(|call| call.name.as_ref());
        names.collect::<Vec<_>>().join(" ")
    }

    /// Its arguments as written.
    fn arguments(&self) -> String {
        let texts = self.calls.iter().map(|call| call.arguments.text());
        texts.collect::<Vec<_>>().join(" ")
    }
}

/// True where the text before a call with a marker may make it a mention: it ends within a sentence
/// and its line, an element such as `<file>` is open in it, or it says so, as most texts do not.
pub(crate) fn may_mention(lead: &str, element: QuotingElement) -> bool {
    ends_within(lead) || element.before_call(lead).is_open() || before_marked(lead).is_some()
}

/// Why a candidate is no call; nothing where it is one.
pub(crate) fn why_not_a_call(situation: &Situation<'_>) -> Option<Mention> {
    let (setting, placement) = (situation.setting, situation.placement);
    match placement {
        Placement::InWords if situation.is_cut => return Some(Mention::Cut),
        Placement::InWords if situation.is_destructive => return Some(Mention::Destructive),
        // Such words may as well be a sentence, a title or a cut call.
        Placement::InWords => return (!situation.is_alone).then_some(Mention::Sentence),
        _ if setting == BareCalls::Always => return None,
        Placement::Taught => return None,
        Placement::Marked if situation.is_quoted => return Some(Mention::Quotation),
        Placement::Marked => {
            let is_item = situation.is_in_list && lead_in::is_label(situation.lead);
            let goes_on = || {
                let line = situation.lead.lines().last();
                sentence::begins_within(situation.follow) || line.is_some_and(sentence::is_record)
            };
            let is_first = situation.lead.trim().is_empty();
            let behind_tick = situation.follow.strip_prefix('`').filter(|_| is_first);
            let behind_tick = behind_tick.and_then(|behind| behind.lines().next());
            let is_part = || {
                behind_tick.is_some_and(sentence::begins_within)
                    || (ends_within(situation.lead) && goes_on())
            };
            return before_marked(situation.lead)
                .or(is_item.then_some(Mention::Format))
                .or_else(|| is_part().then_some(Mention::Sentence));
        }
        Placement::Inline if !is_plain_lead_in(situation.lead) => return Some(Mention::Sentence),
        _ if situation.is_alone => {
            let is_shown = placement == Placement::Quoted || in_fence(situation).is_some();
            let is_sure = || !is_shown && lead_in::is_certain(situation);
            let is_unsure = situation.is_destructive && !is_sure();
            return is_unsure.then_some(Mention::Destructive);
        }
        _ if setting == BareCalls::Never => return Some(Mention::SwitchedOff),
        _ if situation.is_cut => return Some(Mention::Cut),
        Placement::Quoted => return Some(Mention::Quotation),
        _ => {}
    }
    let lead = Plain::of(before_open_fence(situation.lead));
    let led_to = led_to(situation, &lead);
    let is_led_to = led_to.is_none() && !situation.lead.trim().is_empty();
    let is_destructive = situation.is_destructive.then_some(Mention::Destructive);
    let is_item = lead.last().is_empty() && sentence::is_list_item(situation.source);
    behind(situation, is_led_to)
        .or(led_to)
        .or_else(|| in_fence(situation))
        .or(is_destructive)
        .or(is_item.then_some(Mention::Listed))
}

/// The text before the fence that the marks before a call close: it shows arguments, as with GLM-4.
fn before_open_fence(lead: &str) -> &str {
    let is_open = lead.matches("```").count() % 2 == 1;
    let before = lead.rsplit_once("```").filter(|_| is_open);
    before.map_or(lead, |(before, _)| before)
}

/// True for a short text that says nothing but that a call comes.
pub(crate) fn is_plain_lead_in(lead: &str) -> bool {
    let plain = Plain::of(lead);
    let text = plain.text.trim();
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_announced = PLAIN_LEAD_IN.begin(text) || intent(text).is_some();
    text.len() <= limits::LEAD_IN
        && is_announced
        && !plain.asks()
        && before(&plain).is_none()
        && !only_tells(&plain, "")
        && !plain
            .sentences()
            .any(|sentence| waits_for_the_user(lead_in::conclusion(sentence)))
}

/// What the text that leads to a call says of it, seen together with the call.
fn led_to(situation: &Situation<'_>, lead: &Plain) -> Option<Mention> {
    if only_tells(lead, &situation.tools()) {
        return Some(Mention::Format);
    }
    let said = before(lead);
    match said {
        Some(Mention::Sentence) if evidence::is_lead_in(situation, lead) => None,
        Some(Mention::Plan) if evidence::begins_the_steps(situation, lead) => None,
        _ => said,
    }
}

/// True for a text that announces no more than words: "Let me explain the command".
fn only_tells(lead: &Plain, tool: &str) -> bool {
    let last = lead.last();
    announces_words(last, tool)
        || (intent(last).is_none() && announces_words(&lead.before_last(1), tool))
}

fn announces_words(sentence: &str, tool: &str) -> bool {
    let Some(announced) = intent(sentence).map(|done| done.start) else {
        return TEXT_VERB.are_in(sentence) && TEXT_OBJECT.are_in(sentence);
    };
    let said = sentence.get(announced..).unwrap_or_default();
    let verb = evidence::first_words(said, 6);
    let is_about_text = TEXT_VERB.are_in(verb) && TEXT_OBJECT.are_in(said);
    (TELLING.are_in(verb) || is_about_text) && !evidence::shares_a_name(verb, tool)
}

/// What the text that leads to a call says of it.
fn before(lead: &Plain) -> Option<Mention> {
    let last = lead.last();
    if last.is_empty() {
        return None;
    }
    let is_announced = ANNOUNCED.begin(last);
    if lead.asks() {
        return Some(Mention::Question);
    }
    let said = intent(last).and_then(|done| last.get(done.start..));
    let shows = said.is_some_and(|said| SHOWING.are_in(said));
    let concluded = lead_in::conclusion(last);
    let done = intent(concluded);
    let is_promised = lead_in::is_promise(last);
    let is_object = |cue: &Cue| done.is_some() && !shows && cue.has(Trait::Object);
    let is_purpose = |cue: &Cue| is_announced && cue.has(Trait::Purpose);
    if done.is_some() && WHEN.begin(last) {
        return Some(Mention::Conditional);
    }
    let is_other = |cue: &Cue| is_promised && cue.mention == Mention::Option;
    let counts = |cue: &&Cue| !is_object(cue) && !is_purpose(cue) && !is_other(cue);
    for cue in LEADS.iter().filter(counts) {
        // What is given up or waited for holds for the whole sentence.
        let text = match cue.mention {
            Mention::Conditional | Mention::Question => last,
            Mention::Plan => lead_in::without_purpose(concluded),
            _ => concluded,
        };
        // "I cannot see it, so I will look": what comes last counts.
        let done = done.as_ref().filter(|_| cue.has(Trait::Yields));
        let counts = |found: Range<usize>| !done.is_some_and(|done| yields_to(&found, done));
        if cue.words.last_range_in(text).is_some_and(counts) {
            return Some(cue.mention);
        }
    }
    let context = lead.before_last(2);
    if waits_for_the_user(&context) && !NOW.are_in(last) && !context.contains(['?', '？']) {
        return Some(Mention::Question);
    }
    if done.is_some() {
        return None;
    }
    // A sentence before governs the last one, unless that says what is done now.
    let governs =
        |cue: &&Cue| cue.has(Trait::Governs) && !is_purpose(cue) && cue.words.are_in(&context);
    if let Some(cue) = LEADS.iter().find(governs) {
        return Some(cue.mention);
    }
    let is_announced = is_announced
        || is_promised
        || lead.is_in_brackets()
        || PLAIN_LEAD_IN.begin(last)
        || NOW.are_in(last)
        || intent(&context).is_some();
    let opening = evidence::first_words(last, 8).replace(',', "");
    let presents = PRESENTING.are_in(&opening) && !WANTED.are_in(last);
    (!is_announced || presents).then_some(Mention::Sentence)
}

/// True for a cue before what is done, or within its words: "but I can".
fn yields_to(cue: &Range<usize>, done: &Range<usize>) -> bool {
    cue.start < done.start || (cue.start > done.start && cue.end <= done.end)
}

/// True for words that ask the user to go ahead, or that may.
fn waits_for_the_user(text: &str) -> bool {
    GOING_AHEAD.are_in(text) || INVITATION.are_in(text)
}

/// What the word behind the opening of a fence says of it, or a comment in its first line.
fn in_fence(situation: &Situation<'_>) -> Option<Mention> {
    if situation.placement != Placement::Fenced {
        return None;
    }
    let source = situation.source.trim_start().to_lowercase();
    let info = source.lines().next().unwrap_or_default();
    let is_note = |line: &&str| line.starts_with(['`', '~', '#', '/']);
    let mut notes = source.lines().take(2).filter(is_note);
    match info.trim_start_matches(|c: char| !c.is_alphabetic()).trim() {
        "diff" | "patch" => Some(Mention::Review),
        "log" | "logs" => Some(Mention::Report),
        "md" | "markdown" => Some(Mention::Quotation),
        _ if notes.any(|line| EXAMPLE.are_in(line)) => Some(Mention::Example),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
