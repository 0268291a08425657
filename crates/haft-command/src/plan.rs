//! From intents to steps: which calls of which bound tools, and how their results are read.

use super::assist::{Home, Inquiry};
use super::calendar::{Asked, When};
use super::catalog::{Catalog, Wanted};
use super::clock;
use super::grammar::HERE;
use super::intent::{About, Action, Cause, DeviceKind, Doubt, Intent, Target, Until};

mod order;

use order::carried_out;

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

/// Asked where the present level cannot be read.
const LEVEL_MISSING: &str = "To what level? Say for example: set the bedroom light to 40 percent.";

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

/// The steps of a question about the time or a date.
fn of_the_clock(intent: &Intent, catalog: &Catalog) -> Vec<Step> {
    match intent {
        Intent::Time {
            places,
            minutes,
            dated,
        } => {
            let here = [None];
            let there: Vec<Option<String>> = places.iter().cloned().map(Some).collect();
            let places = if there.is_empty() {
                here.as_slice()
            } else {
                there.as_slice()
            };
            let read = |place: &Option<String>| {
                let reading = Reading::Time(TimeAsked {
                    place: place.clone(),
                    minutes: *minutes,
                    dated: *dated,
                });
                ask_clock(catalog, place.as_deref(), reading)
            };
            places.iter().map(read).collect()
        }
        Intent::Zone { place } => {
            let reading = Reading::Zone {
                place: place.clone(),
            };
            vec![ask_clock(catalog, place.as_deref(), reading)]
        }
        Intent::Until(until) => {
            let reading = Reading::Until(until.clone());
            vec![ask_clock(catalog, until.place.as_deref(), reading)]
        }
        Intent::Span { asked, from, to } => {
            let reading = Reading::Span {
                asked: *asked,
                from: from.clone(),
                to: to.clone(),
            };
            vec![ask_clock(catalog, None, reading)]
        }
        Intent::Difference { place, from } => vec![compare(catalog, place, from.as_deref())],
        Intent::Date { asked, when, place } => {
            let reading = Reading::Date {
                asked: *asked,
                when: when.clone(),
                place: place.clone(),
            };
            vec![ask_clock(catalog, place.as_deref(), reading)]
        }
        _ => Vec::new(),
    }
}

fn ask_clock(catalog: &Catalog, place: Option<&str>, reading: Reading) -> Step {
    match catalog.clock(place, clock::iana) {
        Some(wanted) => Step::Ask { wanted, reading },
        None if place.is_some() && catalog.has_clock() => {
            Step::Missing("The clock tool here knows only the local time.".to_owned())
        }
        None => {
            Step::Missing("I have no clock here: no tool that tells the time is bound.".to_owned())
        }
    }
}

fn compare(catalog: &Catalog, place: &str, from: Option<&str>) -> Step {
    let there = ask_clock(catalog, Some(place), Reading::Words);
    let here = ask_clock(catalog, from, Reading::Words);
    match (there, here) {
        (Step::Ask { wanted: there, .. }, Step::Ask { wanted: here, .. }) => Step::Compare {
            there,
            here,
            place: place.to_owned(),
            from: from.map(str::to_owned),
        },
        (Step::Ask { .. }, missing) | (missing, _) => missing,
    }
}

fn control(catalog: &Catalog, action: Action, target: &Target) -> Step {
    let percent = match action {
        Action::Level(level) => level,
        Action::Brighter(by) => by.abs(),
        _ => 0.0,
    };
    if !(0.0..=100.0).contains(&percent) {
        return Step::Decline("A level goes from 0 to 100 percent.".to_owned());
    }
    let lights = match action {
        Action::Level(_) if catalog.listing().is_some() => target.lights_of_room(),
        _ => None,
    };
    let target = lights.as_ref().unwrap_or(target);
    let missing = || Step::Missing(missing_device_tool(catalog, verb(action)));
    match target {
        Target::Unnamed => Step::Decline("Which device do you mean?".to_owned()),
        Target::All { rooms, .. } if rooms.iter().any(|room| room == HERE) => {
            Step::Decline("Which room do you mean?".to_owned())
        }
        Target::Named(name) => match catalog.control(name, action) {
            None if action.is_relative() => match catalog.listing() {
                Some(listing) => Step::Each {
                    listing,
                    action,
                    target: target.clone(),
                },
                None if catalog.has_devices() => Step::Decline(LEVEL_MISSING.to_owned()),
                None => missing(),
            },
            None if takes_other_values(catalog, name, action) => {
                Step::Decline(VALUE_REFUSED.to_owned())
            }
            Some(wanted) => {
                let reading = Reading::Done {
                    device: name.clone(),
                    action,
                };
                Step::Ask { wanted, reading }
            }
            None => missing(),
        },
        Target::All {
            kind,
            rooms,
            except,
        } => {
            let at_once = (rooms.len() <= 1 && except.is_empty() && *kind == DeviceKind::Light)
                .then(|| catalog.control_area(rooms.first().map(String::as_str), "light", action))
                .flatten();
            if let Some(wanted) = at_once {
                let device = rooms
                    .first()
                    .map_or("the lights".to_owned(), |room| format!("the {room} lights"));
                return Step::Ask {
                    wanted,
                    reading: Reading::Done { device, action },
                };
            }
            match catalog.listing() {
                Some(listing) => Step::Each {
                    listing,
                    action,
                    target: target.clone(),
                },
                None => missing(),
            }
        }
    }
}

