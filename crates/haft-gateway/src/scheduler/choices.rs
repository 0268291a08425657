//! Finds the upstreams that have a model.

use std::sync::Arc;
use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind};
use haft_models::ServerKind;

use super::member::{Has, Member};
use super::{Choice, Upstreams};

/// How long a list of models is used before it is fetched again, in the background.
const FRESH: Duration = Duration::from_secs(30);

/// The minimum pause between two requests of the model lists for an unknown model.
const UNKNOWN_AGAIN: Duration = Duration::from_secs(2);

/// The upstreams for a model, as far as their lists of models are known.
pub(super) struct KnownChoices {
    pub(super) choices: Vec<Choice>,
    /// Whether every upstream has listed its models.
    pub(super) all_listed: bool,
}

impl Upstreams {
    /// The upstreams that have this model, the healthy ones first.
    pub(crate) async fn holders(&self, name: &str) -> Result<Vec<Arc<Member>>, ModelError> {
        let choices = self.choices(name).await?;
        let working = self.in_use();
        let mut holders: Vec<&Arc<Member>> = choices
            .iter()
            .filter_map(|choice| self.0.members.get(choice.upstream))
            .collect();
        holders.sort_by_key(|holder| !working.iter().any(|one| Arc::ptr_eq(one, holder)));
        Ok(holders.into_iter().cloned().collect())
    }

    /// The upstreams of the first of these kinds that any upstream has.
    pub(crate) fn speaking(&self, kinds: &[ServerKind]) -> Vec<Choice> {
        let of = |kind: &ServerKind| {
            let members = self.0.members.iter().enumerate();
            let speaking = members.filter(|(_, member)| member.server().kind() == *kind);
            let choices = speaking.map(|(upstream, _)| Choice::any(upstream));
            choices.collect::<Vec<_>>()
        };
        let found = kinds.iter().map(of).find(|found| !found.is_empty());
        found.unwrap_or_default()
    }

    /// Whether the choice among these upstreams depends on the model.
    pub(crate) fn needs_model(&self, choices: &[Choice]) -> bool {
        !self.is_sole() && {
            let mut members = choices
                .iter()
                .filter_map(|one| self.0.members.get(one.upstream));
            choices.len() > 1 || members.any(|member| !member.takes_any())
        }
    }

    /// Those of these upstreams that have the model.
    pub(crate) async fn those_with(
        &self,
        model: &str,
        among: &[Choice],
    ) -> Result<Vec<Choice>, ModelError> {
        let mut choices = self.choices(model).await?;
        choices.retain(|choice| among.iter().any(|one| one.upstream == choice.upstream));
        if choices.is_empty() {
            return Err(self.no_such_model(model));
        }
        Ok(choices)
    }

    /// Whether an upstream lists this model; `None` if none does and a list is not known.
    pub(crate) fn lists(&self, name: &str) -> Option<bool> {
        let known = self.known_choices(name);
        match known.choices.is_empty() {
            true if !known.all_listed => None,
            is_none => Some(!is_none),
        }
    }

    /// The upstreams that have this model, as far as is known.
    pub(super) fn known_choices(&self, name: &str) -> KnownChoices {
        let mut all_listed = true;
        let members = self.0.members.iter().enumerate();
        let choices = members.filter_map(|(upstream, member)| {
            let has = member.has(name);
            all_listed &= has != Has::Unknown;
            (has == Has::Yes).then(|| Choice {
                upstream,
                is_loaded: member.is_loaded(name),
            })
        });
        KnownChoices {
            choices: choices.collect(),
            all_listed,
        }
    }

    /// The upstreams for a model.
    pub(crate) async fn choices(&self, name: &str) -> Result<Vec<Choice>, ModelError> {
        if self.is_sole() {
            return Ok(vec![Choice::any(0)]);
        }
        let ages = || self.0.members.iter().map(|member| member.age());
        if ages().any(|age| age.is_none()) {
            self.learn(Duration::MAX).await;
        } else if ages().flatten().any(|age| age > FRESH) {
            // The known lists are sufficient for this request.
            let this = self.clone();
            tokio::spawn(async move { this.learn(FRESH).await });
        }
        let known = self.known_choices(name);
        if !known.choices.is_empty() {
            return Ok(known.choices);
        }
        self.learn(UNKNOWN_AGAIN).await;
        let known = self.known_choices(name);
        if !known.choices.is_empty() {
            return Ok(known.choices);
        }
        if !known.all_listed {
            // An upstream that does not list its models may have it.
            let members = self.0.members.iter().enumerate();
            let silent = members.filter(|(_, member)| member.has(name) == Has::Unknown);
            return Ok(silent.map(|(upstream, _)| Choice::any(upstream)).collect());
        }
        Err(self.no_such_model(name))
    }

    pub(super) fn no_such_model(&self, name: &str) -> ModelError {
        let mut names: Vec<String> = self.0.members.iter().flat_map(|one| one.names()).collect();
        names.sort_unstable();
        names.dedup();
        let message = format!("No model server has a model \"{name}\"");
        ModelError::new(ModelErrorKind::ModelNotFound, message)
            .with_hint(format!("there are: {}", names.join(", ")))
    }
}
