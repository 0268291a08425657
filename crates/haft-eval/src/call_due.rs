//! Whether a question calls for one of the tools at hand, told from its words alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use haft_agent::CallDue;
use haft_core::Tool;
use haft_select::{Intent, IntentClassifier, Tiers};

/// A question names a tool when so many words of the tool's name stand in it,
const NAMED: usize = 2;

/// and so many of its name, description and parameters together. Both were chosen on BFCL's dev
/// half such that few questions that want no call name a tool.
const MENTIONED: usize = 3;

/// Words that most questions have, and verbs that most names of tools have.
const COMMON: [&str; 36] = [
    "the",
    "and",
    "for",
    "what",
    "which",
    "who",
    "how",
    "can",
    "could",
    "would",
    "please",
    "with",
    "from",
    "this",
    "that",
    "does",
    "did",
    "find",
    "get",
    "give",
    "tell",
    "want",
    "need",
    "know",
    "have",
    "has",
    "there",
    "using",
    "use",
    "given",
    "between",
    "let",
    "show",
    "calculate",
    "compute",
    "new",
];

/// Says that a call is due where the intent classifier is sure of an intent that has a tier of
/// its own (things at home, the clock) and a tool of that tier is bound; or, for tools of no
/// tier, where the question names a tool by its words. Never where the likeliest intent is
/// knowledge or small talk.
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
    // Knowledge about a thing at home is no business of the thing.
    if matches!(found.label(), Intent::General | Intent::Chitchat) {
        return false;
    }
    let Ok(chosen) = tiers.choose(question, &found) else {
        return false;
    };
    let asked = words(question);
    tools.iter().any(|tool| match tiers.tier_of(tool.as_ref()) {
        Some(tier) => chosen.contains(&tier.name.as_str()),
        None => names(&asked, tool.as_ref()),
    })
}

/// True when these words name the tool.
fn names(asked: &BTreeSet<String>, tool: &dyn Tool) -> bool {
    let name = words(tool.name());
    if name.intersection(asked).count() < NAMED {
        return false;
    }
    let mut all = name;
    all.extend(words(tool.description()));
    let properties = tool
        .schema()
        .get("properties")
        .and_then(|properties| properties.as_object());
    for (name, property) in properties.into_iter().flatten() {
        all.extend(words(name));
        all.extend(words(
            property
                .get("description")
                .and_then(|text| text.as_str())
                .unwrap_or_default(),
        ));
    }
    all.intersection(asked).count() >= MENTIONED
}

/// The words that tell something, without their endings.
fn words(text: &str) -> BTreeSet<String> {
    let mut apart = String::with_capacity(text.len() + 8);
    let mut was_small = false;
    for c in text.chars() {
        if c.is_uppercase() && was_small {
            apart.push(' ');
        }
        was_small = c.is_lowercase();
        apart.extend(c.to_lowercase());
    }
    let words = apart.split(|c: char| !c.is_ascii_alphabetic());
    let told = words.filter(|word| word.len() > 2 && !COMMON.contains(word));
    told.map(stem).collect()
}

/// The word without an ending, where enough of it is left.
fn stem(word: &str) -> String {
    let endings = [
        "ations", "ation", "ings", "ing", "ies", "ers", "er", "ed", "es", "s", "e",
    ];
    let cut = endings
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() > 2));
    cut.unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests;
