//! Opposite words: a call that switches on does not agree with "turn it off".

use haft_core::{Tool, ToolCall};
use haft_select::english::one_of;
use haft_select::stems;
use serde_json::Value;

use crate::text::{sentences, words, words_of_name};

/// Words for one thing to do, and words for its opposite.
pub(super) const OPPOSITES: [(&str, &str); 5] = [
    (
        "on|enable|enabled|activate",
        "off|disable|disabled|deactivate",
    ),
    ("open|opened|opening", "close|closed|closing|shut"),
    ("lock|locked|locking", "unlock|unlocked|unlocking"),
    ("start|begin|resume|play|run", "stop|pause|end|halt|cancel"),
    (
        "up|increase|raise|brighter|warmer|louder|higher",
        "down|decrease|reduce|lower|darker|cooler|quieter",
    ),
];

/// True where the call says one thing and the user only its opposite. Of several clauses those
/// count that name what the call is about.
pub(super) fn is_opposite(call: &ToolCall, tool: &dyn Tool, question: &str) -> bool {
    let meant = words_of_call(call, tool);
    let said = words_about(call, question);
    OPPOSITES.iter().any(|(one, other)| {
        let differ = |one: &str, other: &str| {
            has(&meant, one) && !has(&meant, other) && has(&said, other) && !has(&said, one)
        };
        differ(one, other) || differ(other, one)
    })
}

fn has(words: &[String], choices: &str) -> bool {
    words.iter().any(|word| one_of(word, choices))
}

/// The words by which a call says what it does: of the tool's name, of its choices, and of
/// switches such as `"on": false`.
fn words_of_call(call: &ToolCall, tool: &dyn Tool) -> Vec<String> {
    let mut meant = words_of_name(tool.name());
    let properties = tool.schema().get("properties");
    for (name, value) in &call.args {
        let schema = properties.and_then(|properties| properties.get(name));
        let is_choice = schema.is_some_and(|schema| schema.get("enum").is_some());
        match value {
            Value::String(text) if is_choice || words(text).len() == 1 => {
                meant.extend(words_of_name(text));
            }
            Value::Bool(is_so) => meant.extend(switched(name, *is_so)),
            _ => {}
        }
    }
    meant
}

/// The word for a switch that is set, or for its opposite.
fn switched(name: &str, is_so: bool) -> Option<String> {
    let name = words_of_name(name).pop()?;
    let (one, other) = OPPOSITES.iter().find_map(|(one, other)| {
        if one_of(&name, one) {
            Some((one, other))
        } else {
            one_of(&name, other).then_some((other, one))
        }
    })?;
    let side = if is_so { one } else { other };
    side.split('|').next().map(str::to_owned)
}

/// The words of the clauses that name what the call is about; all words where none does.
fn words_about(call: &ToolCall, question: &str) -> Vec<String> {
    let named: Vec<String> = call
        .args
        .values()
        .filter_map(Value::as_str)
        .flat_map(stems)
        .collect();
    let clauses = sentences(question).into_iter().flat_map(clauses);
    let shared = |clause: &str| {
        let own = stems(clause);
        named.iter().filter(|stem| own.contains(stem)).count()
    };
    let mut best: (usize, Vec<String>) = (0, Vec::new());
    for clause in clauses {
        let count = shared(&clause);
        if count > best.0 {
            best = (count, words(&clause));
        } else if count == best.0 && count > 0 {
            best.1.extend(words(&clause));
        }
    }
    let says_any = |words: &[String]| {
        OPPOSITES
            .iter()
            .any(|(one, other)| has(words, one) || has(words, other))
    };
    // "Turn off the lamp and the fan": the verb stands in another clause.
    if says_any(&best.1) {
        best.1
    } else {
        words(question)
    }
}

fn clauses(sentence: &str) -> Vec<String> {
    let mut clauses = vec![String::new()];
    for word in sentence.split_whitespace() {
        let is_joint = one_of(&word.to_lowercase(), "and|then|but|also");
        match clauses.last_mut() {
            Some(clause) if !is_joint => {
                clause.push_str(word);
                clause.push(' ');
            }
            _ => clauses.push(String::new()),
        }
        if word.ends_with([',', ';']) {
            clauses.push(String::new());
        }
    }
    clauses
}
