//! Whether a reply makes a call or only mentions one: the one rule, judged by the text around it.
//!
//! A reply that holds nothing but calls makes them. In any other reply a call without a marker, or
//! in a fence, is one only where the sentence that leads to it says that it is made, or where the
//! call comes first, and nothing around it takes that back. [`cues`] lists the words for both in
//! ten languages, [`intent`] knows verbs in the first person, [`evidence`] compares the sentence
//! with the call, [`sentence`] finds the sentences. A question to the user right behind a call makes
//! it a mention in every language, unless it offers something else.

mod cues;
mod evidence;
mod intent;
mod lead_in;
mod search;
mod sentence;

use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use crate::BareCalls;
use crate::machine::judge::Placement;
use cues::{
    ALSO, ANNOUNCED, AWAITED, BEHIND, EXAMPLE, FENCE_INFO, FORMAT_EXPLAINED, GOING_AHEAD,
    INVITATION, LEADS, NOW, OFFER, PLAIN_LEAD_IN, PRESENTING, SHOWING, TELLING, TEXT_OBJECT,
    TEXT_VERB, THE_CALL, WANTED,
};
use intent::intent;
use search::Hints;
use sentence::Plain;

/// The longest lead-in, in bytes of plain text.
const LONGEST_LEAD_IN: usize = 240;

/// How far behind a call the question to the user may stand that ends the reply, in bytes.
const NEAR_END: usize = 400;

/// Why something that reads like a call is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mention {
    /// The text forbids it, or says that it is not made.
    Prohibited,
    /// It depends on something that is not the case yet.
    Conditional,
    /// It is one of several possibilities.
    Option,
    /// It is part of a plan or a proposal.
    Plan,
    /// The user is asked whether it is to be made.
    Question,
    /// It is an example.
    Example,
    /// It shows how calls are written.
    Format,
    /// It is part of documentation.
    Documentation,
    /// It is quoted.
    Quotation,
    /// It is part of a log, or of a report of what was done.
    Report,
    /// It is code under review, a change or a test.
    Review,
    /// It is an item of a list that nothing says is to be done.
    Listed,
    /// It stands in a sentence.
    Sentence,
    /// Its tool may do harm, and it has no marker.
    Destructive,
    /// Calls without a marker are switched off.
    SwitchedOff,
    /// The reply was cut, so what it says of the call is not known, and it has no marker.
    Cut,
}

impl Mention {
    /// The reason in a few words, such as `offered as an option`.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Prohibited => "said not to be made",
            Self::Conditional => "said under a condition",
            Self::Option => "offered as an option",
            Self::Plan => "part of a plan or proposal",
            Self::Question => "the user is asked about it",
            Self::Example => "given as an example",
            Self::Format => "shows how calls are written",
            Self::Documentation => "part of documentation",
            Self::Quotation => "quoted",
            Self::Report => "part of a log or report",
            Self::Review => "code under review, a change or a test",
            Self::Listed => "an item of a list",
            Self::Sentence => "within a sentence",
            Self::Destructive => "its tool may do harm, and it has no marker",
            Self::SwitchedOff => "calls without a marker are switched off",
            Self::Cut => "the reply was cut, and it has no marker",
        }
    }
}

impl fmt::Display for Mention {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.reason())
    }
}

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
    /// It calls a tool that may do harm.
    pub(crate) is_destructive: bool,
    /// The names of the tools that it calls.
    pub(crate) tool: &'t str,
    /// Its arguments as written.
    pub(crate) arguments: &'t str,
    /// The text that leads to it.
    pub(crate) lead: &'t str,
    /// The text that it was read from.
    pub(crate) source: &'t str,
    /// The text that follows it.
    pub(crate) follow: &'t str,
    /// The text behind the last call, where the reply ends with it.
    pub(crate) closing: &'t str,
}

/// Why a candidate is no call; nothing where it is one.
pub(crate) fn judge(situation: &Situation<'_>) -> Option<Mention> {
    let Situation {
        setting, placement, ..
    } = *situation;
    if placement == Placement::InWords {
        return in_words(situation);
    }
    if setting == BareCalls::Always || placement == Placement::Taught {
        return None;
    }
    if placement == Placement::Marked {
        return explains_format(situation.lead).then_some(Mention::Format);
    }
    if placement == Placement::Inline && !is_plain_lead_in(situation.lead) {
        return Some(Mention::Sentence);
    }
    if situation.is_alone {
        let is_unsure = situation.is_destructive && !lead_in::is_certain(situation.lead);
        return is_unsure.then_some(Mention::Destructive);
    }
    if setting == BareCalls::Never {
        return Some(Mention::SwitchedOff);
    }
    if situation.is_cut {
        return Some(Mention::Cut);
    }
    if placement == Placement::Quoted {
        return Some(Mention::Quotation);
    }
    let lead = Plain::of(situation.lead);
    let led_to = led_to(situation, &lead);
    let is_led_to = led_to.is_none() && !lead_is_blank(situation);
    behind(situation, is_led_to)
        .or(led_to)
        .or_else(|| in_fence(situation))
        .or_else(|| by_default(situation, &lead))
}

