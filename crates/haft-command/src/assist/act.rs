//! What a command does, and to which kinds of devices it can be done.

use super::home::Domain;
use crate::numbers::Unit;

/// What a command does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    On,
    Off,
    /// Opens a cover or a valve.
    Open,
    Close,
    Lock,
    Unlock,
    /// Sets a level; what of, the words or the device say.
    Level(Level),
    /// Sets a colour by its English name.
    Color(String),
    /// Sets the warmth of white light, in kelvin.
    Kelvin(f64),
    Start,
    Stop,
    /// Stops a cover where it is.
    StopMoving,
    ReturnToBase,
    /// Cleans where the words say.
    Clean,
    Pause,
    Resume,
    Next,
    Previous,
    /// Makes it louder by so many percent, or softer where it is negative.
    Louder(Option<f64>),
    Softer(Option<f64>),
    Mute,
    Unmute,
    /// Writes this on a list.
    AddItem(String),
}

/// What is set to a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level {
    pub(crate) value: f64,
    pub(crate) unit: Unit,
    pub(crate) of: Measure,
}

/// Of what a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Brightness,
    Volume,
    Temperature,
    Speed,
    /// How far something is open.
    Position,
    /// Whatever the device has.
    Any,
}

const SWITCHED: &[Domain] = &[
    Domain::Light,
    Domain::Switch,
    Domain::Fan,
    Domain::MediaPlayer,
    Domain::InputBoolean,
    Domain::Climate,
    Domain::Humidifier,
    Domain::Siren,
    Domain::Valve,
    Domain::Vacuum,
    Domain::Scene,
    Domain::Script,
];
const MEDIA: &[Domain] = &[Domain::MediaPlayer];

impl Act {
    /// The kinds of devices that it can be done to.
    pub(super) fn domains(&self) -> &'static [Domain] {
        use Domain::{Climate, Cover, Fan, Light, MediaPlayer, Todo, Vacuum, Valve};
        match self {
            Self::On => SWITCHED,
            // Nothing switches a scene or a script off.
            Self::Off => SWITCHED.split_at(SWITCHED.len() - 2).0,
            Self::Open | Self::Close => &[Cover, Valve],
            Self::Lock | Self::Unlock => &[Domain::Lock],
            Self::Level(level) => match (level.of, level.unit) {
                (Measure::Brightness, _) => &[Light],
                (Measure::Volume, _) => MEDIA,
                (Measure::Temperature, _) | (Measure::Any, Unit::Degrees) => &[Climate],
                (Measure::Speed, _) => &[Fan],
                (Measure::Position, _) => &[Cover, Valve],
                (Measure::Any, Unit::Percent) => &[Light, Cover, Valve, Fan, MediaPlayer],
                (Measure::Any, Unit::None) => &[Light, Cover, Valve, Fan, MediaPlayer, Climate],
            },
            Self::Color(_) | Self::Kelvin(_) => &[Light],
            Self::Start | Self::Stop => &[
                Vacuum,
                MediaPlayer,
                Domain::Switch,
                Fan,
                Valve,
                Domain::Humidifier,
            ],
            Self::StopMoving => &[Cover],
            Self::ReturnToBase | Self::Clean => &[Vacuum],
            Self::Pause
            | Self::Resume
            | Self::Next
            | Self::Previous
            | Self::Louder(_)
            | Self::Softer(_)
            | Self::Mute
            | Self::Unmute => MEDIA,
            Self::AddItem(_) => &[Todo],
        }
    }

    /// The kinds that "everything in the kitchen" are: what is plainly on or off.
    pub(super) fn everything(&self) -> &'static [Domain] {
        match self {
            Self::On | Self::Off => SWITCHED.split_at(4).0,
            _ => &[],
        }
    }

    /// True when one device cannot be both, so that who says both changed their mind.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Level(one), Self::Level(other)) => one.of == other.of && one != other,
            _ => self.is_opposite_of(other) || other.is_opposite_of(self),
        }
    }

    fn is_opposite_of(&self, other: &Self) -> bool {
        use Act::{
            Clean, Close, Lock, Louder, Mute, Next, Off, On, Open, Pause, Previous, Resume,
            ReturnToBase, Softer, Start, Stop, Unlock, Unmute,
        };
        match self {
            Off => !matches!(other, Off | Stop | Pause | ReturnToBase),
            Stop | ReturnToBase => matches!(other, On | Start | Clean),
            Open => *other == Close,
            Lock => *other == Unlock,
            Pause => matches!(other, Resume | Start | On),
            Mute => *other == Unmute,
            Next => *other == Previous,
            Louder(_) => matches!(other, Softer(_)),
            _ => false,
        }
    }

    /// The state that it leads to, for an answer.
    pub(crate) fn outcome(&self) -> String {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Open => "open",
            Self::Close => "closed",
            Self::Lock => "locked",
            Self::Unlock => "unlocked",
            Self::Level(level)
                if level.of == Measure::Temperature || level.unit == Unit::Degrees =>
            {
                return format!("{} degrees", level.value);
            }
            Self::Level(level) => return format!("{} percent", level.value),
            Self::Color(color) => return color.clone(),
            Self::Kelvin(kelvin) => return format!("{kelvin} kelvin"),
            Self::Start | Self::Clean => "started",
            Self::Stop | Self::StopMoving => "stopped",
            Self::ReturnToBase => "on its way to the base",
            Self::Pause => "paused",
            Self::Resume => "playing",
            Self::Next => "next track",
            Self::Previous => "previous track",
            Self::Louder(_) => "louder",
            Self::Softer(_) => "quieter",
            Self::Mute => "muted",
            Self::Unmute => "unmuted",
            Self::AddItem(item) => return format!("\"{item}\" added"),
        }
        .to_owned()
    }
}
