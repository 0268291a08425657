//! Compares the calls that were made with the gold answer.
//!
//! The rules are those of the Berkeley Function Calling Leaderboard
//! (`ShishirPatil/gorilla: berkeley-function-call-leaderboard/bfcl_eval/eval_checker/ast_eval/ast_checker.py`):
//! exactly the expected number of calls, in any order; no additional arguments; an
//! argument may be left out only if `""` is among its accepted values. `value.rs` compares
//! values.

mod value;

use std::collections::BTreeSet;

use haft_core::ToolCall;
use serde_json::Value;

use self::value::is_accepted;
use crate::case::{Case, CaseTools, Expected, GoldCall};
use crate::result::Verdict;

/// Compares `calls` with the gold answer of `case`.
///
/// ```
/// use haft_core::ToolCall;
/// use haft_eval::{Dataset, Verdict, score};
/// use serde_json::json;
///
/// let dataset = Dataset::read(
///     "example",
///     r#"[{"id": "1", "category": "simple", "query": "5!",
///          "tools": [{"name": "factorial", "parameters": {"type": "object",
///                     "properties": {"number": {"type": "integer"}}}}],
///          "answer": [{"name": "factorial", "args": {"number": [5]}}]}]"#,
/// ).unwrap();
/// let call = |number| [ToolCall::new("factorial", json!({"number": number}), "call_1")];
/// assert_eq!(score(&dataset.cases[0], &call(json!(5))), Verdict::Right);
/// assert_eq!(score(&dataset.cases[0], &call(json!("5"))), Verdict::WrongValue);
/// ```
#[must_use]
pub fn score(case: &Case, calls: &[ToolCall]) -> Verdict {
    let is_optional =
        |call: &ToolCall| case.optional.iter().any(|name| same_name(name, &call.name));
    match &case.expected {
        Expected::NoCall => match calls.iter().all(is_optional) {
            true => Verdict::Right,
            false => Verdict::UnneededCall,
        },
        Expected::SomeCall if calls.is_empty() => Verdict::NoCall,
        Expected::SomeCall => Verdict::Right,
        Expected::Calls(lists) => {
            let verdicts = lists.iter().map(|gold| {
                let is_due =
                    |call: &ToolCall| gold.iter().any(|due| same_name(&due.name, &call.name));
                let counted = calls
                    .iter()
                    .filter(|call| is_due(call) || !is_optional(call));
                compare(&case.tools, gold, &counted.collect::<Vec<_>>())
            });
            verdicts.reduce(nearer).unwrap_or(Verdict::NoCall)
        }
    }
}

/// The verdict of the closer answer, when the calls match neither of two.
fn nearer(a: Verdict, b: Verdict) -> Verdict {
    if b.is_right() || (a == Verdict::WrongTool && !b.is_right()) {
        b
    } else {
        a
    }
}

fn compare(tools: &CaseTools, gold: &[GoldCall], calls: &[&ToolCall]) -> Verdict {
    if calls.is_empty() {
        return Verdict::NoCall;
    }
    if calls.len() != gold.len() {
        return Verdict::WrongNumber;
    }
    let verdicts: Vec<Vec<Verdict>> = gold
        .iter()
        .map(|due| calls.iter().map(|call| one(tools, due, call)).collect())
        .collect();
    match unmatched(&verdicts) {
        None => Verdict::Right,
        Some(row) => row
            .into_iter()
            .max_by_key(closeness)
            .unwrap_or(Verdict::NoCall),
    }
}

/// A rank for verdicts: higher means that more of the call is correct.
fn closeness(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Right => 0,
        Verdict::WrongValue => 4,
        Verdict::MissingArgument => 3,
        Verdict::UnknownArgument => 2,
        _ => 1,
    }
}

/// Pairs each expected call with one that was made. Returns the verdicts on the first expected
/// call that has no partner.
fn unmatched(verdicts: &[Vec<Verdict>]) -> Option<Vec<Verdict>> {
    let mut taken: Vec<Option<usize>> = vec![None; verdicts.first().map_or(0, Vec::len)];
    for (due, row) in verdicts.iter().enumerate() {
        if !pair(due, verdicts, &mut taken, &mut BTreeSet::new()) {
            return Some(row.clone());
        }
    }
    None
}

/// Finds a partner for an expected call, reassigning other pairs if necessary.
fn pair(
    due: usize,
    verdicts: &[Vec<Verdict>],
    taken: &mut Vec<Option<usize>>,
    seen: &mut BTreeSet<usize>,
) -> bool {
    let row = verdicts.get(due).into_iter().flatten().enumerate();
    let fitting: Vec<usize> = row
        .filter(|(_, verdict)| verdict.is_right())
        .map(|(at, _)| at)
        .collect();
    for made in fitting {
        if !seen.insert(made) {
            continue;
        }
        let holder = taken.get(made).copied().flatten();
        if holder.is_none_or(|other| pair(other, verdicts, taken, seen)) {
            if let Some(slot) = taken.get_mut(made) {
                *slot = Some(due);
            }
            return true;
        }
    }
    false
}

fn one(tools: &CaseTools, gold: &GoldCall, call: &ToolCall) -> Verdict {
    if !same_name(&gold.name, &call.name) {
        return Verdict::WrongTool;
    }
    let known = |name: &String| gold.args.iter().any(|(key, _)| key == name);
    if call.args.keys().any(|name| !known(name)) {
        return Verdict::UnknownArgument;
    }
    let left_out = |(name, accepted): &&(String, Vec<Value>)| {
        !call.args.contains_key(name) && !may_be_left_out(accepted)
    };
    if gold.args.iter().any(|argument| left_out(&argument)) {
        return Verdict::MissingArgument;
    }
    let fits = |(name, accepted): &(String, Vec<Value>)| match call.args.get(name) {
        None => true,
        Some(value) => is_accepted(value, accepted, property(tools, &gold.name, name)),
    };
    match gold.args.iter().all(fits) {
        true => Verdict::Right,
        false => Verdict::WrongValue,
    }
}

/// An empty list of accepted values means that only the empty list is accepted, or no argument.
fn may_be_left_out(accepted: &[Value]) -> bool {
    accepted.is_empty() || accepted.iter().any(|value| value == "")
}

/// The schema of one parameter, if the dataset has one.
fn property<'a>(tools: &'a CaseTools, tool: &str, name: &str) -> Option<&'a Value> {
    let CaseTools::Stubs(definitions) = tools else {
        return None;
    };
    let definition = definitions
        .iter()
        .find(|found| same_name(&found.name, tool))?;
    definition.parameters.get("properties")?.get(name)
}

/// Compares names; APIs that forbid dots in names replace them with underscores.
fn same_name(a: &str, b: &str) -> bool {
    a == b || a.replace('.', "_") == b.replace('.', "_")
}

#[cfg(test)]
mod tests;