fn takes_other_values(catalog: &Catalog, name: &str, action: Action) -> bool {
    let common = match action {
        Action::Level(_) => Action::Level(20.0),
        Action::Temperature(_) => Action::Temperature(20.0),
        _ => return false,
    };
    catalog.control(name, common).is_some()
}

fn question(catalog: &Catalog, about: About, target: &Target) -> Step {
    let target = everywhere(target);
    // Whether a window is open is known to its sensor, whatever that is called.
    let windows = target.windows().filter(|_| catalog.listing().is_some());
    let target = &windows.unwrap_or(target);
    let listed = || {
        catalog.listing().map(|listing| Step::Tell {
            listing,
            about,
            target: target.clone(),
        })
    };
    let step = match target {
        Target::Unnamed => Some(Step::Decline("Which device do you mean?".to_owned())),
        Target::All { .. } => listed(),
        Target::Named(name) => {
            let (said, measured) = match about {
                About::Temperature => (with_word(name, "temperature"), true),
                About::Humidity => (with_word(name, "humidity"), true),
                About::Motion => (with_word(name, "motion"), true),
                _ => (name.clone(), false),
            };
            let reading = Reading::Device {
                device: said.clone(),
                about,
            };
            let asked = catalog.query(&said, measured);
            asked
                .map(|wanted| Step::Ask { wanted, reading })
                .or_else(listed)
        }
    };
    step.unwrap_or_else(|| Step::Missing(missing_device_tool(catalog, "read devices")))
}

/// A question about "here" is answered for the whole home, as the engine knows no room it is in.
fn everywhere(target: &Target) -> Target {
    let mut target = target.clone();
    if let Target::All { rooms, .. } = &mut target {
        rooms.retain(|room| room != HERE);
    }
    target
}

/// "living room" is asked for as "living room temperature"; a thermostat has its own.
fn with_word(name: &str, word: &str) -> String {
    let lower = name.to_lowercase();
    let is_device = ["temperature", "humidity", "motion", "thermostat", "sensor"]
        .iter()
        .any(|noun| lower.contains(noun));
    if is_device {
        name.to_owned()
    } else {
        format!("{name} {word}")
    }
}

fn verb(action: Action) -> &'static str {
    match action {
        Action::On | Action::Off => "switch devices",
        Action::Toggle => "toggle devices",
        Action::Level(_) | Action::Brighter(_) => "set a level",
        Action::Temperature(_) | Action::Warmer(_) => "set a temperature",
        Action::Lock | Action::Unlock => "lock or unlock",
        Action::Open | Action::Close => "open or close things",
    }
}

fn missing_device_tool(catalog: &Catalog, verb: &str) -> String {
    if catalog.has_devices() {
        return format!("None of the tools here can {verb}.");
    }
    "I have no device tools here; connect a home with --mcp FILE, or try --home demo.".to_owned()
}

/// What the engine is, and what it can do with these tools.
pub(super) fn introduction(catalog: &Catalog) -> String {
    format!(
        "I am haft's local command engine, not a language model. {}",
        abilities(catalog)
    )
}

/// How to get more than the engine can do.
const CONNECT: &str = "connect a language model, for example with --model ollama:NAME, or with \
    --model anthropic:NAME and ANTHROPIC_API_KEY set";

/// What to say to all that is neither the time nor a device.
pub(super) fn beyond(catalog: &Catalog) -> String {
    format!(
        "I am haft's local command engine, not a language model, so I cannot help with that. {} For more, {CONNECT}.",
        abilities(catalog)
    )
}

/// What stopped the commands, and how more than commands is understood.
fn stopped(doubt: &Doubt) -> String {
    let sentence = doubt.sentence();
    if doubt.acts && doubt.cause != Cause::Unclear {
        return sentence;
    }
    format!("{sentence} I am only haft's local command engine: for more, {CONNECT}.")
}

fn abilities(catalog: &Catalog) -> String {
    match (catalog.has_clock(), catalog.has_devices()) {
        (true, true) => {
            "Here I can tell the time and the date, and control and check devices: try \
            \"Turn on the kitchen light and tell me the time in Tokyo\"."
                .to_owned()
        }
        (true, false) => {
            "Here I can tell the time and the date: try \"What time is it in Tokyo?\".".to_owned()
        }
        (false, true) => {
            "Here I can control and check devices: try \"Which lights are on?\".".to_owned()
        }
        (false, false) => {
            "No tool that I can use is bound here, so there is nothing I can do.".to_owned()
        }
    }
}
