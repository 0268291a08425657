//! Which devices the words of a target mean.
//!
//! Every word must belong to the device: to its name, its area, its kind. Of the devices that all
//! words fit, those that they fit best are meant: a whole name before a part of one, a part of a
//! name before an area and a kind, and a slip of one letter only where nothing else fits. One
//! device, or a group where the words are in the plural, is understood; several that fit equally
//! well are asked about.
//!
//! `noun_phrase` reads quantifiers, lists and exceptions, `choice` weighs the devices.

use super::grammar::Reading;
use super::home::Home;

mod choice;
mod noun_phrase;
mod place;

pub(super) use noun_phrase::meant;

/// What the words of a target mean.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meant {
    /// These devices, as indexes into the home's list.
    Devices(Vec<usize>),
    /// All devices of a kind on a floor, whose devices the client does not tell.
    Floor(Floor),
    /// An area to be cleaned by whatever vacuum cleans it.
    Area(String),
    /// "It": what was named before.
    Pronoun,
    /// Nothing was named.
    Nothing,
    /// One or some of these, and which was not said.
    Which(Vec<usize>),
    /// Something that is not in this home.
    Unknown,
}

impl Meant {
    /// True when it is clear what to do.
    pub(crate) fn is_clear(&self) -> bool {
        matches!(self, Self::Devices(_) | Self::Floor(_) | Self::Area(_))
    }
}

/// All devices of one kind on a floor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Floor {
    pub(crate) name: String,
    pub(crate) domain: super::home::Domain,
}

/// What a command may be done to, and where.
#[derive(Clone, Copy, Debug)]
struct Scene<'a> {
    home: &'a Home,
    reading: &'a Reading,
}
