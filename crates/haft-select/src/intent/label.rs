//! The intents, and sets of them.

/// What a query is about. [`Intent::ALL`] has the order of everything that is counted by intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Intent {
    /// To see or change the state of a thing at home: lights, locks, covers, climate, volume.
    Device,
    /// The current date or time, also of another place; the calendar.
    Datetime,
    /// Facts that change: weather, news, prices, places near by.
    Web,
    /// Knowledge and arithmetic: a model answers without tools.
    General,
    /// Greetings, thanks, jokes, yes and no.
    Chitchat,
    /// What some other tool does: timers, lists, music, messages, bookings.
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

    /// The intent of this name.
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

/// Some intents.
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
    /// True when the intent is one of them.
    #[must_use]
    pub const fn contains(self, intent: Intent) -> bool {
        self.0 & intent.bit() != 0
    }

    /// True when there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds an intent.
    pub const fn insert(&mut self, intent: Intent) {
        self.0 |= intent.bit();
    }

    /// Those of both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// They, in the order of [`Intent::ALL`].
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