/// Why a call in words is none: such words may as well be a sentence, a title or a cut call.
fn in_words(situation: &Situation<'_>) -> Option<Mention> {
    if situation.is_cut {
        return Some(Mention::Cut);
    }
    if situation.is_destructive {
        return Some(Mention::Destructive);
    }
    (!situation.is_alone).then_some(Mention::Sentence)
}

/// True when the text explains how calls are written: even a marked call behind it is an example.
pub(crate) fn explains_format(lead: &str) -> bool {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::of(&[&FORMAT_EXPLAINED, &EXAMPLE]));
    // Most replies say nothing before their calls, or nothing of formats.
    if lead.trim_ascii().is_empty() || !HINTS.are_in(lead) {
        return false;
    }
    let lead = Plain::of(lead);
    let last = lead.last();
    let near = format!("{} {last}", lead.before_last(1));
    let explained = FORMAT_EXPLAINED
        .last_in(&near)
        .max(EXAMPLE.last_in(last).map(|at| near.len() - last.len() + at));
    explained.is_some_and(|at| intent(&near).is_none_or(|done| done.start < at))
}

/// True for a short text that says nothing but that a call comes.
pub(crate) fn is_plain_lead_in(lead: &str) -> bool {
    let plain = Plain::of(lead);
    let text = plain.text().trim();
    let is_announced = sentence::each(PLAIN_LEAD_IN)
        .any(|words| sentence::begins_with(text, words))
        || intent(text).is_some();
    text.len() <= LONGEST_LEAD_IN
        && is_announced
        && !plain.asks()
        && before(&plain).is_none()
        && !only_tells(&plain, "")
        && !waits_for_the_user(text)
}

/// True for words that join two calls, and for none.
pub(crate) fn only_connects(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let plain = Plain::of(text);
    let words = plain.text().trim_matches(|c: char| !c.is_alphanumeric());
    words.is_empty() || sentence::each(cues::CONNECT).any(|joint| joint == words)
}

