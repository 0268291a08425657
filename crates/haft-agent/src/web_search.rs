//! Web search when the model cannot answer.
//!
//! When a reply is blank after all recovery steps, or says that the model cannot look things up
//! (`trigger.rs`), the question becomes a query ([`query_for`]). The query goes to a search engine
//! (`search.rs`), with a browser if there is one, else with the tool `search_web`. The model then
//! answers from the results (`reading.rs`). If that fails, the first reply is used. The settings
//! are in `options/web_search.rs`.

pub(crate) mod found;
pub(crate) mod reading;
pub(crate) mod search;
mod trigger;

use haft_core::{AiMessage, Content, StopReason};
use haft_select::{Intent, IntentClassifier};
use haft_tools::MAX_SEARCH_QUERY;

use self::trigger::asks_for_search;

/// The maximum length of a question in characters. A longer text is a document and is not sent to
/// a search engine.
const LONGEST_QUESTION: usize = 512;

/// What to search for in place of a reply, if anything.
pub(crate) fn query_for(question: &Content, reply: &AiMessage) -> Option<String> {
    let is_blank = reply.content.is_blank();
    let is_no_answer = is_blank || admits_no_knowledge(reply);
    if reply.stop_reason == Some(StopReason::Refusal) || !is_no_answer {
        return None;
    }
    let question = question.text();
    let words: Vec<_> = question.split_whitespace().collect();
    let question = words.join(" ");
    let length = question.chars().count();
    if length == 0 || length > LONGEST_QUESTION || is_for_home(&question, is_blank) {
        return None;
    }
    Some(shortened(&question))
}

/// True for a reply in which the model says that it does not know or cannot look it up.
pub(crate) fn admits_no_knowledge(reply: &AiMessage) -> bool {
    asks_for_search(&reply.content.text())
}

/// True when a reply to the results is better than the reply before the search.
pub(crate) fn is_better(after: &AiMessage, before: &AiMessage) -> bool {
    before.content.is_blank() || !admits_no_knowledge(after)
}

/// True for a question that the web cannot answer and that should stay private: about a device at
/// home, or small talk. After an empty reply also a command, which only a tool can carry out.
fn is_for_home(question: &str, is_blank: bool) -> bool {
    let found = IntentClassifier::default().classify(question);
    found.open().is_none()
        && match found.label() {
            Intent::Device | Intent::Chitchat => true,
            Intent::Action => is_blank,
            _ => false,
        }
}

/// A question as a query, cut between words.
fn shortened(question: &str) -> String {
    let mut query = String::new();
    for word in question.split(' ') {
        if query.chars().count() + 1 + word.chars().count() > MAX_SEARCH_QUERY {
            break;
        }
        if !query.is_empty() {
            query.push(' ');
        }
        query.push_str(word);
    }
    if query.is_empty() {
        query = question.chars().take(MAX_SEARCH_QUERY).collect();
    }
    query
}
