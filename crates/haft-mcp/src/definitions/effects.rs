//! Estimates the effects of a server's tool, as far as the server's hints can be trusted.
//!
//! A server's hints are untrusted. The hint "destructive" is always accepted; the hint "read-only"
//! only if the tool's name, title, description and parameters do not contradict it. Without hints a
//! tool counts as destructive, the protocol's default (`modelcontextprotocol/modelcontextprotocol:
//! schema/2025-11-25/schema.ts`, `ToolAnnotations`). For a server that the user trusts, only the
//! hints count. The user's configuration overrides everything.
//!
//! `fold` normalises text, `words` splits names into words, `lexicon` has the known words,
//! `sentence` analyses descriptions.

mod fold;
mod lexicon;
mod sentence;
mod words;

use haft_core::ToolAnnotations;
use serde_json::{Map, Value};

use self::fold::fold;
use self::lexicon::{KEPT, LANGUAGES, PAIRS, PARTS, Sound, Use, WORDS, is_harmless, is_in};
use self::words::{base, readings, text_words, with_look_alikes, words};
use crate::config::rules::Standing;
use crate::look_alikes::latin;

/// Parameters that take an arbitrary command.
const COMMANDS: [&str; 16] = [
    "argv",
    "bash",
    "cmd",
    "cypher",
    "command",
    "commandline",
    "commands",
    "javascript",
    "powershell",
    "pythoncode",
    "script",
    "shell",
    "shellcommand",
    "sql",
    "sqlquery",
    "sqlstatement",
];

/// Parameters that take an arbitrary command if their description says so.
const SOURCES: [&str; 9] = [
    "code",
    "expression",
    "function",
    "input",
    "q",
    "query",
    "source",
    "statement",
    "text",
];

/// Words for such a command in the description of a parameter.
const CALLED: &str = "sql cypher javascript js python bash shell powershell";

/// The hints of the server.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hints {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
}

/// The resulting effects; `sound` is the estimate from the tool's name and description.
pub(crate) fn effects(sound: Sound, hints: Hints, standing: Standing) -> ToolAnnotations {
    let read_only = hints.read_only == Some(true) && hints.destructive != Some(true);
    let mild = hints.destructive == Some(false);
    let (read_only, harmless) = match (standing, sound) {
        (Standing::Trusted, _) => (read_only, hints.destructive != Some(true)),
        (_, Sound::Quiet) => (read_only, read_only || mild),
        // A tool that contradicts its hint "read-only" is not assumed to be harmless in other
        // respects either.
        (_, Sound::Changes) => (false, mild && hints.read_only != Some(true)),
        (_, Sound::Grave) => (false, false),
    };
    ToolAnnotations {
        read_only,
        destructive: !harmless && standing != Standing::Approved,
        idempotent: hints.idempotent == Some(true),
        sequential: false,
    }
}

/// The estimate from a tool's name, title, description and parameters.
pub(crate) fn sound_of(listed: &rmcp::model::Tool) -> Sound {
    let annotated = listed.annotations.as_ref();
    let texts = [
        listed.title.as_deref(),
        annotated.and_then(|hints| hints.title.as_deref()),
        listed.description.as_deref(),
    ];
    let texts = texts.into_iter().flatten();
    let text = texts.map(|text| sentence::sound_of(text).max(of_parts(&first_sentence(text))));
    let named = if is_sum(listed) {
        Sound::Quiet
    } else {
        of_name(&listed.name)
    };
    named
        .max(of_parameters(&listed.name, &listed.input_schema))
        .max(text.max().unwrap_or_default())
}

/// The estimate from a name: the most severe of its readings.
fn of_name(name: &str) -> Sound {
    let (space, own) = match name.rsplit_once(['.', '/', ':']) {
        Some((space, own)) if reads_first(own) => (space, own),
        _ => ("", name),
    };
    let mut readings = readings(own);
    readings.extend(with_look_alikes(own).iter().map(|own| words(own)));
    let sounds = readings.iter().map(|words| of_words(words));
    let sound = sounds.max().unwrap_or_default();
    let sound = sound.max(of_namespace(space)).max(of_parts(&fold(name)));
    if is_foreign(name) && !readings.iter().any(|words| tells(words)) && !has_reading_part(name) {
        // Verbs in all languages cannot be listed, so an unknown name needs approval unless it is
        // known to read.
        return Sound::Grave;
    }
    sound
}

/// Whether a name has letters that English does not use. Letters that look like Latin ones are read
/// as those, so a name made of them alone is judged by its appearance.
fn is_foreign(name: &str) -> bool {
    let mut letters = name.chars().map(latin);
    letters.any(|letter| letter.is_alphabetic() && !letter.is_ascii())
}

fn has_reading_part(name: &str) -> bool {
    let folded = fold(name);
    PARTS.reading.iter().any(|part| folded.contains(part))
}

fn reads_first(name: &str) -> bool {
    let reads = |words: &Vec<String>| {
        let first = words.first().and_then(|word| WORDS.get(word));
        first.is_some_and(|first| first.reads)
    };
    readings(name).iter().all(reads)
}

/// The estimate from a prefix that only groups names, as in `flight_schedule.get_times`. It counts
/// only for words that are acts in any position.
fn of_namespace(space: &str) -> Sound {
    let readings = readings(space);
    let mut acts = readings.iter().flatten().filter_map(|word| {
        let known = WORDS.get(word).copied().unwrap_or_default();
        known.acts.or_else(|| of_form(word))
    });
    match acts.any(|(_, used)| used == Use::Always) {
        true => Sound::Grave,
        false => Sound::Quiet,
    }
}

