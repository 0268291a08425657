//! What the text behind a call says of it.

use super::cues::BEHIND;
use super::sentence::{self, Plain};
use super::words::{ALSO, AWAITED, GOING_AHEAD, INVITATION, OFFER, THE_CALL};
use super::{Mention, Situation, waits_for_the_user};

/// How far behind a call the question to the user may stand that ends the reply, in bytes.
const NEAR_END: usize = 400;

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
