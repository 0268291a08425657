//! Whether a question calls for one of the tools at hand, told from its words alone.

use std::sync::Arc;

use haft_agent::CallDue;
use haft_core::Tool;
use haft_select::{IntentClassifier, REST, Tiers};

/// Says that a call is due where the intent classifier is sure of an intent that needs a tool,
/// and one of the bound tools is of that kind.
///
/// It knows neither the gold answer nor the reply. Simulations use it, so that prose in place of
/// a call is met as it would be in an agent that binds its tools by intent.
///
/// ```
/// let due = haft_eval::likely_call();
/// let tools = [haft_tools::get_current_datetime()];
/// assert!(due.is_due("What time is it in Lima?", &tools));
/// assert!(!due.is_due("What is the capital of France?", &tools));
/// ```
#[must_use]
pub fn likely_call() -> CallDue {
    let tiers = Tiers::default();
    CallDue::new(move |question, tools| is_due(&tiers, question, tools))
}

fn is_due(tiers: &Tiers, question: &str, tools: &[Arc<dyn Tool>]) -> bool {
    let found = IntentClassifier::default().classify(question);
    let Ok(names) = tiers.choose(question, &found) else {
        return false;
    };
    tools.iter().any(|tool| {
        let tier = tiers
            .tier_of(tool.as_ref())
            .map_or(REST, |tier| tier.name.as_str());
        names.contains(&tier)
    })
}
