//! The intents, and sets of them.

/// The subject of a query. [`Intent::ALL`] defines the order of all arrays that are indexed by
/// intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Intent {
    /// Reading or changing the state of a device at home: lights, locks, covers, climate, volume.
    Device,
    /// The current date or time, also in another place; the calendar.
    Datetime,
    /// Facts that change: weather, news, prices, places nearby.
    Web,
    /// Knowledge and arithmetic, which a model answers without tools.
    General,
    /// Greetings, thanks, jokes, yes and no.
    Chitchat,
    /// Anything that other tools do: timers, lists, music, messages, bookings.
    Action,
}

impl Intent {
    /// Every intent.
    pub const ALL: [Self; 6] = [
        Self::Device,
        Self::Datetime,
        Self::Web,
        Self::General,
        Self::Chitchat,
        Self::Action,
    ];

    /// The name, as in configuration and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Datetime => "datetime",
            Self::Web => "web",
            Self::General => "general",
            Self::Chitchat => "chitchat",
            Self::Action => "action",
        }
    }

    /// The intent with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|intent| intent.name() == name)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl std::fmt::Display for Intent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// A set of intents.
///
/// ```
/// use haft_select::{Intent, IntentSet};
///
/// let both = IntentSet::from_iter([Intent::Datetime, Intent::Device]);
/// assert!(both.contains(Intent::Device));
/// assert_eq!(both.iter().map(Intent::name).collect::<Vec<_>>(), ["device", "datetime"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntentSet(u8);

impl IntentSet {
    /// True if the set contains the intent.
    #[must_use]
    pub const fn contains(self, intent: Intent) -> bool {
        self.0 & intent.bit() != 0
    }

    /// True if the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds an intent.
    pub const fn insert(&mut self, intent: Intent) {
        self.0 |= intent.bit();
    }

    /// The union of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The intents in the order of [`Intent::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Intent> {
        Intent::ALL
            .into_iter()
            .filter(move |intent| self.contains(*intent))
    }
}

impl FromIterator<Intent> for IntentSet {
    fn from_iter<I: IntoIterator<Item = Intent>>(intents: I) -> Self {
        let mut set = Self::default();
        for intent in intents {
            set.insert(intent);
        }
        set
    }
}

#[cfg(test)]
mod tests;
