//! A cache of agents. Most requests of a client differ only in the conversation, and preparing
//! tools for a model costs as much as the rest of a short request.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use haft_agent::{Agent, AgentError};
use haft_core::{Generation, Tool};
use haft_models::ClientRequest;

use crate::overrides::Overrides;

/// The maximum number of cached agents, enough for all clients that are active at one time. Tools
/// that clients make up must not fill the memory; see also [`ClientRequest::has_known_tools`].
const KEPT: usize = 32;

/// Recently used agents, the latest first.
#[derive(Debug, Default)]
pub(crate) struct Agents(Mutex<VecDeque<(Wanted, Agent)>>);

/// All parts of a request that determine which agent answers it: the cache key.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    model: String,
    is_streamed: bool,
    overrides: Overrides,
    generation: Generation,
    /// The tools of the client, then those of the gateway, which may change while it runs.
    tools: Vec<Arc<dyn Tool>>,
}

impl Wanted {
    /// The cache key of a request. `None` if its agent should not be cached: a response schema
    /// belongs to one question, and tools that are new in each request will not be used again.
    pub(crate) fn of(
        request: &ClientRequest,
        overrides: Overrides,
        own: &[Arc<dyn Tool>],
    ) -> Option<Self> {
        let is_usual = request.options.response_schema.is_none() && request.has_known_tools;
        is_usual.then(|| Self {
            model: request.model.clone(),
            is_streamed: request.stream,
            overrides,
            generation: request.options.generation.clone(),
            tools: request.tools.iter().chain(own).cloned().collect(),
        })
    }

    fn is(&self, other: &Self) -> bool {
        let same = |(tool, other): (&Arc<dyn Tool>, &Arc<dyn Tool>)| Arc::ptr_eq(tool, other);
        self.model == other.model
            && self.is_streamed == other.is_streamed
            && self.overrides == other.overrides
            && self.generation == other.generation
            && self.tools.len() == other.tools.len()
            && self.tools.iter().zip(&other.tools).all(same)
    }
}

impl Agents {
    /// The cached agent with the same key, or a new one from `make`.
    pub(crate) fn get(
        &self,
        wanted: Option<Wanted>,
        make: impl FnOnce() -> Result<Agent, AgentError>,
    ) -> Result<Agent, AgentError> {
        let Some(wanted) = wanted else {
            return make();
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(known, _)| known.is(&wanted));
        if let Some(known) = known.and_then(|place| kept.remove(place)) {
            let agent = known.1.clone();
            kept.push_front(known);
            return Ok(agent);
        }
        drop(kept);
        let agent = make()?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT - 1);
        kept.push_front((wanted, agent.clone()));
        Ok(agent)
    }
}

#[cfg(test)]
mod tests;
