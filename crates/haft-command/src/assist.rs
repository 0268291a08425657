//! Commands over Home Assistant's Assist tools, grounded in the client's own list of devices.
//!
//! A client that speaks for Home Assistant puts a list of its devices and areas into the system
//! prompt. With it, a command can be read far more strictly than without: every word of it must be
//! a verb that is known, or belong to a device, an area or a kind of device of this home. So
//! nothing that was not understood can change anything, and "the living room curtain" is found
//! though the device is called otherwise.
//!
//! Bottom up: `list` reads the client's list, `home` says what is in it, `lexicon` has the nouns of
//! the kinds of devices. `act` says what can be done to which of them, `grammar` reads one clause
//! into an act and the words of its target, `resolve` finds the devices that these words mean,
//! `inquiry` reads questions about states, and `sentence` cuts a sentence into clauses. `order` is
//! the result, and `calls` writes it as calls of the bound tools.

mod act;
mod calls;
mod grammar;
mod home;
mod inquiry;
mod lexicon;
mod list;
mod order;
mod resolve;
mod sentence;

pub(crate) use act::Act;
pub(crate) use calls::{Tools, ordered};
pub(crate) use home::{Device, Home};
pub(crate) use inquiry::{Inquiry, told};
pub(crate) use order::{Order, conflicts, settle};
pub(crate) use resolve::Meant;
pub(crate) use sentence::{Part, begins, parts, speaks_of_home};
