//! Commands to vacuums and valves, and to whatever starts and stops: "vacuum the kitchen", "send
//! the robot home", "water the garden", "start the coffee maker".

use super::{Reading, around, placed};
use crate::assist::act::Act;
use crate::assist::home::Domain;
use crate::tokens::Phrase;

const CLEANING: &str = "vacuuming|cleaning|hoovering|sweeping|mopping";
const BASE: &str = "base|dock|station|charger|home|charging";

pub(super) fn readings(phrase: Phrase<'_>) -> Vec<Reading> {
    let mut readings = cleaning(phrase);
    readings.extend(returning(phrase));
    readings.extend(watering(phrase));
    readings.extend(started(phrase));
    readings
}

fn cleaning(phrase: Phrase<'_>) -> Vec<Reading> {
    let vacuum = |act: Act, rest: Phrase<'_>| Reading::of(act, rest).only(Domain::Vacuum);
    let begun = phrase.strip(&format!("start|begin|commence|resume|continue {CLEANING}"));
    let ended = phrase.strip(&format!("stop|end|quit|finish {CLEANING}"));
    let verb = phrase.strip("vacuum|hoover|clean|sweep|mop up?");
    let plain = [(begun, Act::Clean), (ended, Act::Stop), (verb, Act::Clean)];
    let plain = plain.into_iter().filter_map(|(rest, act)| {
        let rest = rest?;
        let floor = rest.strip("the? floor|floors|carpet|carpets|rug");
        let rest = floor.filter(|rest| !rest.is_empty()).unwrap_or(rest);
        Some(vacuum(act, placed(rest).unwrap_or(rest)))
    });
    plain.chain(told(phrase)).collect()
}

/// "Have the robot clean the hall", "robot, start cleaning".
fn told(phrase: Phrase<'_>) -> Vec<Reading> {
    let order = phrase.without("tell|have|get|let|make|ask");
    let forms = [
        (format!("to? start|begin {CLEANING}"), Act::Clean),
        (
            "to? vacuum|clean|sweep|mop|hoover up?".to_owned(),
            Act::Clean,
        ),
        (format!("to? stop|quit|end {CLEANING}"), Act::Stop),
    ];
    let mut readings = Vec::new();
    for at in 1..order.len() {
        let robot = order.to(at);
        readings.extend(forms.iter().filter_map(|(words, act)| {
            let rest = order.from(at).strip(words)?;
            let place = placed(rest).unwrap_or(rest);
            Some(Reading::new(act.clone(), around(robot, place)).only(Domain::Vacuum))
        }));
    }
    readings
}

/// "Send the robot back to its dock", "vacuum return to base", "dock the vacuum".
fn returning(phrase: Phrase<'_>) -> Vec<Reading> {
    let places = [
        format!("back? to the|its? charging|docking? {BASE} station?"),
        "back? home".to_owned(),
        "back".to_owned(),
    ];
    let ends = places
        .iter()
        .filter_map(|place| phrase.strip_end(place))
        .collect::<Vec<_>>();
    let mut targets = Vec::new();
    for rest in ends {
        targets.extend(rest.strip("return|send|bring|take|get|call|put"));
        targets.extend(
            rest.strip_end("return|go|head|drive")
                .filter(|rest| !rest.is_empty()),
        );
        targets.extend(rest.strip_end("should|must return|go|head|drive"));
        targets.extend(rest.strip("go|return|head").filter(|rest| rest.is_empty()));
        let told = rest.strip("tell|have|let|get|make");
        targets.extend(told.and_then(|rest| rest.strip_end("to? return|go|head")));
    }
    targets.extend(
        phrase
            .strip("dock|park|recharge")
            .filter(|rest| !rest.is_empty()),
    );
    let targets = targets.into_iter();
    targets
        .map(|target| Reading::of(Act::ReturnToBase, target).only(Domain::Vacuum))
        .collect()
}

fn watering(phrase: Phrase<'_>) -> Vec<Reading> {
    let forms = [
        ("water|irrigate", Act::Open),
        ("start|begin watering|irrigating", Act::Open),
        ("stop|end|quit watering|irrigating", Act::Close),
    ];
    let given = phrase
        .between("give", "some? water")
        .map(|rest| Reading::of(Act::Open, rest).only(Domain::Valve));
    let watered = forms.into_iter().filter_map(|(words, act)| {
        let rest = phrase.strip(words)?;
        let plants = rest.strip("the|my? plants|flowers|grass|beds in|on|at|of");
        Some(Reading::of(act, plants.unwrap_or(rest)).only(Domain::Valve))
    });
    watered.chain(given).collect()
}

fn started(phrase: Phrase<'_>) -> Vec<Reading> {
    let forms = [
        ("start|run|launch up?", Act::Start),
        ("stop|halt", Act::Stop),
        ("stop|halt|freeze moving?", Act::StopMoving),
    ];
    let plain = forms.into_iter().filter_map(|(words, act)| {
        let rest = phrase.strip(words).filter(|rest| !rest.is_empty())?;
        Some(Reading::of(act, rest))
    });
    // "Get the vacuum going", "vacuum start".
    let got = phrase.between("get", "going|started|running");
    let bare = phrase.strip_end("start").filter(|rest| !rest.is_empty());
    let stopped = phrase.strip_end("stop").filter(|rest| !rest.is_empty());
    let others = [(got, Act::Start), (bare, Act::Start), (stopped, Act::Stop)];
    let others = others
        .into_iter()
        .filter_map(|(target, act)| Some(Reading::of(act, target?)));
    plain.chain(others).collect()
}