/// What the text that leads to a call says of it, seen together with the call.
fn led_to(situation: &Situation<'_>, lead: &Plain) -> Option<Mention> {
    if only_tells(lead, situation.tool) {
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
    let is_tool = || evidence::shares_a_name(verb, tool);
    let tells = TELLING.are_in(verb) && !is_tool();
    let is_about_text = TEXT_VERB.are_in(verb) && TEXT_OBJECT.are_in(said);
    tells || (is_about_text && !is_tool())
}

/// What the text that leads to a call says of it.
fn before(lead: &Plain) -> Option<Mention> {
    let last = lead.last();
    if last.is_empty() {
        return None;
    }
    let done = intent(last);
    let is_announced = sentence::each(ANNOUNCED).any(|words| sentence::begins_with(last, words));
    if lead.asks() {
        return Some(Mention::Question);
    }
    let shows = done.as_ref().is_some_and(|done| {
        let said = last.get(done.start..);
        said.is_some_and(|said| SHOWING.are_in(said))
    });
    let concluded = lead_in::conclusion(last);
    let done = if concluded.len() < last.len() {
        intent(concluded)
    } else {
        done
    };
    let is_promised = lead_in::is_promise(last);
    let is_object = |cue: &cues::Cue| done.is_some() && !shows && cue.may_be_object;
    let is_purpose = |cue: &cues::Cue| is_announced && cue.may_be_purpose;
    if done.is_some() && sentence::each(cues::WHEN).any(|when| sentence::begins_with(last, when)) {
        return Some(Mention::Conditional);
    }
    for cue in LEADS
        .iter()
        .filter(|cue| !is_object(cue) && !is_purpose(cue))
        .filter(|cue| !is_promised || cue.mention != Mention::Option)
    {
        // What is given up or waited for holds for the whole sentence.
        let is_whole = matches!(cue.mention, Mention::Conditional | Mention::Question);
        let text = match cue.mention {
            _ if is_whole => last,
            Mention::Plan => lead_in::without_purpose(concluded),
            _ => concluded,
        };
        let found = cue.words.last_range_in(text);
        // "I cannot see it, so I will look": what comes last counts.
        let is_overruled =
            cue.yields && found.as_ref().is_some_and(|found| yields_to(found, &done));
        if found.is_some() && !is_overruled {
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
    let governs = |cue: &&cues::Cue| {
        cue.governs && !(is_announced && cue.may_be_purpose) && cue.words.are_in(&context)
    };
    if let Some(cue) = LEADS.iter().find(governs) {
        return Some(cue.mention);
    }
    let is_announced = is_announced
        || is_promised
        || lead.is_in_brackets()
        || sentence::each(PLAIN_LEAD_IN).any(|words| sentence::begins_with(last, words))
        || NOW.are_in(last)
        || intent(&context).is_some();
    let opening = evidence::first_words(last, 8).replace(',', "");
    let presents = PRESENTING.are_in(&opening) && !WANTED.are_in(last);
    (!is_announced || presents).then_some(Mention::Sentence)
}

/// True for a cue before what is done, or within its words: "but I can".
fn yields_to(cue: &Range<usize>, done: &Option<Range<usize>>) -> bool {
    let is_within = |done: &Range<usize>| cue.start > done.start && cue.end <= done.end;
    done.as_ref()
        .is_some_and(|done| cue.start < done.start || is_within(done))
}

/// What the text behind a call says of it.
fn behind(situation: &Situation<'_>, is_led_to: bool) -> Option<Mention> {
    let follow = Plain::of(situation.follow);
    let is_rest = match lead_is_blank(situation) {
        true => situation.follow.trim_start().starts_with([':', ',', ';']),
        false => follow.continues() && !is_introduced(situation.lead),
    };
    if is_rest {
        return Some(Mention::Sentence);
    }
    let is_made = is_led_to || (lead_is_blank(situation) && !follow.first_asks());
    if follow.first_asks() && !is_offer(&follow.first_sentences(1), is_made) {
        return Some(Mention::Question);
    }
    let near = follow.first_sentences(3);
    let asks = |sentence: &&str| waits_for_the_user(sentence) && !is_offer(sentence, is_made);
    if follow.sentences().take(3).any(|sentence| asks(&sentence)) {
        return Some(Mention::Question);
    }
    if let Some(cue) = BEHIND.iter().find(|cue| cue.words.are_in(&near)) {
        return Some(cue.mention);
    }
    let closing = Plain::of(situation.closing);
    let is_near = situation.closing.trim().len() <= NEAR_END;
    (is_near && closing.asks() && !is_offer(closing.last(), is_made)).then_some(Mention::Question)
}

/// True for an offer of more than the call. What is said to be made may be offered something
/// beside it: "I turn it on. Shall I lock the door too?"
fn is_offer(sentence: &str, is_made: bool) -> bool {
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

/// True for words that ask the user to go ahead, or that may.
fn waits_for_the_user(text: &str) -> bool {
    GOING_AHEAD.are_in(text) || INVITATION.are_in(text)
}

fn lead_is_blank(situation: &Situation<'_>) -> bool {
    situation.lead.trim().is_empty()
}

/// True for a text that ends as what introduces a call does, not in the midst of a sentence.
fn is_introduced(lead: &str) -> bool {
    let end = lead.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'));
    end.ends_with([':', '：', '.', '!', '。', '！', '…'])
}

/// What the first line of a fence says of it.
fn in_fence(situation: &Situation<'_>) -> Option<Mention> {
    if situation.placement != Placement::Fenced {
        return None;
    }
    let line = situation
        .source
        .trim_start()
        .lines()
        .next()
        .unwrap_or_default();
    let info = line.trim_start_matches(|c: char| !c.is_alphabetic()).trim();
    let info = info.to_lowercase();
    let found = FENCE_INFO
        .iter()
        .find(|(words, _)| words.contains(&info.as_str()));
    found.map(|(_, mention)| *mention)
}

/// What a call is of which the text says nothing.
fn by_default(situation: &Situation<'_>, lead: &Plain) -> Option<Mention> {
    if situation.is_destructive {
        return Some(Mention::Destructive);
    }
    let is_item = sentence::is_list_item(situation.source);
    (is_item && lead.last().is_empty()).then_some(Mention::Listed)
}

#[cfg(test)]
mod tests;
