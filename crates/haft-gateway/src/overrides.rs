//! Settings that can be overridden for a model and for a single request.

use axum::http::HeaderMap;
use haft_agent::RecoverySteps;
use haft_core::RecoveryStep;

/// The prefix of the names of these headers.
const PREFIX: &str = "x-haft-";

/// How requests and replies are handled; `None` uses the setting of the level below.
///
/// A request sets them by headers: `x-haft-repair`, `x-haft-select`, `x-haft-server-tools` and
/// `x-haft-stable-prefix` are `on` or `off`, `x-haft-recovery` is `all`, `none` or the steps that are wanted, such as
/// `invalid_calls,without_tools`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Whether calls are repaired and validated, and requested again if they are invalid; true by
    /// default. Without it a reply is only converted, and if client and model server have the same
    /// API, it is passed through byte for byte.
    pub repair: Option<bool>,
    /// The recovery steps for unusable replies; all by default, none if repair is off.
    pub recovery: Option<RecoverySteps>,
    /// Whether the model is offered only the tools that fit the question; false by default, because
    /// the client chose its tools.
    pub select: Option<bool>,
    /// Whether the model is offered the tools of the gateway; true by default.
    pub server_tools: Option<bool>,
    /// Whether lines that change with every request are kept out of the beginning of the prompt
    /// ([`StablePrefix`](haft_models::StablePrefix)); by default for model servers of this machine
    /// and of private networks, never for Anthropic's own API. Requests that pass through byte for
    /// byte stay as they are.
    pub stable_prefix: Option<bool>,
}

impl Overrides {
    /// The overrides in the headers of a request.
    ///
    /// # Errors
    ///
    /// A sentence for the client that names the header and its valid values.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, String> {
        // Most requests have no such header, and looking one up costs a hash.
        if !headers.keys().any(|name| name.as_str().starts_with(PREFIX)) {
            return Ok(Self::default());
        }
        Ok(Self {
            repair: on_or_off(headers, "x-haft-repair")?,
            recovery: recovery(headers)?,
            select: on_or_off(headers, "x-haft-select")?,
            server_tools: on_or_off(headers, "x-haft-server-tools")?,
            stable_prefix: on_or_off(headers, "x-haft-stable-prefix")?,
        })
    }

    /// These overrides, with unset ones taken from `below`.
    #[must_use]
    pub fn or(self, below: Self) -> Self {
        Self {
            repair: self.repair.or(below.repair),
            recovery: self.recovery.or(below.recovery),
            select: self.select.or(below.select),
            server_tools: self.server_tools.or(below.server_tools),
            stable_prefix: self.stable_prefix.or(below.stable_prefix),
        }
    }

    pub(crate) fn repairs(self) -> bool {
        self.repair.unwrap_or(true)
    }

    /// The recovery steps in effect.
    pub(crate) fn steps(self) -> RecoverySteps {
        match self.recovery {
            Some(steps) => steps,
            None if self.repairs() => RecoverySteps::all(),
            None => RecoverySteps::none(),
        }
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    Some(headers.get(name)?.to_str().unwrap_or("?").trim())
}

fn on_or_off(headers: &HeaderMap, name: &str) -> Result<Option<bool>, String> {
    match text(headers, name) {
        None => Ok(None),
        Some("on" | "true" | "1") => Ok(Some(true)),
        Some("off" | "false" | "0") => Ok(Some(false)),
        Some(other) => Err(format!("{name} is \"{other}\"; it may be on or off")),
    }
}

fn recovery(headers: &HeaderMap) -> Result<Option<RecoverySteps>, String> {
    const NAME: &str = "x-haft-recovery";
    let Some(wanted) = text(headers, NAME) else {
        return Ok(None);
    };
    match wanted {
        "all" => return Ok(Some(RecoverySteps::all())),
        "none" => return Ok(Some(RecoverySteps::none())),
        _ => {}
    }
    let mut named = Vec::new();
    for name in wanted.split(',') {
        let step: RecoveryStep = name.trim().parse().map_err(|known| {
            format!("{NAME} names \"{name}\"; it may be all, none, or some of: {known}")
        })?;
        named.push(step);
    }
    let others = RecoveryStep::ALL
        .into_iter()
        .filter(|step| !named.contains(step));
    Ok(Some(
        others.fold(RecoverySteps::all(), RecoverySteps::without),
    ))
}

#[cfg(test)]
mod tests;
