//! What the classifier found, as a value that can be logged and shown.

use super::label::{Intent, IntentSet};
use super::weights::CLASSES;

/// How probable each intent is, from 0 to 1; all together are 1, or 0 for a blank text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores([f32; CLASSES]);

impl Scores {
    pub(crate) const fn new(scores: [f32; CLASSES]) -> Self {
        Self(scores)
    }

    /// That of one intent.
    #[must_use]
    pub fn of(&self, intent: Intent) -> f32 {
        self.0.get(intent as usize).copied().unwrap_or(0.0)
    }

    /// Each intent with its score, in the order of [`Intent::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Intent, f32)> {
        Intent::ALL.into_iter().zip(self.0)
    }

    /// The intent with the highest score; [`Intent::General`] when nothing is known.
    pub(crate) fn top(&self) -> Intent {
        self.iter()
            .filter(|(_, score)| *score > 0.0)
            .max_by(|(_, a), (_, b)| a.total_cmp(b))
            .map_or(Intent::General, |(intent, _)| intent)
    }
}

/// Why nothing is withheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenReason {
    /// There is no word in the text.
    Blank,
    /// The text is too long for a query of one subject; only its beginning was looked at.
    Long,
    /// The classifier knows English only.
    NotEnglish,
    /// No intent is probable enough.
    Unsure,
    /// There are so few tools that leaving some out gains nothing.
    FewTools,
    /// None of the tools is of a tool_group that the query needs.
    NoSuchTool,
}

impl OpenReason {
    /// A phrase for people, after "nothing is withheld:".
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

/// What a query is about, and which tools it may need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classification {
    pub(crate) scores: Scores,
    pub(crate) kept: IntentSet,
    pub(crate) open: Option<OpenReason>,
    pub(crate) rule: Option<&'static str>,
    pub(crate) flags: Flags,
}

/// The three answers that the specification asks for.
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

    /// How probable the label is, from 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f32 {
        self.scores.of(self.label())
    }

    /// How probable each intent is.
    #[must_use]
    pub const fn scores(&self) -> &Scores {
        &self.scores
    }

    /// The intents whose tools the query may need: the label, the parts of a compound query, and
    /// what is too probable to be left out. It matters only while [`open`](Self::open) is `None`.
    #[must_use]
    pub const fn intents(&self) -> IntentSet {
        self.kept
    }

    /// Why nothing may be withheld, where that is so.
    #[must_use]
    pub const fn open(&self) -> Option<OpenReason> {
        self.open
    }

    /// The rule that decided, where it was one, such as `time`.
    #[must_use]
    pub const fn rule(&self) -> Option<&'static str> {
        self.rule
    }

    /// True when the state or the list of devices is asked for.
    #[must_use]
    pub const fn is_device_query(&self) -> bool {
        self.flags.device_query
    }

    /// True when a device is to be changed. The volume of a speaker is none.
    #[must_use]
    pub const fn is_device_control_query(&self) -> bool {
        self.flags.device_control
    }

    /// True when the date or the time is asked for.
    #[must_use]
    pub const fn is_datetime_query(&self) -> bool {
        self.flags.datetime
    }
}
