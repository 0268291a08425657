//! Which models get a router.

use std::str::FromStr;
#[cfg(feature = "store")]
use std::time::Duration;

use haft_core::ChatModel;
use haft_models::billions;
#[cfg(feature = "store")]
use tokio::time::timeout;

#[cfg(feature = "store")]
use crate::attempts::store::AttemptStore;

/// Models below this size are routed by default, in billions of parameters: between SmolLM2-360M,
/// whose chat template has no tools, and Qwen2.5-0.5B, whose template has.
const SMALLEST_CAPABLE: f64 = 0.45;

/// A model is judged by its record only after so many first questions.
#[cfg(feature = "store")]
const ENOUGH_QUESTIONS: u64 = 20;

/// The share of first replies that were usable, below which a model is routed.
#[cfg(feature = "store")]
const POOR_RATE: f64 = 0.5;

/// How long the record is waited for, so that an answer does not wait for a file in use.
#[cfg(feature = "store")]
const WAIT: Duration = Duration::from_millis(200);

/// Whether the local command engine reads a question before the model.
///
/// A routed model chooses no tools of its own: the engine makes the calls that it understands, and
/// the model chooses between a few prepared calls, writes sentences, and converses.
///
/// ```
/// use haft_agent::Routing;
/// use haft_models::ChatOllama;
///
/// let [small, capable] = ["smollm2:135m", "qwen3:0.6b"].map(ChatOllama::new);
/// assert!(Routing::Auto.applies_to(&small));
/// assert!(!Routing::Auto.applies_to(&capable));
/// assert_eq!("always".parse(), Ok(Routing::Always));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Routing {
    /// For models of less than 0.45 billion parameters, as far as they or their names tell; with
    /// `measured` (feature `store`) also for those that failed too often.
    #[default]
    Auto,
    /// For every model.
    Always,
    /// For no model.
    Never,
}

impl Routing {
    /// All values, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Always, Self::Never];

    /// The name in settings and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }

    /// True when this model is routed.
    #[must_use]
    pub fn applies_to(self, model: &dyn ChatModel) -> bool {
        match self {
            Self::Auto => billions(model).is_some_and(|size| size < SMALLEST_CAPABLE),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

#[cfg(feature = "store")]
impl Routing {
    /// This routing, or [`Always`](Self::Always) in place of [`Auto`](Self::Auto) for a model
    /// whose record is poor: fewer than half of its last 100 first replies within 30 days were
    /// usable, of at least 20. Answers of a routed model do not count. A record that cannot be
    /// read within 200 ms changes nothing.
    pub async fn measured(self, model: &str, store: &AttemptStore) -> Self {
        if self != Self::Auto {
            return self;
        }
        match timeout(WAIT, store.recent_first_replies(model)).await {
            Ok(Ok(first))
                if first.tries >= ENOUGH_QUESTIONS
                    && first.rate().is_some_and(|rate| rate < POOR_RATE) =>
            {
                Self::Always
            }
            Ok(Ok(_)) => self,
            Ok(Err(error)) => {
                tracing::debug!(%error, "the record of the model is not read");
                self
            }
            Err(_) => {
                tracing::debug!("the record of the model is in use");
                self
            }
        }
    }
}

impl FromStr for Routing {
    type Err = String;

    /// Parses a [`name`](Self::name).
    ///
    /// # Errors
    ///
    /// A sentence that lists the names.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|routing| routing.name() == text);
        found.ok_or_else(|| format!("there are {}", Self::ALL.map(Self::name).join(", ")))
    }
}

#[cfg(test)]
mod tests;
