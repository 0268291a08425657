//! From intents to steps: which calls of which bound tools, and how their results are read.

use super::assist::{Home, Inquiry};
use super::calendar::{Asked, When};
use super::catalog::{Catalog, Wanted};
use super::intent::{About, Action, Intent, Target, Until};

mod clock;
mod device;
mod introduction;
mod order;

use self::clock::of_the_clock;
use self::device::{control, missing_device_tool, question};
use self::introduction::stopped;
pub(super) use self::introduction::{beyond, introduction};
use self::order::carried_out;

/// One thing to do for the user, in the order of the sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Nothing to call; a sentence answers.
    Say(String),
    /// Nothing is done; a sentence says why, or asks back.
    Decline(String),
    /// No bound tool does this; a sentence says so.
    Missing(String),
    /// One call.
    Ask { wanted: Wanted, reading: Reading },
    /// Two clocks to compare.
    Compare {
        there: Wanted,
        here: Wanted,
        place: String,
        from: Option<String>,
    },
    /// List the devices first, then tell about some of them.
    Tell {
        listing: Wanted,
        about: About,
        target: Target,
    },
    /// List the devices first, then answer a question about those that the words mean.
    Inquire { listing: Wanted, inquiry: Inquiry },
    /// List the devices first, then call once for each that is meant.
    Each {
        listing: Wanted,
        action: Action,
        target: Target,
    },
    /// The command needs more than this engine.
    Beyond,
}

/// How the result of a call answers the user.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reading {
    Time(TimeAsked),
    Date {
        asked: Asked,
        when: When,
        place: Option<String>,
    },
    /// How long it is until a time.
    Until(Until),
    /// How far two days are apart.
    Span {
        asked: Asked,
        from: When,
        to: When,
    },
    Done {
        device: String,
        action: Action,
    },
    /// An order that was carried out.
    Ordered {
        devices: String,
        outcome: String,
    },
    Device {
        device: String,
        about: About,
    },
    Zone {
        place: Option<String>,
    },
    /// What the tool says.
    Words,
}

/// What a question for the time said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TimeAsked {
    pub(super) place: Option<String>,
    /// How many minutes from now; what is past is negative.
    pub(super) minutes: i64,
    /// Whether the date was asked for too.
    pub(super) dated: bool,
}

/// Said where a tool's schema rules a value out.
pub(super) const VALUE_REFUSED: &str =
    "That value cannot be set here. Try a whole number such as 20.";

/// The steps for `intents` with the tools of `catalog`, in a home that the client lists.
pub(super) fn steps(intents: &[Intent], catalog: &Catalog, home: Option<&Home>) -> Vec<Step> {
    let mut steps = Vec::new();
    for intent in intents {
        match (intent, home) {
            (Intent::Order(order), Some(home)) => steps.extend(carried_out(order, catalog, home)),
            _ => steps.extend(steps_of(intent, catalog)),
        }
    }
    order::nothing_by_half(&mut steps);
    steps
}

fn steps_of(intent: &Intent, catalog: &Catalog) -> Vec<Step> {
    let say = |sentence: &str| vec![Step::Say(sentence.to_owned())];
    let decline = |sentence: &str| vec![Step::Decline(sentence.to_owned())];
    match intent {
        Intent::Nothing => say("What can I do for you?"),
        Intent::Farewell => say("See you soon."),
        Intent::Thanks => say("You are welcome."),
        Intent::Greeting => vec![Step::Say(format!("Hello. {}", introduction(catalog)))],
        Intent::Help => vec![Step::Say(introduction(catalog))],
        Intent::Inquiry(inquiry) => vec![match catalog.listing() {
            Some(listing) => Step::Inquire {
                listing,
                inquiry: inquiry.clone(),
            },
            None => Step::Missing(missing_device_tool(catalog, "read devices")),
        }],
        // An order without its home was not made here.
        Intent::Unknown | Intent::Order(_) => vec![Step::Beyond],
        Intent::Stopped(doubt) => vec![Step::Decline(stopped(doubt))],
        Intent::Corrected => {
            decline("You changed your mind on the way, so I did nothing. Please say it once more.")
        }
        Intent::Health => vec![match catalog.health() {
            Some(wanted) => Step::Ask {
                wanted,
                reading: Reading::Words,
            },
            None => Step::Missing(missing_device_tool(catalog, "check the whole home")),
        }],
        Intent::Negated | Intent::Keep => say("All right, I did nothing."),
        Intent::Later => {
            decline("I can only act at once, not later or on a condition, so I did nothing.")
        }
        Intent::Time { .. }
        | Intent::Zone { .. }
        | Intent::Until(_)
        | Intent::Span { .. }
        | Intent::Difference { .. }
        | Intent::Date { .. } => of_the_clock(intent, catalog),
        Intent::Convert(conversion) => vec![match conversion.sentence() {
            Ok(sentence) => Step::Say(sentence),
            Err(sentence) => Step::Decline(sentence),
        }],
        Intent::Control { action, targets } => targets
            .iter()
            .map(|target| control(catalog, *action, target))
            .collect(),
        Intent::Question { about, targets } => targets
            .iter()
            .map(|target| question(catalog, *about, target))
            .collect(),
    }
}
