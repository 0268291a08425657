//! Decides which commands have a high impact: those to locks, heating and alarms.

use haft_core::ToolError;

use super::arguments::InputReader;
use crate::device::{Device, DeviceKind};
use crate::home::Home;
use crate::names::{self, Match, Purpose};

/// Words in the names of switches that control more than a light, in several languages. Z-Wave does
/// not distinguish a siren or the plug of a heater from any other switch.
const GRAVE: &str = "
    alarm boiler cooker door furnace garage gate heat hvac iron lock oven pump radiat sauna siren
    stove valve
    heiz ofen herd kessel schloss tür tuer haustür haustuer
    chauff chaudi portail serrure sirène vanne
    puerta garaje calefac horno cerradura caldera válvula
    cancello riscald forno serratura caldaia allarme valvola
    deur poort verwarming portão aquec fechadura
";

/// The last parts of such compound words: `Wohnungstür`, `Gartentor`, `Achterdeur`.
const GRAVE_ENDS: &str = "tür tuer gartentor hoftor heizung deur poort";

/// Words in the names of lights, which are harmless whatever else the name contains.
const LIGHTS: &str = "bulb chandelier lamp light licht leuchte lumière luz luce";

/// True for a command to a lock, a thermostat, or a device with the name of an alarm or a heater. A
/// name that matches no device or several has no effect. If the home does not answer, the command
/// fails: there is nothing to approve.
pub(super) async fn is_high_impact(
    home: &Home,
    input: &InputReader<'_>,
) -> Result<bool, ToolError> {
    let Ok(name) = input.device_name() else {
        return Ok(false);
    };
    let devices = home.devices().await?;
    Ok(match names::find(name, &devices, Purpose::Control) {
        Match::One(device) => of_device(device),
        Match::Several(_) | Match::Nothing(_) => false,
    })
}

fn of_device(device: &Device) -> bool {
    match device.kind {
        DeviceKind::Lock | DeviceKind::Thermostat => true,
        DeviceKind::Sensor => false,
        DeviceKind::Switch | DeviceKind::Dimmer => {
            let is_grave = says(&device.name, GRAVE) || ends(&device.name, GRAVE_ENDS);
            let is_light = says(&device.name, LIGHTS) || ends(&device.name, LIGHTS);
            is_grave && !is_light
        }
    }
}

/// True if a word of the name begins with one of these.
fn says(name: &str, beginnings: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| {
        beginnings
            .split_whitespace()
            .any(|known| word.starts_with(known))
    })
}

/// True if a word of the name ends with one of these.
fn ends(name: &str, endings: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| {
        endings
            .split_whitespace()
            .any(|known| word.ends_with(known))
    })
}

#[cfg(test)]
mod tests;
