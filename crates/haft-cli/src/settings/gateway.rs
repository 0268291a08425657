//! `[gateway]` of `haft.toml`: the overrides for `haft serve`, and its limits.

mod limits;

use std::collections::{BTreeMap, HashMap};

use haft::gateway::Overrides;
use haft::{RecoveryStep, RecoverySteps};
use serde::Deserialize;
use serde_json::{Value, json};

use self::limits::LimitsSection;

/// The content of the section.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Section")]
pub(crate) struct GatewaySection {
    pub(crate) overrides: Overrides,
    /// The overrides for single models, by the name that clients use.
    pub(crate) models: HashMap<String, Overrides>,
    /// See [`GatewayOptions::page_content`](haft::gateway::GatewayOptions::page_content).
    pub(crate) page_content: Option<bool>,
    /// The ceilings that are set.
    pub(crate) limits: LimitsSection,
}

/// The section as written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Section {
    repair: Option<bool>,
    recovery: Option<Vec<String>>,
    select: Option<bool>,
    server_tools: Option<bool>,
    stable_prefix: Option<bool>,
    page_content: Option<bool>,
    models: BTreeMap<String, Entry>,
    limits: LimitsSection,
}

/// The overrides of one model.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Entry {
    repair: Option<bool>,
    recovery: Option<Vec<String>>,
    select: Option<bool>,
    server_tools: Option<bool>,
    stable_prefix: Option<bool>,
}

impl TryFrom<Section> for GatewaySection {
    type Error = String;

    fn try_from(section: Section) -> Result<Self, String> {
        let models = section.models.into_iter();
        let all = Entry {
            repair: section.repair,
            recovery: section.recovery,
            select: section.select,
            server_tools: section.server_tools,
            stable_prefix: section.stable_prefix,
        };
        Ok(Self {
            page_content: section.page_content,
            limits: section.limits,
            overrides: all.switches()?,
            models: models
                .map(|(name, entry)| Ok((name, entry.switches()?)))
                .collect::<Result<_, String>>()?,
        })
    }
}

impl Entry {
    fn switches(self) -> Result<Overrides, String> {
        Ok(Overrides {
            repair: self.repair,
            recovery: self.recovery.as_deref().map(steps).transpose()?,
            select: self.select,
            server_tools: self.server_tools,
            stable_prefix: self.stable_prefix,
        })
    }
}

/// Exactly these recovery steps.
fn steps(names: &[String]) -> Result<RecoverySteps, String> {
    let named = names.iter().map(|name| {
        name.parse::<RecoveryStep>()
            .map_err(|known| format!("there is no step `{name}`; {known}"))
    });
    let named = named.collect::<Result<Vec<_>, String>>()?;
    let others = RecoveryStep::ALL
        .into_iter()
        .filter(|step| !named.contains(step));
    Ok(others.fold(RecoverySteps::all(), RecoverySteps::without))
}

impl GatewaySection {
    /// The section in the form of `haft config show`.
    pub(super) fn row(&self) -> Value {
        let mut row = shown(self.overrides);
        if let (Some(row), Some(shown)) = (row.as_object_mut(), self.page_content) {
            row.insert("page_content".to_owned(), shown.into());
        }
        let limits = self.limits.row();
        if let Some(row) = row.as_object_mut().filter(|_| !limits.is_empty()) {
            row.insert("limits".to_owned(), Value::Object(limits));
        }
        if let Some(row) = row.as_object_mut().filter(|_| !self.models.is_empty()) {
            let models: BTreeMap<_, _> = self.models.iter().collect();
            let models = models
                .into_iter()
                .map(|(name, overrides)| (name.clone(), shown(*overrides)));
            row.insert("models".to_owned(), Value::Object(models.collect()));
        }
        row
    }
}

/// The overrides that are set.
fn shown(overrides: Overrides) -> Value {
    let steps = overrides.recovery.map(|steps| {
        let names = RecoveryStep::ALL
            .into_iter()
            .filter(|step| steps.has(*step));
        names.map(|step| json!(step.name())).collect::<Value>()
    });
    let set = [
        ("repair", overrides.repair.map(Value::from)),
        ("recovery", steps),
        ("select", overrides.select.map(Value::from)),
        ("server_tools", overrides.server_tools.map(Value::from)),
        ("stable_prefix", overrides.stable_prefix.map(Value::from)),
    ];
    let set = set
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(set.collect())
}

#[cfg(test)]
mod tests;
