//! Steps of questions about the time and the date.

use super::{Reading, Step, TimeAsked};
use crate::catalog::Catalog;
use crate::clock::iana;
use crate::intent::Intent;

/// The steps of a question about the time or a date.
pub(super) fn of_the_clock(intent: &Intent, catalog: &Catalog) -> Vec<Step> {
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
    match catalog.clock(place, iana) {
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
