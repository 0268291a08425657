//! Whether a sentence says that something is done now: by its words, by verbs in the first person, and
//! by the endings of verbs: in Japanese, Korean, Polish and Turkish, and of the gerund and the future
//! in the Romance languages.

use std::ops::Range;

use super::sentence::{each, words_with};
use super::words::{BEFORE_VERB, INTENT, MAY_BE_THING, NOT_DOING, NOT_DONE, NOT_I, ROMANCE, Words};

/// Where the last words stand by which a sentence says that something is done now.
pub(super) fn intent(sentence: &str) -> Option<Range<usize>> {
    let spoken = progressive(sentence).max(first_person(sentence));
    let verb = spoken.max(doing(sentence)).map(|at| at..at + 1);
    let all = INTENT.last_range_in(sentence).into_iter().chain(verb);
    let found = all.max_by_key(|range| range.start);
    found.filter(|found| !is_denied(sentence.get(..found.start).unwrap_or_default()))
}

/// Where a sentence says in the future or the progressive that something is done.
pub(super) fn future(sentence: &str) -> Option<usize> {
    progressive(sentence)
        .filter(|_| sentence.contains("i'm ") || sentence.contains("i am "))
        .or_else(|| doing(sentence))
}

/// Words before a verb that deny it, in languages that put them there.
const DENIAL: Words = "no, não, non, ne, не, nie, avoid, stop, refrain, hesitate,";

/// True where the clause up to a verb ends with a denial, maybe with a pronoun behind it.
fn is_denied(before: &str) -> bool {
    let clause = clauses(before).last().unwrap_or_default();
    let mut nearest = words(clause).into_iter().rev().take(2);
    nearest.any(|(_, word)| is_any(word, DENIAL))
}

/// What may stand between "I" or "I'm" and its verb, beside words in "ly".
const ADVERBS: Words = "now, just, already, also, therefore, almost, once, twice, first, then, next, again, soon, even, still, ever, thus, hereby, instead, last, here, maybe, perhaps,";

/// English: `I'm opening`, or `opening` at the beginning of a clause.
fn progressive(sentence: &str) -> Option<usize> {
    let spoken = ["i'm ", "i am "].iter().filter_map(|subject| {
        let at = sentence.rfind(subject)?;
        let rest = sentence.get(at + subject.len()..)?;
        let verb = rest.split_whitespace().find(|word| !is_adverb(word))?;
        is_gerund(verb).then_some(at)
    });
    let said = sentence.trim_end_matches(|c: char| !c.is_alphanumeric());
    let clause = clauses(said).last().unwrap_or_default();
    let start = said.len() - clause.len();
    let mut words = clause.split_whitespace();
    let first = words.next().unwrap_or_default();
    // "Listing:" names a thing, "listing the files" says what is done.
    let has_object = is_any(words.next().unwrap_or_default(), "the, your, all,");
    let begins = is_gerund(first) && (has_object || !is_any(first, MAY_BE_THING));
    spoken.max().max(begins.then_some(start))
}

/// True for what may stand between "I" and its verb: "I already sent it".
fn is_adverb(word: &str) -> bool {
    is_any(word, ADVERBS) || word.ends_with("ly")
}

fn is_gerund(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    word.len() > 4 && word.ends_with("ing") && !is_any(word, NOT_DOING)
}

/// What stands between "je" and its verb.
const FRENCH_OBJECTS: Words = "vous, te, le, la, les, lui, me, m', l',";

