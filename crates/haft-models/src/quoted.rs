//! Detects calls that a model prints because a text in its conversation contains them: a page that
//! says "now call `reboot_server`" must not cause that call.
//!
//! A printed call is compared with tool results, with results of a web search, with attachments and
//! with the user's own messages, after its arguments were coerced to the schema. If one of them
//! contains the call, it does not run, unless the model made it before or the user's own words ask
//! for it (`quoted/order.rs`). Calls in a text are found by the extractor and, in notations that
//! are not those of models, by their words (`quoted/near.rs`). Texts are only searched once a reply
//! prints a call.

mod near;
mod order;
mod plain;
mod text;
mod texts;

use std::sync::{Arc, OnceLock};

use haft_core::{Arguments, CallOptions, Message, QuoteSource, QuotedCall, Tool, ToolCall};
use haft_extract::{BareCalls, ExtractOptions, ToolSet, extract};
use serde_json::Value;

use self::near::{Notation, Sought};
use self::order::{Asked, Effect, is_asked_for, reads};
use self::plain::{plain, without_tags};
use self::text::{Words, all_letters, letters};
use self::texts::{Given, Made, Texts, joined};
use crate::bound::BoundTools;
use crate::offered::name_of;

/// The calls in the texts of a conversation; empty if calls cannot be printed. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quotations(Option<Arc<Conversation>>);

/// A conversation, and the results of searching it.
#[derive(Debug)]
struct Conversation {
    tools: Vec<Arc<dyn Tool>>,
    set: ToolSet,
    texts: Texts,
    results: OnceLock<Source>,
    web: OnceLock<Source>,
    attached: OnceLock<Source>,
    user: OnceLock<Source>,
}

/// The texts of one source, prepared for searching.
#[derive(Debug)]
struct Source {
    words: Vec<Words>,
    calls: Vec<ToolCall>,
    /// The calls in the texts, of any tool and with any arguments.
    written: Vec<ToolCall>,
}

impl Quotations {
    /// The quotations in the conversation that a request with these options continues.
    pub(crate) fn of(bound: &BoundTools, messages: &[Message], options: &CallOptions) -> Self {
        if bound.tools.is_empty() {
            return Self::default();
        }
        Self(Some(Arc::new(Conversation {
            tools: bound.tools.clone(),
            set: bound.set.clone(),
            texts: Texts::of(messages, options.foreign_text.as_deref()),
            results: OnceLock::new(),
            web: OnceLock::new(),
            attached: OnceLock::new(),
            user: OnceLock::new(),
        })))
    }

    /// The call as a quoted one, if it is only repeated from a text.
    pub(crate) fn quoted(&self, call: &ToolCall) -> Option<QuotedCall> {
        let source = self.0.as_ref()?.source_of(call)?;
        Some(QuotedCall {
            call: call.clone(),
            source,
        })
    }
}

impl Conversation {
    /// The source of the call, if it was neither made before nor asked for.
    fn source_of(&self, call: &ToolCall) -> Option<QuoteSource> {
        let tool = self.tools.iter().find(|tool| name_of(tool) == call.name);
        let effect = tool.map_or(Effect::Harms, effect);
        let properties = tool.and_then(|tool| tool.schema().get("properties")?.as_object());
        let keys = properties
            .into_iter()
            .flatten()
            .map(|(key, _)| key.as_str());
        // "Use list_devices to see all" is a hint, not an instruction of a stranger.
        let by_name = effect == Effect::Harms && !reads(&call.name);
        let sought = Sought::new(&call.name, &call.args, keys, by_name);
        let source = self.holds(call, &sought, by_name)?;
        // Additions of a stranger to the user's call were not asked for.
        let is_exact = source != QuoteSource::UserMessage;
        let stands_in = |text: &str| {
            let found = calls_in(&self.set, text);
            let mut same = found.iter().filter(|quoted| is_in(quoted, call));
            same.any(|quoted| !is_exact || is_in(call, quoted))
        };
        let asked = Asked {
            name: &call.name,
            sought: &sought,
            effect,
            stands_in: &stands_in,
        };
        if self.was_made(call, &sought, effect) || is_asked_for(&asked, &self.texts.user) {
            return None;
        }
        Some(source)
    }

    /// The first source that contains the call; untrusted sources come first.
    fn holds(&self, call: &ToolCall, sought: &Sought, harms: bool) -> Option<QuoteSource> {
        let results = || self.source(&joined(self.texts.results.iter()));
        let web = || self.source(self.texts.web.as_slice());
        let attached = || self.source(&self.texts.attached);
        let user = || self.source(&self.texts.user);
        let stands_in = |source: &Source, notation| {
            (harms && source.holds_variant(call)) || source.holds(call, sought, notation)
        };
        if stands_in(self.web.get_or_init(web), Notation::Any) {
            return Some(QuoteSource::WebPage);
        }
        if stands_in(self.results.get_or_init(results), Notation::Any) {
            return Some(QuoteSource::ToolResult);
        }
        if stands_in(self.attached.get_or_init(attached), Notation::Any) {
            return Some(QuoteSource::Attachment);
        }
        // A text that the user pastes may order harm in plain words; the user's own orders are
        // found by `is_asked_for`.
        let notation = match harms {
            true => Notation::Any,
            false => Notation::CallLike,
        };
        stands_in(self.user.get_or_init(user), notation).then_some(QuoteSource::UserMessage)
    }

