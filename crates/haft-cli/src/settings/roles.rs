//! `[[role]]`: named system prompts with a model and tools.

use serde::{Deserialize, Serialize};

use super::{Setting, Settings, Source};
use crate::args::ToolArgs;
use crate::failure::Failure;
use crate::nearest::nearest;

/// The known keys.
pub(super) const KEYS: &[&str] = &["name", "system", "model", "tools"];

/// A role, by its name.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Role {
    pub(crate) name: String,
    /// The system prompt.
    pub(crate) system: String,
    /// The model; without it the one that is used anyway.
    pub(crate) model: Option<String>,
    /// The names of the tools; empty for all.
    #[serde(default)]
    pub(crate) tools: Vec<String>,
}

impl Settings {
    /// The roles.
    pub(crate) fn roles(&self) -> &[Role] {
        self.roles.value.as_deref().unwrap_or_default()
    }

    /// The role of this name.
    pub(crate) fn role(&self, name: &str) -> Result<&Role, Failure> {
        let roles = self.roles();
        roles.iter().find(|role| role.name == name).ok_or_else(|| {
            let names = roles.iter().map(|role| role.name.as_str());
            let hint = match (nearest(name, names.clone()), roles) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, []) => "add a section [[role]] to haft.toml; see `haft roles --help`".into(),
                (None, _) => format!("there are: {}", names.collect::<Vec<_>>().join(", ")),
            };
            Failure::usage(format!("There is no role \"{name}\"")).with_hint(hint)
        })
    }

    /// These settings with the prompt and the model of a role; flags keep their priority. `tools`
    /// gets the role's tools.
    pub(crate) fn in_role(
        mut self,
        name: Option<&str>,
        tools: &mut ToolArgs,
    ) -> Result<Self, Failure> {
        let Some(name) = name else {
            return Ok(self);
        };
        let role = self.role(name)?.clone();
        let flag = Source::Flag("--role");
        let is_flag = |source: &Source| matches!(source, Source::Flag(_));
        if !is_flag(&self.system.source) {
            self.system = Setting::unset().or(Some(role.system), flag.clone());
        }
        if role.model.is_some() && !is_flag(&self.model.source) {
            self.model = Setting::unset().or(role.model, flag);
        }
        if tools.only.is_empty() {
            tools.only = role.tools;
        }
        Ok(self)
    }
}
