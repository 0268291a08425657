//! What one command asks for: a pure function from text to an [`Intent`] with its slots.
//!
//! This is the seam: whatever recognises commands, by rules as here or by statistics, answers
//! with an [`Intent`]. The rules stand in `intent/`, one file per subject; how a sentence is cut
//! into commands is the business of `clauses.rs`, what is done about an intent that of `plan.rs`.

use super::calendar::{Asked, When};
use super::tokens::{Phrase, words};

mod change;
mod date;
mod device;
mod inquiry;
mod target;
mod time;
mod zone;

pub(super) use device::{begins_command, begins_later};
pub(super) use target::{Kind, Target, has_device_noun, looks_like_name};
pub(super) use time::is_place;

/// What a command asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Intent {
    /// Nothing: words of politeness alone.
    Nothing,
    Greeting,
    Farewell,
    Thanks,
    /// What can you do?
    Help,
    /// The time, here or in each place, so many minutes from now, perhaps with the date.
    Time {
        places: Vec<String>,
        minutes: i64,
        dated: bool,
    },
    /// The time zone here or of a place.
    Zone {
        place: Option<String>,
    },
    /// How far the clock of a place is ahead of that of another, or of here.
    Difference {
        place: String,
        from: Option<String>,
    },
    /// Something about a day, here or in a place.
    Date {
        asked: Asked,
        when: When,
        place: Option<String>,
    },
    /// Do something with each device.
    Control {
        action: Action,
        targets: Vec<Target>,
    },
    /// Tell something about devices.
    Question {
        about: About,
        targets: Vec<Target>,
    },
    /// The user changed their mind on the way.
    Corrected,
    /// Whether the home itself answers.
    Health,
    /// A command that the user does not want to be carried out.
    Negated,
    /// A command for later, or on a condition.
    Later,
    /// Whatever else.
    Unknown,
}

impl Intent {
    /// True for what is meant as it is said: about the clock, or about a thing that is called
    /// what things in a home are called.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Time { .. } | Self::Zone { .. } | Self::Difference { .. } | Self::Date { .. } => {
                true
            }
            Self::Control { targets, .. } | Self::Question { targets, .. } => {
                targets.iter().all(Target::is_plain)
            }
            _ => false,
        }
    }
}

/// What to do with a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Action {
    On,
    Off,
    Toggle,
    /// Percent, 0 to 100.
    Level(f64),
    /// So many percent brighter, or darker where it is negative.
    Brighter(f64),
    /// Degrees of whatever scale the tool uses.
    Temperature(f64),
    /// So many degrees warmer, or cooler where it is negative.
    Warmer(f64),
    Lock,
    Unlock,
    Open,
    Close,
}

impl Action {
    /// True when what to do depends on how the device is now.
    pub(super) fn is_relative(self) -> bool {
        matches!(self, Self::Toggle | Self::Brighter(_) | Self::Warmer(_))
    }
}

/// What to tell about devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Which there are.
    Existence,
    /// Which are in this state, or whether they are.
    State(State),
    /// Whether all are in this state.
    Every(State),
    /// How many are in this state.
    Count(State),
    /// What they say about themselves.
    Status,
    Temperature,
    Humidity,
    /// Whether somebody or something moves.
    Motion,
    /// Which rooms there are.
    Rooms,
}

/// A state that a device may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    On,
    Off,
    Locked,
    Unlocked,
    Open,
    Closed,
    Online,
    Offline,
    Any,
}

/// What `text`, a single command, asks for.
pub(super) fn classify(text: &str) -> Intent {
    let words = words(text);
    let phrase = Phrase::new(text, &words);
    let (phrase, greeted) = without_noise(phrase);
    if phrase.is_empty() {
        return if greeted {
            Intent::Greeting
        } else {
            Intent::Nothing
        };
    }
    courtesy(phrase)
        .or_else(|| device::negated(phrase))
        .or_else(|| change::command(phrase))
        .or_else(|| device::command(phrase))
        .or_else(|| inquiry::question(phrase))
        .or_else(|| zone::question(phrase))
        .or_else(|| time::question(phrase))
        .or_else(|| date::question(phrase))
        .unwrap_or(Intent::Unknown)
}

