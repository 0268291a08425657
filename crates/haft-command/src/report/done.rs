//! What to say about devices that were controlled, or were not.

use haft_core::{ToolMessage, ToolStatus};

use super::phrases::{is_or_are, joined, none_of, noun};
use crate::answer::{done, failure, outcome};
use crate::group::Group;
use crate::intent::{Action, Target};
use crate::plan::VALUE_REFUSED;

/// A device that was controlled, and what came back.
pub(crate) struct Done<'a> {
    pub(crate) name: &'a str,
    pub(crate) action: Action,
    pub(crate) result: &'a ToolMessage,
}

/// What was done to several devices; what failed comes first.
pub(crate) fn summary(results: &[Done<'_>]) -> String {
    let (failed, succeeded): (Vec<_>, Vec<_>) = results
        .iter()
        .partition(|device| device.result.status == ToolStatus::Error);
    let mut sentences: Vec<String> = failed.iter().map(|device| failure(device.result)).collect();
    let is_same = succeeded
        .windows(2)
        .all(|pair| matches!(pair, [one, next] if one.action == next.action));
    match succeeded.first() {
        Some(Done { action, .. }) if succeeded.len() > 3 && is_same => {
            let outcome = match action {
                Action::Level(_) => format!("at {}", outcome(*action)),
                _ => outcome(*action),
            };
            let names: Vec<&str> = succeeded.iter().map(|device| device.name).collect();
            sentences.push(format!(
                "{} devices are now {outcome}: {}.",
                names.len(),
                names.join(", ")
            ));
        }
        _ => sentences.extend(
            succeeded
                .iter()
                .map(|device| done(device.result, device.name, device.action)),
        ),
    }
    sentences.join(" ")
}

/// Why nothing was done.
pub(crate) fn nothing_done(group: &Group, action: Action, target: &Target) -> String {
    if let Some(name) = &group.unknown {
        return format!("I know no device or room called \"{name}\", so I changed nothing.");
    }
    if !group.unclear.is_empty() {
        let names: Vec<&str> = group.unclear.iter().map(String::as_str).collect();
        return format!("Which one do you mean: {}?", joined(&names, "or"));
    }
    if !group.offline.is_empty() {
        return format!("{} Nothing was changed.", offline(&group.offline));
    }
    if !group.members.is_empty() {
        return VALUE_REFUSED.to_owned();
    }
    match (group.unfit.as_slice(), action) {
        ([], _) => match target {
            Target::Named(name) => format!("I find no {name} whose state I can read."),
            _ => none_of(&noun(target)),
        },
        ([name, ..], Action::Brighter(_) | Action::Warmer(_)) => {
            format!("{name} cannot be made {}.", outcome(action))
        }
        ([name, ..], Action::Level(_) | Action::Temperature(_)) => {
            format!("{name} cannot be set to {}.", outcome(action))
        }
        ([name, ..], _) => format!("{name} cannot be {}.", outcome(action)),
    }
}

/// That some devices do not answer.
pub(crate) fn offline(names: &[String]) -> String {
    let verb = is_or_are(names.len());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("{} {verb} offline.", joined(&names, "and"))
}