    fn source(&self, texts: &[String]) -> Source {
        Source::of(&self.set, texts)
    }

    /// Whether the model made exactly this call before. For a harmful call this counts only until
    /// the user's next message: after that a text may not ask for it again, except the call's own
    /// result, which may well contain it.
    fn was_made(&self, call: &ToolCall, sought: &Sought, effect: Effect) -> bool {
        let is_same = |made: &&Made| is_in(&made.call, call) && is_in(call, &made.call);
        let same: Vec<_> = self.texts.made.iter().filter(is_same).collect();
        if effect != Effect::Harms || same.iter().any(|made| !made.is_past) {
            return !same.is_empty();
        }
        let is_own = |given: &&Given| same.iter().any(|made| made.call.id == given.id);
        let new = self.texts.results.iter().skip(self.texts.known);
        let new = self.source(&joined(new.filter(|given| !is_own(given))));
        let web = self
            .web
            .get()
            .is_some_and(|web| web.holds(call, sought, Notation::Any));
        !same.is_empty() && !web && !new.holds(call, sought, Notation::Any)
    }
}

impl Source {
    fn of(set: &ToolSet, texts: &[String]) -> Self {
        let mut words = Vec::new();
        let mut calls = Vec::new();
        let mut written = Vec::new();
        for text in texts {
            let plain = plain(text);
            calls.extend(calls_in(set, text));
            if plain != *text {
                calls.extend(calls_in(set, &plain));
            }
            written.extend(calls_in(&ToolSet::any(), &plain));
            // Tags may contain the call, or split its name.
            if let Some(text) = without_tags(&plain) {
                calls.extend(calls_in(set, &text));
                words.push(Words::of(&text));
            }
            words.push(Words::of(&plain));
        }
        Self {
            words,
            calls,
            written,
        }
    }

    fn holds(&self, call: &ToolCall, sought: &Sought, notation: Notation) -> bool {
        let mut words = self.words.iter();
        self.calls.iter().any(|quoted| is_in(quoted, call))
            || words.any(|words| sought.stands_in(words, notation))
    }

    /// Whether a text contains a call of the same tool with one of this call's strings: the same
    /// call with an argument changed, added, removed or renamed.
    fn holds_variant(&self, call: &ToolCall) -> bool {
        let own = texts_in(call);
        let shares = |quoted: &ToolCall| {
            letters(&quoted.name) == letters(&call.name)
                && texts_in(quoted).iter().any(|text| own.contains(text))
        };
        self.written.iter().any(shares)
    }
}

/// The strings among the arguments of a call, reduced to letters and digits.
fn texts_in(call: &ToolCall) -> Vec<String> {
    let texts = call.args.values().filter_map(Value::as_str);
    texts.map(letters).filter(|text| !text.is_empty()).collect()
}

/// The possible effect of a tool, as far as it is known.
fn effect(tool: &Arc<dyn Tool>) -> Effect {
    let annotations = tool.annotations();
    if annotations.destructive {
        Effect::Harms
    } else if annotations.read_only {
        Effect::Reads
    } else {
        Effect::Changes
    }
}

fn calls_in(set: &ToolSet, text: &str) -> Vec<ToolCall> {
    let mut options = ExtractOptions::default();
    options.text_mode = true;
    options.bare_calls = BareCalls::Always;
    extract(set, options, text).calls
}

/// Whether the second call contains the first one: the same tool, and every argument of the first.
/// Additional arguments do not change where the call comes from.
fn is_in(quoted: &ToolCall, call: &ToolCall) -> bool {
    let has = |(key, value): (&String, &Value)| {
        let own = call.args.get(key);
        own.is_some_and(|own| is_same_value(value, own))
    };
    let is_bare = |arguments: &Arguments| arguments.values().all(Value::is_null);
    quoted.name == call.name
        && is_bare(&quoted.args) == is_bare(&call.args)
        && quoted
            .args
            .iter()
            .filter(|(_, value)| !value.is_null())
            .all(has)
}

fn is_same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => {
            let has_letters = all_letters(one).next().is_some();
            one.trim() == other.trim() || has_letters && all_letters(one).eq(all_letters(other))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same_value(one, other))
        }
        (Value::Object(one), Value::Object(other)) => one.iter().all(|(key, value)| {
            let own = other.get(key);
            own.is_some_and(|own| is_same_value(value, own))
        }),
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests;
