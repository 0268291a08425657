//! Questions about the states of devices: "is the front door locked?", "what is the temperature in
//! the bedroom?", "is the radio playing or paused?".
//!
//! The question is read against the devices that the client lists, and answered from what
//! `GetLiveContext` says of them now. Whatever has another form is left to the grammar of the
//! other tools.

use haft_select::english::one_of;

use super::home::{Device, Domain, Home, stem};
use super::lexicon::{Explanation, explanation};
use crate::tokens::Phrase;

mod told;

pub(crate) use told::told;
use told::{is_in, opposite};

const STATES: &str = "on|off|open|opened|closed|shut|locked|unlocked|playing|paused|stopped|idle|\
    docked|cleaning|running|returning|charging";
/// What may stand before a state.
const STILL: &str = "still|currently|already|now|turned|switched|left|all|both";
const MEASURES: [(&str, &str); 7] = [
    ("temperature", "temperature"),
    ("humidity", "humidity"),
    ("battery level|charge|percentage|state?", "battery"),
    ("brightness level?", "brightness"),
    ("volume level?", "volume"),
    ("position", "position"),
    ("energy|power consumption|usage?", "energy"),
];
/// A question about devices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inquiry {
    asked: Asked,
    /// The words of the devices, as they are compared.
    words: Vec<String>,
    /// As they were said.
    said: String,
}

/// What is asked of a device.
#[derive(Clone, Debug, PartialEq)]
enum Asked {
    /// Whether it is in this state.
    State(String),
    /// In which state it is.
    Condition,
    /// What it measures, in one word.
    Measure(&'static str),
}

/// The question that `phrase` is, if it is one about named devices.
pub(super) fn inquiry(phrase: Phrase<'_>) -> Option<Inquiry> {
    yes_or_no(phrase)
        .or_else(|| measured(phrase))
        .or_else(|| condition(phrase))
}

impl Inquiry {
    fn new(asked: Asked, devices: Phrase<'_>) -> Option<Self> {
        let words = devices.words().iter().map(|word| word.lower.as_str());
        let words: Vec<&str> = words
            .filter(|word| !one_of(word, "the|my|our|in|on|at|of|for|inside"))
            .collect();
        // These ask for more than one named device, and in other words.
        let is_other = words.iter().any(|word| {
            one_of(
                word,
                "any|all|every|each|everything|there|it|which|how|or|and|not",
            )
        });
        (!is_other && words.len() <= 8).then(|| Self {
            asked,
            words: words.iter().map(|word| stem(word)).collect(),
            said: devices.text(),
        })
    }

    /// True when a device of `home` may be meant.
    pub(super) fn is_about(&self, home: &Home) -> bool {
        !self.words.is_empty() && !self.devices(home).is_empty()
    }

    /// The devices that the words fit best.
    fn devices<'h>(&self, home: &'h Home) -> Vec<&'h Device> {
        let ranked = home.devices.iter().filter_map(|device| {
            let rank = self.rank(device)?;
            self.is_told_by(device).then_some((rank, device))
        });
        let ranked: Vec<(Explanation, &Device)> = ranked.collect();
        let is_exact = |device: &Device| {
            let mut names = device.names.iter();
            names.any(|name| name.stems == self.words)
        };
        let exact = ranked.iter().map(|(_, device)| *device);
        let exact: Vec<&Device> = exact.filter(|device| is_exact(device)).collect();
        if !exact.is_empty() {
            return exact;
        }
        let best = ranked.iter().map(|(rank, _)| *rank).min();
        ranked
            .into_iter()
            .filter(|(rank, _)| Some(*rank) == best)
            .map(|(_, device)| device)
            .collect()
    }

    /// The worst explanation of any word, where all have one.
    fn rank(&self, device: &Device) -> Option<Explanation> {
        let explained = self.words.iter().map(|word| explanation(word, device));
        let explained: Option<Vec<Explanation>> = explained.collect();
        // Whether a name or an area explains a word makes no difference here.
        let worst = explained?.into_iter().max().unwrap_or(Explanation::Name);
        Some(worst.max(Explanation::Kind))
    }

    /// True when the device can say what is asked.
    fn is_told_by(&self, device: &Device) -> bool {
        let names_it = |word: &str| {
            let mut names = device.names.iter();
            names.any(|name| name.stems.iter().any(|stem| stem == word))
        };
        match &self.asked {
            Asked::Condition => true,
            Asked::State(asked) => match asked.as_str() {
                "locked" | "unlocked" => device.domain == Domain::Lock,
                "playing" | "paused" | "stopped" | "idle" => device.domain == Domain::MediaPlayer,
                "docked" | "cleaning" | "returning" => device.domain == Domain::Vacuum,
                _ => device.state.as_deref().is_none_or(|state| {
                    is_in(asked, device, state) || is_in(opposite(asked), device, state)
                }),
            },
            Asked::Measure("temperature") => {
                device.domain == Domain::Climate
                    || names_it("temperature")
                    || measures(device, "temperature")
            }
            Asked::Measure("brightness") => device.domain == Domain::Light,
            Asked::Measure("volume") => device.domain == Domain::MediaPlayer,
            Asked::Measure("position") => matches!(device.domain, Domain::Cover | Domain::Valve),
            Asked::Measure(word) => names_it(word) || measures(device, word),
        }
    }
}

