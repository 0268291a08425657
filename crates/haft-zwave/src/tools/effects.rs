//! Which commands deserve a second look: those to locks, heating and alarms.

use haft_core::ToolError;

use super::arguments::InputReader;
use crate::device::{Device, DeviceKind};
use crate::home::Home;
use crate::names::{self, Match, Purpose};

/// How switches are called that do more than give light, in the languages of their homes. The
/// protocol knows a siren or the plug of a heater only as something that goes on and off.
const GRAVE: &str = "
    alarm boiler cooker door furnace garage gate heat hvac iron lock oven pump radiat sauna siren
    stove valve
    heiz ofen herd kessel schloss tür tuer haustür haustuer
    chauff chaudi portail serrure sirène vanne
    puerta garaje calefac horno cerradura caldera válvula
    cancello riscald forno serratura caldaia allarme valvola
    deur poort verwarming portão aquec fechadura
";

/// The ends of words that are written as one: `Wohnungstür`, `Gartentor`, `Achterdeur`.
const GRAVE_ENDS: &str = "tür tuer gartentor hoftor heizung deur poort";

/// How they are called when they do give light, whatever it shines on.
const LIGHTS: &str = "bulb chandelier lamp light licht leuchte lumière luz luce";

/// True for a command to a lock, to a thermostat, or to what is called like an alarm or a heater.
/// A name that means no device, or several, commands none. A home that does not answer is the end
/// of the command: there is nothing to be allowed.
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

/// True for a name with a word that begins like one of these.
fn says(name: &str, beginnings: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| {
        beginnings
            .split_whitespace()
            .any(|known| word.starts_with(known))
    })
}

/// True for a name with a word that ends like one of these.
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
