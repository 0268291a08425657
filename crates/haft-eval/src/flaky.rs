//! A model that fails as real ones were seen to: for simulations, where no model is at hand.
//!
//! It is told the gold answer of each case and spoils it, by the shares in `data/flaky.toml`,
//! which cites their sources. `profile.rs` reads that file, `model.rs` is the model, `spoil.rs`
//! makes right calls wrong. Everything it does depends on its seed and the case alone, so that
//! two runs with different rungs meet the same first replies.

mod model;
mod profile;
mod spoil;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use haft_core::ChatModel;

use self::model::FlakyModel;
use self::profile::{BEHAVIOURS, Behaviour, PROFILES, Profile, behaviour, profile};
#[cfg(test)]
pub(crate) use self::spoil::right as gold_calls;
use crate::case::Case;
use crate::error::{EvalError, EvalErrorKind};

/// The profile that is taken when none is named.
const DEFAULT_PROFILE: &str = "small";

/// The behaviour that is taken when none is named.
const DEFAULT_BEHAVIOUR: &str = "reported";

/// The simulated model: how it fails, what asking again does, and a seed.
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
    /// True for the name of a simulated model, whether it makes sense or not.
    #[must_use]
    pub fn is_named(name: &str) -> bool {
        let name = name.trim();
        name == "flaky" || name.starts_with("flaky:") || name.starts_with("flaky@")
    }

    /// The one that never fails.
    ///
    #[must_use]
    pub fn perfect() -> Self {
        Self {
            profile: Arc::default(),
            behaviour: Arc::default(),
            seed: 1,
        }
    }

    /// The model for one case.
    #[must_use]
    pub fn model(&self, case: &Case) -> Arc<dyn ChatModel> {
        Arc::new(FlakyModel::new(self.clone(), case.clone()))
    }

    /// How it fails.
    fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What asking again does.
    fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }
}

impl FromStr for Flaky {
    type Err = EvalError;

    /// Reads `flaky`, `flaky:PROFILE`, `flaky:PROFILE+BEHAVIOUR`, each with `@SEED` if wanted.
    ///
    /// # Errors
    ///
    /// When there is no such profile or behaviour, or the seed is no number.
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
            .map_err(|_| wrong(format!("\"{seed}\" is no seed")))?;
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
