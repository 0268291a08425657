//! Verbs that say by their ending that the speaker does something now: in Japanese, Korean, Polish
//! and Turkish, and the gerund and the future of the Romance languages.

use super::super::sentence::each;
use super::super::words::{NOT_DONE, Words};
use super::{clauses, is_any, words};

/// Endings of a sentence, without the particle behind them.
const POLITE: Words = "ます, 겠습니다, 게요, 할게,";

/// Endings like them that say what is, or what is told, not what is done.
const BEING: Words = "あります, できます, なります, 思います, います, れます, えます, お見せします, 示します, 聞きします, ちします,";

/// Letters that only Polish has, of the languages that are known here.
const POLISH: [char; 6] = ['ą', 'ę', 'ł', 'ń', 'ś', 'ż'];

/// "I" in Turkish, at the end of the present and of the future.
const TURKISH: Words = "yorum, acağım, eceğim,";

/// Turkish verbs that are denied.
const TURKISH_DENIED: Words = "mıyorum, miyorum, muyorum, müyorum, mayacağım, meyeceğim,";

/// Turkish verbs that do not say that something is done.
const TURKISH_NOT_DONE: Words = "öner, düşün, bekl, görüyor, sanıyor, isti,";

/// "I am" before a gerund.
const I_AM: &str = "estoy, estou, sto, voy, vou,";

/// "It is" before a gerund, behind [`ITSELF`]: "se está encendiendo la luz".
const IT_IS: &str = "está, sta,";

/// The first words of a sentence, among which it says what it is about.
const IMPERSONAL_WITHIN: usize = 5;

/// What makes a verb impersonal.
const ITSELF: &str = "se, si,";

/// "I shall" in Spanish, Portuguese and Italian, at the end of the verb.
const FUTURE: Words = "aré, eré, iré, arei, arò, erò, irò,";

/// Endings of the future in Portuguese, which in Italian say what would be done.
const FUTURE_OR_WOULD: Words = "erei, irei,";

/// Words of Portuguese that Italian does not have.
const PORTUGUESE: &str = "eu, o, os, as, do, da, em, na, no, para, você, um, uma, ao, isso, isto,";

/// Where such a verb stands.
pub(super) fn doing(sentence: &str) -> Option<usize> {
    let kinds = [polite, turkish, polish, romance, passive];
    kinds.iter().find_map(|stands| stands(sentence))
}

/// "The weather will be fetched." A colon in place of the full stop introduces the act.
fn passive(sentence: &str) -> Option<usize> {
    if !sentence.trim_end().ends_with(['.', '!', '…']) {
        return None;
    }
    let words = words(sentence);
    let word = |place: usize| words.get(place).map_or("", |(_, word)| *word);
    let last = words.last().map_or("", |(_, word)| *word);
    let is_participle = last.contains("ge") && ends(last, "t, en,") || last.ends_with("iert");
    let mut places = words.iter().enumerate().take(8).skip(1);
    let found = places.find(|(place, (_, verb))| {
        let is_english = word(place + 1) == "be" && ends(word(place + 2), "ed, en, ing,");
        let is_german = is_participle && is_any(verb, "wird, werden,");
        is_german || (is_english && *verb == "will")
    });
    found.map(|(_, (at, _))| *at)
}

fn polite(sentence: &str) -> Option<usize> {
    let end = sentence.trim_end_matches(|c: char| !c.is_alphanumeric());
    let plain = end.trim_end_matches(['ね', 'よ']);
    let start = plain.rfind(['、', ',']).unwrap_or(0);
    (ends(plain, POLITE) && !ends(plain, BEING)).then_some(start)
}

fn turkish(sentence: &str) -> Option<usize> {
    let is_done = |word: &str| {
        let is_other = each(TURKISH_NOT_DONE).any(|verb| word.starts_with(verb));
        ends(word, TURKISH) && word.chars().count() > 6 && !ends(word, TURKISH_DENIED) && !is_other
    };
    let mut words = words(sentence).into_iter().rev();
    words.find(|(_, word)| is_done(word)).map(|(at, _)| at)
}

/// At the beginning of a clause.
fn polish(sentence: &str) -> Option<usize> {
    let is_done =
        |word: &str| is_verb(word, "am, em, ję, zę, żę, nę,", 4) && !ends(word, "łam, łem,");
    let begins = |clause: &str| words(clause).iter().take(3).any(|(_, word)| is_done(word));
    let is_polish = sentence.contains(POLISH);
    let clause = is_polish.then(|| clauses(sentence).filter(|clause| begins(clause)).last());
    sentence.rfind(clause??)
}

/// "Bajando la persiana", "estoy bajando", "usaré".
fn romance(sentence: &str) -> Option<usize> {
    let words = words(sentence);
    let is_before = |place: usize, back: usize, known: Words| {
        let word = place.checked_sub(back).and_then(|at| words.get(at));
        word.is_some_and(|(_, word)| is_any(word, known))
    };
    let is_portuguese = words.iter().any(|(_, word)| is_any(word, PORTUGUESE));
    let found = words.iter().enumerate().rev().find(|(place, (_, word))| {
        let is_said = *place == 0 || is_before(*place, 1, I_AM);
        let is_impersonal = *place < IMPERSONAL_WITHIN
            && is_before(*place, 1, IT_IS)
            && is_before(*place, 2, ITSELF);
        let is_gerund = (is_said || is_impersonal) && is_verb(word, "ando, endo, indo,", 6);
        is_gerund
            || is_verb(word, FUTURE, 4)
            || (is_portuguese && is_verb(word, FUTURE_OR_WOULD, 4))
    });
    found.map(|(_, (at, _))| *at)
}

/// True for a verb of more than `least` letters with one of these endings.
pub(super) fn is_verb(word: &str, endings: Words, least: usize) -> bool {
    ends(word, endings) && word.chars().count() > least && !is_any(word, NOT_DONE)
}

fn ends(word: &str, endings: Words) -> bool {
    each(endings).any(|ending| word.ends_with(ending))
}
