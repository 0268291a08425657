//! Estimates the effects of a tool from its description: from the verbs of its first clauses.

use super::fold::fold;
use super::lexicon::{KEPT, PAIRS, Sound, Use, WORDS, is_harmless, is_in};
use super::words::{base, text_words};

/// The number of clauses that are examined: descriptions state the purpose first.
const CLAUSES: usize = 12;

/// The maximum distance of an object from its verb in words.
const REACH: usize = 6;

/// Words that may come before the verb of any clause.
const BEFORE: &str = "
    it this also then will can may and which that permanently immediately irreversibly instantly
    irrevocably always tool function silently securely forcibly force warning danger caution
    optionally afterwards finally";

/// Words that may come before the first verb.
const BEFORE_FIRST: &str = "
    use used to for allows allow lets let you the a an tools functions method api endpoint call
    helper utility command here please simple simply quickly safely enables users user agents agent
    useful helps help able is be designed meant intended way responsible";

/// Articles between a verb and its object, which do not follow a noun: "Books a room" is an act,
/// "Books of an author" is not.
const ARTICLES: &str = "a an your";

/// Articles at the beginning of a text, where no noun precedes them.
const FIRST_ARTICLES: &str = "a an your the all any one each every its new";

/// Harmless objects of verbs that run something: "Executes a search", "Sends a request".
const ASKED: &str =
    "search searches query queries lookup request requests get read readonly select";

/// Nouns of acts, as in "File deletion" and "Payment of invoices".
const NOUNS: &str = "
    deletion removal erasure destruction execution sending payment transfer reset unlocking
    uninstallation shutdown restart reboot deployment";

/// The maximum length of a title without a verb in words.
const TITLE: usize = 4;

/// The verbs with such objects.
const ASKING: &str = "execute exec send eval spawn write";

pub(super) fn sound_of(text: &str) -> Sound {
    let folded = fold(text).replace(" - ", ": ");
    let clauses = folded.split([
        '\u{2013}', '\u{2014}', '.', ',', ';', ':', '!', '?', '\n', '(', '\u{3002}',
    ]);
    let clauses = clauses.map(text_words).filter(|words| !words.is_empty());
    let sounds = clauses
        .take(CLAUSES)
        .enumerate()
        .map(|(place, words)| of_clause(&words, place == 0));
    sounds.max().unwrap_or_default()
}

fn of_clause(words: &[String], first: bool) -> Sound {
    let skipped = |word: &&String| is_in(BEFORE, word) || (first && is_in(BEFORE_FIRST, word));
    let start = words.iter().take_while(skipped).count();
    let after_joints = words.iter().enumerate().filter(|(at, word)| {
        let known = WORDS.get(word.as_str());
        let is_means = || words.get(at + 1).is_some_and(|next| next.ends_with("ing"));
        known.is_some_and(|known| known.joins) || *word == "by" && is_means()
    });
    // "The orders a customer placed": after an article follows a noun.
    let before = start.checked_sub(1).and_then(|before| words.get(before));
    let is_noun = before.is_some_and(|before| is_in("a an the", before));
    let place = match (is_noun, first) {
        (true, _) => Place::Noun,
        (false, true) => Place::First,
        (false, false) => Place::Later,
    };
    let mut sound = of_verb(words.get(start..).unwrap_or_default(), place);
    if first && is_title_of_act(words) {
        sound = Sound::Grave;
    }
    for (place, _) in after_joints {
        let rest = words.get(place + 1..).unwrap_or_default();
        let start = rest.iter().take_while(|word| is_in(BEFORE, word)).count();
        sound = sound.max(of_verb(rest.get(start..).unwrap_or_default(), Place::Later));
    }
    sound
}

/// True for a title that names an act, but not a record of acts as in "Payment status".
fn is_title_of_act(words: &[String]) -> bool {
    let names_act = words.iter().any(|word| is_in(NOUNS, word));
    words.len() <= TITLE && names_act && !words.iter().any(is_record)
}

/// True for a word for a record or an observation, such as "history" or "status".
fn is_record(word: &String) -> bool {
    let known = WORDS.get(word);
    known.is_some_and(|known| known.reads || known.record || known.observation)
}

/// The position of a word that may be a verb.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The tool's main verb.
    First,
    /// Words that may be nouns probably are nouns.
    Later,
    /// Words that may be nouns are nouns.
    Noun,
}

/// The estimate for a clause that begins with its verb.
fn of_verb(words: &[String], place: Place) -> Sound {
    let Some((verb, rest)) = words.split_first() else {
        return Sound::Quiet;
    };
    let objects = rest.get(..REACH.min(rest.len())).unwrap_or(rest);
    let pair = PAIRS.iter().any(|(verbs, things)| {
        let verb = is_in(verbs, verb) || base(verb).iter().any(|verb| is_in(verbs, verb));
        verb && objects.iter().any(|object| is_in(things, object))
    });
    if pair {
        return Sound::Grave;
    }
    // "Shuts down", "cleans up", "turns off the lights".
    let next = rest.first().map(String::as_str).unwrap_or_default();
    let is_particle = is_in("down up off out over in", next);
    let is_phrasal = base(verb).iter().any(|verb| {
        let joined = WORDS.get(format!("{verb}{next}").as_str());
        let grave = joined.and_then(|word| word.acts);
        is_particle && grave.is_some_and(|(_, used)| matches!(used, Use::Always | Use::Verb))
            || is_in("turn switch", verb) && is_in("on off", next)
    });
    if is_phrasal && rest.len() > 1 {
        return Sound::Grave;
    }
    // "Transfer history", "Deletion log of the day", "by sending date" are records of acts.
    // "Sending messages" and "deleting logs" are acts.
    let is_about_act = |object: &String| match verb.ends_with("ing") {
        true => is_in("date time status", object),
        false => is_in(NOUNS, verb) && is_record(object),
    };
    let is_title = match rest {
        [object] => is_about_act(object),
        [object, next, ..] => is_about_act(object) && next == "of",
        [] => false,
    };
    if is_title {
        return Sound::Quiet;
    }
    let acts = |word: &String| Some((word.clone(), WORDS.get(word)?.acts?));
    let Some((verb, (sound, used))) = base(verb).iter().find_map(acts) else {
        return Sound::Quiet;
    };
    let asks = is_in(ASKING, &verb) && objects.iter().any(|word| is_in(ASKED, word));
    let articles = match place {
        Place::First => FIRST_ARTICLES,
        Place::Later => ARTICLES,
        Place::Noun => "",
    };
    let has_object = || rest.first().is_some_and(|word| is_in(articles, word));
    let is_main_verb = place == Place::First && sound == Sound::Grave;
    let counts = match used {
        Use::Always | Use::Verb => true,
        Use::Noun | Use::Event => is_main_verb || has_object(),
        Use::Head | Use::Last => false,
    };
    let computes = is_harmless(&verb, objects) && !rest.iter().any(|word| is_in(KEPT, word));
    if counts && !asks && !computes {
        sound
    } else {
        Sound::Quiet
    }
}