fn measures(device: &Device, quantity: &str) -> bool {
    device.attribute("device_class") == Some(quantity)
}

/// "Is the front door locked?", "did I leave the lamp on?", "is the radio playing or paused?"
fn yes_or_no(phrase: Phrase<'_>) -> Option<Inquiry> {
    let rest = phrase
        .strip("is|are")
        .or_else(|| phrase.strip("tell|show me if|whether"))
        .or_else(|| phrase.strip("check if|whether"))
        .or_else(|| phrase.strip("did|have i|we|someone|anyone leave|left"))?;
    // "Tell me if the lamp is on"
    let is = rest.position("is|are").filter(|at| *at > 0);
    let (devices, states) = match is {
        Some(at) => (rest.to(at), rest.from(at + 1)),
        None => {
            let at = (1..rest.len()).find(|at| is_states(rest.from(*at)))?;
            (rest.to(at), rest.from(at))
        }
    };
    if !is_states(states) {
        return None;
    }
    let mut said = states.words().iter().map(|word| word.lower.as_str());
    let count = said.clone().filter(|word| one_of(word, STATES)).count();
    let asked = match said.find(|word| one_of(word, STATES)) {
        Some(state) if count == 1 => Asked::State(plain(state).to_owned()),
        _ => Asked::Condition,
    };
    Inquiry::new(asked, devices)
}

fn is_states(phrase: Phrase<'_>) -> bool {
    let is_state =
        |word: &str| one_of(word, STATES) || one_of(word, STILL) || one_of(word, "or|not");
    phrase.has(STATES) && phrase.words().iter().all(|word| is_state(&word.lower))
}

fn plain(state: &str) -> &str {
    match state {
        "opened" => "open",
        "shut" => "closed",
        state => state,
    }
}

/// "What is the temperature in the bedroom?", "how warm is the nursery?", "the lock's battery".
fn measured(phrase: Phrase<'_>) -> Option<Inquiry> {
    let asked = phrase
        .strip("what is|was")
        .or_else(|| phrase.strip("tell|give me"));
    let how = [
        ("warm|hot|cold|cool", "temperature"),
        ("humid|damp", "humidity"),
        ("bright", "brightness"),
        ("loud", "volume"),
    ];
    if let Some(rest) = phrase.strip("how") {
        let found = how.into_iter().find_map(|(words, measure)| {
            let rest = rest.strip(words)?.strip("is|are")?;
            Some((measure, rest.without("it")))
        });
        let (measure, devices) = found?;
        return Inquiry::new(Asked::Measure(measure), devices);
    }
    let rest = asked?;
    let rest = rest.without("the|my|our current?");
    let (measure, devices) = MEASURES.iter().find_map(|(words, measure)| {
        let before = rest
            .strip(words)
            .filter(|rest| rest.starts("of|in|on|at|for|from"));
        let after = rest.strip_end(words).filter(|rest| !rest.is_empty());
        Some((*measure, before.or(after)?))
    })?;
    Inquiry::new(Asked::Measure(measure), devices)
}

/// "What is the state of the washer?", "what is the vacuum doing?"
fn condition(phrase: Phrase<'_>) -> Option<Inquiry> {
    let devices = phrase
        .strip("what is the? state|status of")
        .or_else(|| phrase.strip("check the? state|status of"))
        .or_else(|| phrase.strip("what is")?.strip_end("doing|set to?"))
        .or_else(|| phrase.strip("what is the?")?.strip_end("state|status"))
        .or_else(|| phrase.strip("what state|status is")?.strip_end("in"))?;
    Inquiry::new(Asked::Condition, devices)
}

#[cfg(test)]
mod tests;
