//! Which recovery steps are switched on.

use haft_core::RecoveryStep;

/// The number of steps that exist.
const COUNT: usize = RecoveryStep::ALL.len();

/// The set of enabled recovery steps; all by default.
///
/// ```
/// use haft_agent::RecoverySteps;
/// use haft_core::RecoveryStep;
///
/// let steps = RecoverySteps::all().without(RecoveryStep::RaiseMaxTokens);
/// assert!(steps.has(RecoveryStep::WithoutTools) && !steps.has(RecoveryStep::RaiseMaxTokens));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecoverySteps {
    /// Whether each step is on, in the order of [`RecoveryStep::ALL`]; grows with that list.
    enabled: [bool; COUNT],
}

impl RecoverySteps {
    /// All steps.
    #[must_use]
    pub fn all() -> Self {
        Self {
            enabled: [true; COUNT],
        }
    }

    /// No recovery steps. Every call is still answered.
    #[must_use]
    pub fn none() -> Self {
        Self {
            enabled: [false; COUNT],
        }
    }

    /// Removes a step from the set.
    #[must_use]
    pub fn without(mut self, step: RecoveryStep) -> Self {
        for (known, enabled) in RecoveryStep::ALL.iter().zip(&mut self.enabled) {
            *enabled &= *known != step;
        }
        self
    }

    /// True when the step is enabled.
    #[must_use]
    pub fn has(self, step: RecoveryStep) -> bool {
        let mut steps = RecoveryStep::ALL.iter().zip(self.enabled);
        steps.any(|(known, enabled)| enabled && *known == step)
    }
}

impl Default for RecoverySteps {
    fn default() -> Self {
        Self::all()
    }
}
