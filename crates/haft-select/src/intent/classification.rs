//! The result of the classifier, for logs and displays.

use super::label::{Intent, IntentSet};
use super::weights::CLASSES;

/// The probability of each intent, from 0 to 1; the sum is 1, or 0 for a blank text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores([f32; CLASSES]);

impl Scores {
    pub(crate) const fn new(scores: [f32; CLASSES]) -> Self {
        Self(scores)
    }

    /// The probability of one intent.
    #[must_use]
    pub fn of(&self, intent: Intent) -> f32 {
        self.0.get(intent as usize).copied().unwrap_or(0.0)
    }

    /// Each intent with its score, in the order of [`Intent::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Intent, f32)> {
        Intent::ALL.into_iter().zip(self.0)
    }

    /// The intent with the highest score; [`Intent::General`] without any information.
    pub(crate) fn top(&self) -> Intent {
        self.iter()
            .filter(|(_, score)| *score > 0.0)
            .max_by(|(_, a), (_, b)| a.total_cmp(b))
            .map_or(Intent::General, |(intent, _)| intent)
    }
}

/// Why no tools are withheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenReason {
    /// The text contains no word.
    Blank,
    /// The text is too long for a query about one subject; only its beginning was classified.
    Long,
    /// The text is not English, the only language of the classifier.
    NotEnglish,
    /// No intent is probable enough.
    Unsure,
    /// There are so few tools that withholding some has no benefit.
    FewTools,
    /// No tool belongs to a group that the query needs.
    NoSuchTool,
}

impl OpenReason {
    /// A phrase for users, after "nothing is withheld:".
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Blank => "there are no words",
            Self::Long => "the text is long",
            Self::NotEnglish => "this does not look like English",
            Self::Unsure => "no intent is likely enough",
            Self::FewTools => "there are few tools",
            Self::NoSuchTool => "no tool is made for such a query",
        }
    }
}

/// The detected subject of a query, and the tools that it may need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classification {
    pub(crate) scores: Scores,
    pub(crate) kept: IntentSet,
    pub(crate) open: Option<OpenReason>,
    pub(crate) rule: Option<&'static str>,
    pub(crate) flags: Flags,
}

/// The three flags that the specification asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    pub(crate) device_query: bool,
    pub(crate) device_control: bool,
    pub(crate) datetime: bool,
}

impl Classification {
    /// The most probable intent.
    #[must_use]
    pub fn label(&self) -> Intent {
        self.scores.top()
    }

    /// The probability of the label, from 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f32 {
        self.scores.of(self.label())
    }

    /// The probability of each intent.
    #[must_use]
    pub const fn scores(&self) -> &Scores {
        &self.scores
    }

    /// The intents whose tools the query may need: the label, the parts of a compound query, and
    /// those that are too probable to be excluded. Only relevant while [`open`](Self::open) is
    /// `None`.
    #[must_use]
    pub const fn intents(&self) -> IntentSet {
        self.kept
    }

    /// The reason why no tools may be withheld, if there is one.
    #[must_use]
    pub const fn open(&self) -> Option<OpenReason> {
        self.open
    }

    /// The name of the rule that decided, if any, such as `time`.
    #[must_use]
    pub const fn rule(&self) -> Option<&'static str> {
        self.rule
    }

    /// True if the query asks for the state or the list of devices.
    #[must_use]
    pub const fn is_device_query(&self) -> bool {
        self.flags.device_query
    }

    /// True if the query changes a device. The volume of a speaker does not count.
    #[must_use]
    pub const fn is_device_control_query(&self) -> bool {
        self.flags.device_control
    }

    /// True if the query asks for the date or the time.
    #[must_use]
    pub const fn is_datetime_query(&self) -> bool {
        self.flags.datetime
    }
}