fn of_words(words: &[String]) -> Sound {
    let known = |word: &String| WORDS.get(word).copied().unwrap_or_default();
    let named = words.last().map(known).unwrap_or_default();
    let last = words.len().saturating_sub(1);
    let is_joint = |place: usize, word: &String| place > 0 && place < last && known(word).joins;
    let joined = words
        .iter()
        .enumerate()
        .any(|(place, word)| is_joint(place, word));
    let (mut reads, mut sound) = (false, Sound::Quiet);
    for (place, word) in words.iter().enumerate() {
        let is = known(word);
        if is_joint(place, word) {
            reads = false;
            continue;
        }
        if let Some((weight, used)) = is.acts.or_else(|| of_form(word)) {
            let excused = match used {
                Use::Always => reads && named.record && !joined,
                Use::Verb => reads,
                Use::Event => reads || (named.observation && place < last && !joined),
                Use::Noun => reads || ((named.record || named.reads) && place < last && !joined),
                Use::Head => place > 0,
                Use::Last => reads || place < last,
            };
            if !excused && (joined || !is_harmless_name(words, word)) {
                sound = sound.max(weight);
            }
        }
        if !reads && is_pair(words, word) {
            sound = Sound::Grave;
        }
        reads |= is.reads;
    }
    if words.iter().any(|word| is_in(LANGUAGES, word)) && !tells(words) && !named.observation {
        sound = Sound::Grave;
    }
    sound
}

/// Whether a reading verb is used on something other than a query, which may have effects.
fn tells(words: &[String]) -> bool {
    words.iter().any(|word| {
        let reads = WORDS.get(word).is_some_and(|known| known.reads);
        reads && word != "query" && word != "select"
    })
}

/// Whether `verb` only computes with the object at the end of the name, or at its beginning if the
/// verb comes last: `add_numbers`, `date_add`.
fn is_harmless_name(words: &[String], verb: &str) -> bool {
    let others = || words.iter().filter(|word| *word != verb);
    let Some(object) = others().next_back() else {
        return false;
    };
    is_harmless(verb, std::slice::from_ref(object)) && !others().any(|word| is_in(KEPT, word))
}

/// An inflected form of a verb that is not a noun as well: `deletes`, `sending`.
fn of_form(word: &str) -> Option<(Sound, Use)> {
    let acts = |stem: &String| WORDS.get(stem)?.acts;
    let found = base(word).iter().skip(1).find_map(acts);
    found.filter(|(_, used)| matches!(used, Use::Always | Use::Verb))
}

/// Whether `verb` is grave in combination with one of the other words.
fn is_pair(words: &[String], verb: &str) -> bool {
    let forms = base(verb);
    PAIRS.iter().any(|(verbs, objects)| {
        forms.iter().any(|verb| is_in(verbs, verb)) && words.iter().any(|word| is_in(objects, word))
    })
}

/// The estimate from a text in a non-Latin alphabet, or without spaces.
fn of_parts(folded: &str) -> Sound {
    let place = |parts: &[String]| parts.iter().filter_map(|part| folded.find(part)).min();
    let Some(act) = place(&PARTS.grave) else {
        return Sound::Quiet;
    };
    let is_read = place(&PARTS.reading).is_some_and(|reads| reads < act);
    let is_joined = PARTS.joining.iter().any(|part| folded.contains(part));
    if is_read && !is_joined {
        Sound::Quiet
    } else {
        Sound::Grave
    }
}

fn first_sentence(text: &str) -> String {
    let end = text.find(['.', '\n', '!', '?', '\u{3002}']);
    fold(end.and_then(|end| text.get(..end)).unwrap_or(text))
}

/// A tool that takes an arbitrary command does not only read, unless it only explains commands.
fn of_parameters(name: &str, schema: &Map<String, Value>) -> Sound {
    let properties = schema.get("properties").and_then(Value::as_object);
    let takes_command = properties.into_iter().flatten().any(|(name, property)| {
        let name: String = fold(name).chars().filter(|c| c.is_alphabetic()).collect();
        let kind = property.get("type").and_then(Value::as_str);
        let name = name.as_str();
        (COMMANDS.contains(&name) || SOURCES.contains(&name) && is_called_command(property))
            && kind.is_none_or(|kind| kind == "string" || kind == "array")
            && property.get("enum").is_none()
            && property.get("const").is_none()
    });
    let tells = || readings(name).iter().any(|words| tells(words));
    if takes_command && !tells() {
        Sound::Grave
    } else {
        Sound::Quiet
    }
}

/// Whether the description of a parameter says that it takes a program or a statement.
fn is_called_command(property: &Value) -> bool {
    let text = property.get("description").and_then(Value::as_str);
    let mut words = text
        .map(|text| text_words(&fold(text)))
        .into_iter()
        .flatten();
    words.any(|word| is_in(CALLED, &word))
}

/// True for a tool `add` whose parameters are only numbers: it computes their sum.
fn is_sum(listed: &rmcp::model::Tool) -> bool {
    let properties = listed.input_schema.get("properties");
    let properties = properties.and_then(Value::as_object);
    let is_number = |property: &Value| {
        let kind = property.get("type").and_then(Value::as_str);
        matches!(kind, Some("number" | "integer"))
    };
    listed.name.eq_ignore_ascii_case("add")
        && properties.is_some_and(|all| !all.is_empty() && all.values().all(is_number))
}

#[cfg(test)]
mod tests;