fn courtesy(phrase: Phrase<'_>) -> Option<Intent> {
    let help = [
        "help me?",
        "what can you do|control",
        "what can i say|ask|do you?",
        "what do you do",
        "what are you able to do",
        "how can you help me?",
        "what commands|things do|can you know|understand|do?",
        "who are you",
        "what are you",
        "are you a|an? real? ai|robot|human|person|bot|chatbot|assistant|computer|llm|machine",
        "are you a|an? large? language model",
        "what|which language? model are you",
        "are you chatgpt|gpt|claude|alexa|siri|gemini|llama|google",
        "what is your name",
    ];
    let thanks = [
        "thanks|thank|cheers you? a? lot?",
        "thank you very? so? much?",
    ];
    let stops = [
        "stop|cancel|abort|enough|nevermind that|it?",
        "never mind",
        "do? nothing",
        "do not",
        "forget|scratch it|that",
        "no thanks|thank|way? you?",
    ];
    let farewell = ["good? night|bye|goodbye|goodnight", "see you later?"];
    if farewell.iter().any(|words| phrase.is(words)) {
        return Some(Intent::Farewell);
    }
    if stops.iter().any(|words| phrase.is(words)) {
        return Some(Intent::Negated);
    }
    if phrase.is("yes|yeah|yep|yup|sure") || phrase.is("no rush|hurry|worries|problem") {
        return Some(Intent::Nothing);
    }
    if help.iter().any(|words| phrase.is(words)) {
        Some(Intent::Help)
    } else if thanks.iter().any(|words| phrase.is(words)) {
        Some(Intent::Thanks)
    } else if phrase.is("how are|is you|it doing|going? today?") {
        Some(Intent::Greeting)
    } else {
        None
    }
}

/// The phrase without words that ask nothing, and whether a greeting was among them.
fn without_noise(mut phrase: Phrase<'_>) -> (Phrase<'_>, bool) {
    const LEADING: [&str; 17] = [
        "please|pls|plz|kindly|just|now|then|also|ok|okay|so|well|like|um|uh|oh|actually|alright|and|plus|next",
        "can|could|would|will you|u please|possibly|kindly?",
        "are you able to",
        "i? want|need you? to",
        "i would like you to",
        "i would like to know|hear",
        "i want|need to know",
        "would you mind telling me",
        "can|could|may i know|ask|have",
        "do you happen? to? know",
        "go ahead and?",
        "any idea",
        "let us|me know",
        "after that|this",
        "be so kind and|to",
        "quick question",
        "haft|computer|assistant",
    ];
    const TRAILING: [&str; 11] = [
        "right now",
        "please|pls|plz|thx|now|currently|immediately|thanks|already|again|then|though|exactly",
        "thank you very|so? much?",
        "thanks a? lot?",
        "no rush|hurry|worries|problem",
        "if you can|could|would|please|may",
        "at the moment",
        "at present",
        "for me",
        "right away",
        "would|will|can|could you",
    ];
    const GREETINGS: [&str; 3] = [
        "hello|hi|hey|yo|hallo|greetings|howdy there? computer|haft|assistant?",
        "good morning|evening|afternoon|day",
        "hi|hello all|everyone",
    ];
    let mut greeted = false;
    loop {
        let before = phrase.len();
        if let Some(rest) = GREETINGS.iter().find_map(|words| phrase.strip(words)) {
            (phrase, greeted) = (rest, true);
        }
        let is_courtesy = phrase.starts("next week|month|year") || phrase.starts("thank");
        if !is_courtesy && let Some(rest) = LEADING.iter().find_map(|words| phrase.strip(words)) {
            phrase = rest;
        }
        let ending = TRAILING.iter().find_map(|words| phrase.strip_end(words));
        if let Some(rest) = ending.filter(|rest| !rest.is_empty() || phrase.len() == 1) {
            if phrase.starts("no? thanks|thank") && phrase.len() <= 5 {
                return (phrase, greeted);
            }
            phrase = rest;
        }
        if phrase.len() == before {
            return (phrase, greeted);
        }
    }
}

#[cfg(test)]
mod tests;
