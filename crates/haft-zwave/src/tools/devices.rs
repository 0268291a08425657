//! Finds the device that a call names, or returns a sentence about why the name is not clear.

use haft_core::ToolError;

use crate::device::Device;
use crate::home::Home;
use crate::names::{self, Match, Purpose};
use crate::speech;

pub(super) async fn find(home: &Home, name: &str, purpose: Purpose) -> Result<Device, ToolError> {
    let devices = home.devices().await?;
    match names::find(name, &devices, purpose) {
        Match::One(device) => Ok(device.clone()),
        Match::Several(candidates) => Err(ToolError::new(ambiguous(name, &candidates))),
        Match::Nothing(suggestions) => Err(ToolError::new(unknown(name, &suggestions))),
    }
}

/// Asks which of the candidates is meant. Rooms are added only to equal names.
pub(super) fn ambiguous(name: &str, candidates: &[&Device]) -> String {
    let described = |device: &&Device| {
        let same = candidates.iter().filter(|other| other.name == device.name);
        if same.count() > 1 {
            device.name_and_room()
        } else {
            device.name.clone()
        }
    };
    let names: Vec<_> = candidates.iter().map(described).collect();
    if let [only] = names.as_slice() {
        return format!("\"{name}\" is not the name of a device. Do you mean {only}?");
    }
    format!(
        "\"{name}\" could be {}. Which one do you mean?",
        speech::list(&names, "or")
    )
}

/// "I could not find ...", with similar names.
pub(super) fn unknown(name: &str, suggestions: &[&str]) -> String {
    let question = if suggestions.is_empty() {
        "List the devices to see what there is.".to_owned()
    } else {
        format!("Did you mean {}?", speech::list(suggestions, "or"))
    };
    format!("I could not find a device called \"{name}\". {question}")
}
