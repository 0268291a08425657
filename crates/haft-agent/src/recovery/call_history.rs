//! The calls of a question and their results, to recognise repeated ones.
//!
//! Two calls are equal if name and arguments are. A call is repeated if an equal one was made in
//! an earlier round, and no tool that may change something ran since.

use std::collections::{BTreeMap, HashMap};

use haft_core::{AiMessage, ToolCall, ToolError, ToolMessage, ToolStatus};
use haft_tools::{CheckedCall, ToolExecutor};
use serde_json::Value;

/// The number of equal rounds that is a loop.
const LOOP: u32 = 3;

/// The calls of one question so far.
#[derive(Debug, Default)]
pub(crate) struct CallHistory {
    made: HashMap<String, Made>,
    /// The number of calls so far of tools that are not read-only.
    changes: u64,
}

/// A call that was made before.
#[derive(Debug)]
struct Made {
    times: u32,
    result: ToolMessage,
    /// [`CallHistory::changes`] after the call.
    changes: u64,
}

/// The calls of one reply, validated before any of them runs.
#[derive(Debug)]
pub(crate) struct CallRound<'a> {
    pub(crate) reply: &'a AiMessage,
    /// One entry for each entry of the reply's `tool_calls`.
    calls: Vec<Result<ValidCall, ToolError>>,
}

#[derive(Debug)]
struct ValidCall {
    key: String,
    read_only: bool,
    /// How often the call was made before, without a change since.
    before: u32,
}

impl<'a> CallRound<'a> {
    /// Validates the calls of a reply and looks them up in the history.
    pub(super) fn new(
        reply: &'a AiMessage,
        executor: &ToolExecutor,
        history: &CallHistory,
    ) -> Self {
        let valid = |CheckedCall { call, .. }: CheckedCall| {
            let key = key_of(&call);
            let tool = executor.tools().find(&call.name);
            ValidCall {
                read_only: tool.is_some_and(|tool| tool.annotations().read_only),
                before: history.times(&key),
                key,
            }
        };
        let calls = reply.tool_calls.iter();
        Self {
            reply,
            calls: calls.map(|call| executor.check(call).map(valid)).collect(),
        }
    }

    /// What is wrong with the calls, if none of them is valid.
    pub(super) fn errors(&self) -> Option<Vec<String>> {
        if self.calls.iter().any(Result::is_ok) {
            return None;
        }
        let refused = self.calls.iter().filter_map(|call| call.as_ref().err());
        let unread = self.reply.invalid_tool_calls.iter();
        let errors = refused
            .map(ToString::to_string)
            .chain(unread.map(|call| call.error.clone()));
        Some(errors.collect())
    }

    /// For each call, whether it is repeated.
    pub(super) fn repeated(&self) -> impl Iterator<Item = bool> {
        let is_repeated = |call: &ValidCall| call.before > 0;
        let calls = self.calls.iter();
        calls.map(move |call| call.as_ref().is_ok_and(is_repeated))
    }

    /// No known result for any of the calls.
    pub(super) fn nothing_known(&self) -> Vec<Option<ToolMessage>> {
        vec![None; self.calls.len()]
    }
}

impl CallHistory {
    fn times(&self, key: &str) -> u32 {
        let made = self.made.get(key);
        made.filter(|made| made.changes == self.changes)
            .map_or(0, |made| made.times)
    }

    /// For each call of a round, the result that it need not run again for.
    pub(super) fn known_results(&self, round: &CallRound<'_>) -> Vec<Option<ToolMessage>> {
        // A change by one call of the round may affect the result of another.
        if round.calls.iter().flatten().any(|call| !call.read_only) {
            return round.nothing_known();
        }
        let known = |call: &ValidCall| {
            let made = self.made.get(&call.key)?;
            let is_known = call.before > 0 && made.result.status == ToolStatus::Success;
            is_known.then(|| made.result.clone())
        };
        let calls = round.calls.iter();
        calls.map(|call| known(call.as_ref().ok()?)).collect()
    }

    /// Records the results of a round; true when all its calls were made too often. Results that
    /// differ from the time before (a volume, the next page) are progress, not repetition.
    pub(super) fn learn(&mut self, round: &CallRound<'_>, results: &[ToolMessage]) -> bool {
        let calls = || round.calls.iter().zip(results);
        let valid = || calls().filter_map(|(call, result)| Some((call.as_ref().ok()?, result)));
        let changed = valid().filter(|(call, _)| !call.read_only).count();
        self.changes += u64::try_from(changed).unwrap_or(u64::MAX);
        let mut is_loop = valid().next().is_some();
        for (call, result) in valid() {
            let is_same = |made: &Made| made.result.content == result.content;
            let moved = !self.made.get(&call.key).is_some_and(is_same);
            let times = if moved { 1 } else { call.before + 1 };
            is_loop &= times >= LOOP;
            let made = Made {
                times,
                result: result.clone(),
                changes: self.changes,
            };
            self.made.insert(call.key.clone(), made);
        }
        is_loop
    }
}

/// Name and arguments as text, independent of the order of the arguments.
fn key_of(call: &ToolCall) -> String {
    let args = sorted(&Value::Object(call.args.clone()));
    format!("{} {args}", call.name)
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields: BTreeMap<_, _> = fields.iter().collect();
            let fields = fields.into_iter();
            Value::Object(
                fields
                    .map(|(key, value)| (key.clone(), sorted(value)))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}
