//! States in an answer that are opposite to those in the results.
//!
//! Only plain sentences are compared: one device, one state, no negation, no condition, no past.

use haft_command::device_states;
use haft_core::ToolMessage;
use haft_select::english::{State, one_of};
use haft_select::stems;

use crate::text::{sentences, words};

/// With these words a sentence may mean anything.
const HEDGES: &str = "not|no|never|neither|if|when|unless|until|before|after|was|were|had|will|would|\
    should|could|can|may|might|from|except|but|or|instead|partly|partially|slightly|half|otherwise|\
    nor|without|sometimes|usually|want|like";

/// What stands before a state that is said of a device.
const BEFORE_STATE: &str = "is|are|now|currently|still|already|turned|switched|been|remains|stays|fully|\
    completely|both|all";

/// What follows "on" where it is no state: "on the wall".
const AFTER_PREPOSITION: &str = "the|a|an|my|your|our|this|that|its|it|top|monday|tuesday|wednesday|\
    thursday|friday|saturday|sunday|average|time|schedule";

/// What stands before the subject of an answer.
const OPENERS: &str = "yes|ye|sure|ok|okai|okay|done|well|current|now";

/// A device that results tell the state of.
#[derive(Debug)]
struct Known {
    /// The words of its name.
    name: Vec<String>,
    state: State,
}

/// True when a sentence states the opposite of what the latest result says about its device.
pub(super) fn contradict(answer: &str, results: &[&ToolMessage]) -> bool {
    let known = known(results);
    sentences(answer)
        .into_iter()
        .filter_map(|sentence| Some((sentence, stated(sentence)?)))
        .any(|(sentence, state)| {
            meant(sentence, &known).is_some_and(|device| Some(device.state) == opposite(state))
        })
}

/// The devices of the results, each with its latest state.
fn known(results: &[&ToolMessage]) -> Vec<Known> {
    let mut known: Vec<Known> = Vec::new();
    let mut learn = |name: Vec<String>, state| {
        known.retain(|device| device.name != name);
        known.push(Known { name, state });
    };
    for result in results {
        let listed = device_states(result);
        for device in &listed {
            learn(stems(&device.name), device.state);
        }
        if listed.is_empty() {
            let text = result.content.text();
            for sentence in sentences(&text) {
                if let Some(state) = stated(sentence) {
                    learn(name_in(sentence), state);
                }
            }
        }
    }
    known.retain(|device| !device.name.is_empty());
    known
}

/// The words before the verb: "Kitchen Light is now off".
fn name_in(sentence: &str) -> Vec<String> {
    let lower = sentence.to_lowercase();
    let end = [" is ", " are ", ":"]
        .iter()
        .filter_map(|mark| lower.find(mark))
        .min();
    let name = end.and_then(|end| lower.get(..end)).unwrap_or_default();
    stems(name)
}

/// The one state that a plain sentence states.
fn stated(sentence: &str) -> Option<State> {
    let words = words(sentence);
    if sentence.ends_with('?') || words.iter().any(|word| one_of(word, HEDGES)) {
        return None;
    }
    let mut found = None;
    for (index, word) in words.iter().enumerate() {
        let Some(state) = state_of(word) else {
            continue;
        };
        let before = index.checked_sub(1).and_then(|before| words.get(before));
        let after = words.get(index + 1);
        let is_predicate = before.is_some_and(|word| one_of(word, BEFORE_STATE));
        let is_preposition = after.is_some_and(|word| one_of(word, AFTER_PREPOSITION))
            && matches!(state, State::On | State::Off);
        if !is_predicate || is_preposition {
            continue;
        }
        if found.is_some_and(|found| found != state) {
            return None;
        }
        found = Some(state);
    }
    found
}

fn state_of(word: &str) -> Option<State> {
    Some(match word {
        "on" => State::On,
        "off" => State::Off,
        "open" => State::Open,
        "closed" => State::Closed,
        "locked" => State::Locked,
        "unlocked" => State::Unlocked,
        _ => return None,
    })
}

fn opposite(state: State) -> Option<State> {
    Some(match state {
        State::On => State::Off,
        State::Off => State::On,
        State::Open => State::Closed,
        State::Closed => State::Open,
        State::Locked => State::Unlocked,
        State::Unlocked => State::Locked,
        _ => return None,
    })
}

/// The one device that a sentence is about: the one with the most words in it, or the only one
/// there is if the sentence calls it by a part of its name or says "it".
fn meant<'a>(sentence: &str, known: &'a [Known]) -> Option<&'a Known> {
    let said = stems(sentence);
    let is_named = |device: &&Known| device.name.iter().all(|word| said.contains(word));
    let named: Vec<&Known> = known.iter().filter(is_named).collect();
    let most = named.iter().map(|device| device.name.len()).max();
    if let Some(most) = most {
        let mut longest = named.iter().filter(|device| device.name.len() == most);
        let first = longest.next().copied();
        return first.filter(|_| longest.next().is_none());
    }
    let [only] = known else {
        return None;
    };
    let subject = name_in(sentence);
    let mut subject = subject
        .iter()
        .filter(|word| !one_of(word, OPENERS))
        .peekable();
    let is_pronoun = words(sentence).iter().any(|word| word == "it");
    let is_part = subject.peek().is_some() && subject.all(|word| only.name.contains(word));
    (is_part || is_pronoun).then_some(only)
}
