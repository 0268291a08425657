//! Which of the listed devices a command means, and what it means for each of them.
//!
//! "Brighter" becomes a level here, "toggle" on or off; what cannot be done to a device, as
//! dimming a plain switch among dimmers, is left out.

use std::ops::RangeInclusive;

use super::catalog::{Catalog, Wanted};
use super::device::Listed;
use super::intent::{Action, Target};

/// Levels that "brighter" and "darker" stay between; darker never switches off.
const LEVELS: RangeInclusive<f64> = 1.0..=100.0;

/// A device and what to do with it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) action: Action,
}

/// The devices that a command means.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Group {
    pub(super) members: Vec<Member>,
    /// Meant, but they do not answer.
    pub(super) offline: Vec<String>,
    /// Meant, but it cannot be done to them.
    pub(super) unfit: Vec<String>,
    /// A room or an exception that no device has: the command is not sure to mean what is left.
    pub(super) unknown: Option<String>,
    /// One name that several devices answer to.
    pub(super) unclear: Vec<String>,
}

impl Group {
    pub(super) fn of(devices: Vec<Listed>, action: Action, target: &Target) -> Self {
        if let Some(unknown) = unknown(&devices, target) {
            return Self {
                unknown: Some(unknown),
                ..Self::default()
            };
        }
        let mut meant: Vec<Listed> = devices
            .into_iter()
            .filter(|device| device.is_meant(target))
            .collect();
        if let Target::Named(name) = target {
            let is_exact = |device: &Listed| device.name.eq_ignore_ascii_case(name);
            if meant.iter().any(is_exact) {
                meant.retain(is_exact);
            }
        }
        let has_levels = meant.iter().any(|device| device.level.is_some());
        let mut group = Self::default();
        for device in meant {
            let is_fit = !has_levels || device.level.is_some();
            match concrete(action, &device).filter(|_| is_fit || !is_level(action)) {
                None => group.unfit.push(device.name),
                Some(_) if device.online == Some(false) => group.offline.push(device.name),
                Some(action) => group.members.push(Member {
                    name: device.name,
                    action,
                }),
            }
        }
        if matches!(target, Target::Named(_)) && group.members.len() > 1 {
            let members = group.members.drain(..);
            group.unclear = members.map(|member| member.name).collect();
        }
        group
    }

    /// The calls for the devices, as far as a tool can make them.
    pub(super) fn calls(&self, catalog: &Catalog) -> impl Iterator<Item = (&Member, Wanted)> {
        self.members.iter().filter_map(|member| {
            let call = catalog.control(&member.name, member.action)?;
            Some((member, call))
        })
    }
}

/// What `target` names, beside rooms that are known, and no device has.
fn unknown(devices: &[Listed], target: &Target) -> Option<String> {
    let Target::All { rooms, except, .. } = target else {
        return None;
    };
    let is_unknown = |name: &&String| !devices.iter().any(|device| device.is_at(name));
    // One room alone that is unknown has no devices, which is said in other words.
    let rooms = Some(rooms).filter(|rooms| rooms.len() > 1);
    let names = rooms.into_iter().flatten().chain(except);
    names.clone().find(is_unknown).cloned()
}

fn is_level(action: Action) -> bool {
    matches!(action, Action::Level(_) | Action::Brighter(_))
}

/// What `action` is for `device`, if it can be done to it.
fn concrete(action: Action, device: &Listed) -> Option<Action> {
    let is_lock = device.kind.contains("lock");
    match action {
        Action::Lock | Action::Unlock => is_lock.then_some(action),
        Action::Toggle if device.is_switchable() => {
            Some(if device.on? { Action::Off } else { Action::On })
        }
        Action::Brighter(step) => {
            // What is off has level 0, whatever it remembers.
            let now = device.level?;
            let now = if device.on == Some(false) { 0.0 } else { now };
            let is_dark = now == 0.0 && step < 0.0;
            (!is_dark).then(|| Action::Level((now + step).clamp(*LEVELS.start(), *LEVELS.end())))
        }
        Action::Warmer(step) => Some(Action::Temperature(device.target? + step)),
        Action::Temperature(_) => {
            let is_climate = ["thermostat", "climate"]
                .iter()
                .any(|kind| device.kind.contains(kind));
            (is_climate || device.target.is_some()).then_some(action)
        }
        _ => device.is_switchable().then_some(action),
    }
}

#[cfg(test)]
mod tests;
