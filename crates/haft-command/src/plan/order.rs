//! Steps of a command that was read against the devices of a home.

use super::{Reading, Step, VALUE_REFUSED};
use crate::assist::{Act, Device, Home, Meant, Order, ordered};
use crate::catalog::Catalog;

/// Said where no bound tool does what was understood.
const NO_TOOL: &str = "None of the tools here can do that, so I changed nothing.";

/// The calls of an order, or what is asked or said instead.
pub(super) fn carried_out(order: &Order, catalog: &Catalog, home: &Home) -> Vec<Step> {
    let say = |sentence: String| vec![Step::Decline(sentence)];
    match &order.meant {
        Meant::Nothing | Meant::Pronoun => return say("Which device do you mean?".to_owned()),
        Meant::Unknown => {
            return say(format!(
                "I know nothing called \"{}\" that this can be done to, so I changed nothing.",
                order.target
            ));
        }
        Meant::Which(devices) => return say(which(devices, home)),
        Meant::Devices(_) | Meant::Floor(_) | Meant::Area(_) => {}
    }
    let calls = catalog.assist().and_then(|tools| tools.calls(order, home));
    let Some(calls) = calls else {
        let is_value = matches!(order.act, Act::Level(_));
        if is_value {
            return say(VALUE_REFUSED.to_owned());
        }
        return vec![Step::Missing(NO_TOOL.to_owned())];
    };
    let devices = ordered(order, home);
    let ask = |wanted| Step::Ask {
        wanted,
        reading: Reading::Ordered {
            devices: devices.clone(),
            outcome: order.act.outcome(),
        },
    };
    calls.into_iter().map(ask).collect()
}

/// More devices than this are not listed in a question.
const MOST_CHOICES: usize = 5;

fn which(devices: &[usize], home: &Home) -> String {
    let names = devices.iter().filter_map(|index| home.device(*index));
    let names: Vec<&str> = names.map(Device::name).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() && names.len() <= MOST_CHOICES => {
            format!("Which one do you mean: {} or {last}?", rest.join(", "))
        }
        _ => "Which one do you mean, and in which area?".to_owned(),
    }
}

/// What cannot be done with the bound tools stops what can be.
pub(super) fn nothing_by_half(steps: &mut Vec<Step>) {
    let is_missing = |step: &Step| match step {
        Step::Missing(_) => true,
        Step::Decline(said) => said == VALUE_REFUSED,
        _ => false,
    };
    let is_order = |step: &Step| {
        matches!(
            step,
            Step::Ask {
                reading: Reading::Ordered { .. },
                ..
            }
        )
    };
    if steps.iter().any(is_missing) {
        steps.retain(|step| !is_order(step));
    }
}