/// English, German, French, Dutch, Russian, and the Romance languages that leave the pronoun out.
fn first_person(sentence: &str) -> Option<usize> {
    let words = words(sentence);
    let word = |place: usize| words.get(place).map_or("", |(_, word)| *word);
    let next = |place: usize| word(place + 1);
    let behind = |place: usize| words.iter().skip(place + 1).map(|(_, word)| *word);
    let before = |place: usize| place.checked_sub(1).map_or("", word);
    let is_done = |verb: &str, ends: Words| is_verb(verb, ends, 2);
    let mut places = words.iter().enumerate().rev();
    let said = places.find(|(place, (_, word))| match *word {
        "i" => {
            let verb = behind(*place).find(|word| is_any(word, NOT_I) || !is_adverb(word));
            let verb = verb.unwrap_or_default();
            let is_past = verb.ends_with("ed") && !verb.ends_with("eed");
            verb.len() > 1 && !verb.contains('\'') && !is_past && !is_any(verb, NOT_I)
        }
        "ich" => is_done(next(*place), "e,") || is_done(before(*place), "e,"),
        "ik" => next(*place).chars().count() > 2 && !is_any(next(*place), NOT_DONE),
        "je" => {
            let verb = behind(*place).find(|word| !is_any(word, FRENCH_OBJECTS));
            let verb = verb.unwrap_or_default();
            let is_future = verb.ends_with("rai") && verb.chars().count() > 4;
            is_future || (is_done(verb, "e, s,") && !verb.ends_with("rais"))
        }
        word if word.starts_with("j'") => {
            is_done(word.trim_start_matches("j'"), "e, s,") && !word.ends_with("ais")
        }
        word => is_done(word, "ю,"),
    });
    let begins = |clause: &&str| {
        let mut words = clause.split(|c: char| !c.is_alphanumeric());
        let verb = words.find(|word| !word.is_empty() && !is_any(word, BEFORE_VERB));
        // "Mi compañero pegó": the noun ends as a verb does.
        let is_told = || clause.split_whitespace().any(|word| word.ends_with('ó'));
        verb.is_some_and(|verb| is_done(verb, "o, ò,")) && !is_told()
    };
    let said = said.map(|(_, (at, _))| *at);
    let clause = clauses(sentence).filter(begins).last();
    let clause = clause.filter(|_| ROMANCE.are_in(sentence));
    said.max(clause.and_then(|clause| sentence.rfind(clause)))
}

/// The words of a sentence, and where they begin.
fn words(sentence: &str) -> Vec<(usize, &str)> {
    words_with(sentence, '\'').collect()
}

fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split([',', ':', '—', '–'])
}

fn is_any(word: &str, words: Words) -> bool {
    each(words).any(|known| known == word)
}

/// Endings of a sentence, without the particle behind them.
const POLITE: Words = "ます, 겠습니다, 게요, 할게,";

/// Endings like them that say what is, or what is told, not what is done.
const BEING: Words = "あります, できます, なります, 思います, います, れます, えます, お見せします, 示します, 聞きします, ちします,";

/// "I" in Turkish, at the end of the present and of the future.
const TURKISH: Words = "yorum, acağım, eceğim,";

/// Turkish verbs that are denied.
const TURKISH_DENIED: Words = "mıyorum, miyorum, muyorum, müyorum, mayacağım, meyeceğim,";

/// Turkish verbs that do not say that something is done.
const TURKISH_NOT_DONE: Words = "öner, düşün, bekl, görüyor, sanıyor, isti,";

/// Words of Portuguese that Italian does not have.
const PORTUGUESE: &str = "eu, o, os, as, do, da, em, na, no, para, você, um, uma, ao, isso, isto,";

/// Where such a verb stands.
fn doing(sentence: &str) -> Option<usize> {
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
    // Only Polish has these letters, of the languages that are known here.
    let is_polish = sentence.contains(['ą', 'ę', 'ł', 'ń', 'ś', 'ż']);
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
        // Behind "I am".
        let is_said = *place == 0 || is_before(*place, 1, "estoy, estou, sto, voy, vou,");
        // Behind "it is", among the words that say what the sentence is about: "se está encendiendo".
        let is_impersonal =
            *place < 5 && is_before(*place, 1, "está, sta,") && is_before(*place, 2, "se, si,");
        let is_gerund = (is_said || is_impersonal) && is_verb(word, "ando, endo, indo,", 6);
        // "I shall"; two endings of it in Portuguese say in Italian what would be done.
        is_gerund
            || is_verb(word, "aré, eré, iré, arei, arò, erò, irò,", 4)
            || (is_portuguese && is_verb(word, "erei, irei,", 4))
    });
    found.map(|(_, (at, _))| *at)
}

/// True for a verb of more than `least` letters with one of these endings.
fn is_verb(word: &str, endings: Words, least: usize) -> bool {
    ends(word, endings) && word.chars().count() > least && !is_any(word, NOT_DONE)
}

fn ends(word: &str, endings: Words) -> bool {
    each(endings).any(|ending| word.ends_with(ending))
}
