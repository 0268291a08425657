//! A simulated model that fails as real models do, for measurements without a model.
//!
//! It knows the gold answer of each case and injects faults with the probabilities in
//! `data/flaky.toml`, which cites their sources. `profile.rs` reads that file, `model.rs` is the
//! model, `fault_injection.rs` makes correct calls wrong.
//!
//! Replies depend on the seed and the case alone, so two runs with
//! different recovery steps get equal first replies.

mod fault_injection;
mod model;
mod profile;
mod turn;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use haft_core::ChatModel;

#[cfg(test)]
pub(crate) use self::fault_injection::right as gold_calls;
use self::model::FlakyModel;
use self::profile::{BEHAVIOURS, Behaviour, PROFILES, Profile, behaviour, profile};
use crate::case::Case;
use crate::error::{EvalError, EvalErrorKind};

const DEFAULT_PROFILE: &str = "small";

const DEFAULT_BEHAVIOUR: &str = "reported";

/// A simulated model: a failure profile, a behaviour when asked again, and a seed.
///
/// ```
/// use haft_eval::Flaky;
///
/// let flaky: Flaky = "flaky:qwen3-0.6b+pessimistic@7".parse()?;
/// assert_eq!(flaky.to_string(), "flaky:qwen3-0.6b+pessimistic@7");
/// assert_eq!("flaky".parse::<Flaky>()?.to_string(), "flaky:small+reported@1");
/// # Ok::<_, haft_eval::EvalError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Flaky {
    profile: Arc<Profile>,
    behaviour: Arc<Behaviour>,
    seed: u64,
}

impl Flaky {
    /// True if `name` begins like the name of a simulated model, valid or not.
    #[must_use]
    pub fn is_named(name: &str) -> bool {
        let name = name.trim();
        name == "flaky" || name.starts_with("flaky:") || name.starts_with("flaky@")
    }

    /// The simulated model that never fails.
    ///
    #[must_use]
    pub fn perfect() -> Self {
        Self {
            profile: Arc::default(),
            behaviour: Arc::default(),
            seed: 1,
        }
    }

    /// Creates the chat model for one case.
    #[must_use]
    pub fn model(&self, case: &Case) -> Arc<dyn ChatModel> {
        Arc::new(FlakyModel::new(self.clone(), case.clone()))
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The behaviour when asked again.
    fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }
}

impl FromStr for Flaky {
    type Err = EvalError;

    /// Parses `flaky`, `flaky:PROFILE` or `flaky:PROFILE+BEHAVIOUR`, each with an optional `@SEED`.
    ///
    /// # Errors
    ///
    /// When the profile or behaviour does not exist, or the seed is not a number.
    fn from_str(name: &str) -> Result<Self, EvalError> {
        let wrong = |message: String| {
            EvalError::new(EvalErrorKind::Model, message).with_hint(format!(
                "write flaky[:PROFILE][+BEHAVIOUR][@SEED] with one of the profiles {} and one of the behaviours {}",
                PROFILES.join(", "),
                BEHAVIOURS.join(", ")
            ))
        };
        let rest = name.trim().strip_prefix("flaky").unwrap_or_default();
        let (rest, seed) = rest.split_once('@').unwrap_or((rest, "1"));
        let seed = seed
            .parse()
            .map_err(|_| wrong(format!("The seed \"{seed}\" is not a number")))?;
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        let (chosen, how) = rest.split_once('+').unwrap_or((rest, DEFAULT_BEHAVIOUR));
        let chosen = if chosen.is_empty() {
            DEFAULT_PROFILE
        } else {
            chosen
        };
        let profile =
            profile(chosen).ok_or_else(|| wrong(format!("There is no profile \"{chosen}\"")))?;
        let behaviour =
            behaviour(how).ok_or_else(|| wrong(format!("There is no behaviour \"{how}\"")))?;
        Ok(Self {
            profile: Arc::new(profile),
            behaviour: Arc::new(behaviour),
            seed,
        })
    }
}

impl fmt::Display for Flaky {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "flaky:{}+{}@{}",
            self.profile.name, self.behaviour.name, self.seed
        )
    }
}

#[cfg(test)]
mod tests;
