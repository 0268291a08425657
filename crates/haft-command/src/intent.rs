//! What a command or a question asks for: the result of the grammar, and what the rest of the
//! engine works from.
//!
//! These are plain values. `grammar` makes them from the words of one clause, `clauses` from a
//! whole text, `plan` turns them into calls. Whatever recognised commands in another way, such as
//! by statistics, would answer with the same [`Intent`].

pub(crate) use haft_select::english::{DeviceKind, State};

use jiff::civil::Time;

use crate::assist::{Inquiry, Order};
use crate::calendar::{Asked, When};
use crate::units::Conversion;

/// What a command asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Intent {
    /// Nothing: words of politeness alone.
    Nothing,
    Greeting,
    Farewell,
    Thanks,
    /// What can you do?
    Help,
    /// The time, here or in each place, so many minutes from now, perhaps with the date.
    Time {
        places: Vec<String>,
        minutes: i64,
        dated: bool,
    },
    /// The time zone here or of a place.
    Zone {
        place: Option<String>,
    },
    /// How far the clock of a place is ahead of that of another, or of here.
    Difference {
        place: String,
        from: Option<String>,
    },
    /// How long it is until a time of day.
    Until(Until),
    /// How far two days are apart, in days or weeks.
    Span {
        asked: Asked,
        from: When,
        to: When,
    },
    /// An amount in another unit.
    Convert(Conversion),
    /// Something about a day, here or in a place.
    Date {
        asked: Asked,
        when: When,
        place: Option<String>,
    },
    /// Do something with each device.
    Control {
        action: Action,
        targets: Vec<Target>,
    },
    /// A command that was read against the devices of a home that the client lists.
    Order(Order),
    /// A question about the state of such devices.
    Inquiry(Inquiry),
    /// Tell something about devices.
    Question {
        about: About,
        targets: Vec<Target>,
    },
    /// Leave a device as it is.
    Keep,
    /// The user changed their mind on the way.
    Corrected,
    /// Whether the home itself answers.
    Health,
    /// A command that the user does not want to be carried out.
    Negated,
    /// A command for later, or on a condition.
    Later,
    /// Whatever else.
    Unknown,
    /// What was said beside the rest and stops all that would change things.
    Stopped(Doubt),
}

/// A time of day that is waited for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Until {
    /// The times that may be meant: two for "six o'clock", of which the next one counts.
    pub(crate) times: Vec<Time>,
    /// Whether that of tomorrow is meant.
    pub(crate) is_tomorrow: bool,
    /// Whose clock counts; `None` is here.
    pub(crate) place: Option<String>,
}

/// What to do with a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    On,
    Off,
    Toggle,
    /// Percent, 0 to 100.
    Level(f64),
    /// So many percent brighter, or darker where it is negative.
    Brighter(f64),
    /// Degrees of whatever scale the tool uses.
    Temperature(f64),
    /// So many degrees warmer, or cooler where it is negative.
    Warmer(f64),
    Lock,
    Unlock,
    Open,
    Close,
}

impl Action {
    /// True when what to do depends on how the device is now.
    pub(crate) fn is_relative(self) -> bool {
        matches!(self, Self::Toggle | Self::Brighter(_) | Self::Warmer(_))
    }
}

/// What to tell about devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// Which there are.
    Existence,
    /// Which are in this state, or whether they are.
    State(State),
    /// Whether all are in this state.
    Every(State),
    /// How many are in this state.
    Count(State),
    /// What they say about themselves.
    Status,
    Temperature,
    Humidity,
    /// Whether somebody or something moves.
    Motion,
    /// Which rooms there are.
    Rooms,
}

/// One thing or group that a command is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    /// A name, without articles.
    Named(String),
    /// All devices of a kind, perhaps only those of some rooms, perhaps without some.
    All {
        kind: DeviceKind,
        /// Rooms, or parts of names; none for everywhere.
        rooms: Vec<String>,
        except: Vec<String>,
    },
    /// "it", "them", or nothing at all.
    Unnamed,
}

impl Target {
    /// All devices of a kind in these rooms.
    pub(crate) fn all(kind: DeviceKind, rooms: Vec<String>) -> Self {
        Self::All {
            kind,
            rooms,
            except: Vec::new(),
        }
    }
}

/// What stops the commands of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Doubt {
    pub(crate) cause: Cause,
    /// The clauses that stop them, as they were said.
    pub(crate) words: Vec<String>,
    /// Whether a command was stopped; otherwise it is only that something was not understood.
    pub(crate) acts: bool,
}

/// What kind of words stop a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A time or a condition.
    Later,
    /// What somebody says, thinks or has written.
    Report,
    /// Words between quotation marks.
    Quotation,
    /// The user changed their mind on the way.
    Correction,
    /// Something is not to be done.
    Negation,
    /// A command with a question mark.
    Question,
    /// More commands than anybody says in one breath.
    TooMany,
    /// Words that the engine does not know.
    Unclear,
}
