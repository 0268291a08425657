//! Reads the files of the Berkeley Function Calling Leaderboard as they are published: a file of
//! questions, and beside it, in the folder `possible_answer`, a file of the same name with the right
//! calls.
//!
//! Questions with several turns, which need the leaderboard's own simulators, are refused.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::error::EvalError;

/// A line of a file of questions.
#[derive(Deserialize)]
struct Question {
    id: String,
    /// Turns of messages.
    question: Vec<Vec<Value>>,
    function: Value,
}

/// A line of a file of answers.
#[derive(Deserialize)]
struct Answer {
    id: String,
    ground_truth: Vec<Map<String, Value>>,
}

/// What a category expects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The calls of the file of answers.
    Answered,
    NoCall,
    SomeCall,
}

impl Kind {
    fn of(category: &str) -> Self {
        if category.contains("irrelevance") {
            Self::NoCall
        } else if category.contains("relevance") {
            Self::SomeCall
        } else {
            Self::Answered
        }
    }
}

/// True for a file of the leaderboard's questions.
pub(super) fn is_published(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    let fields = first.and_then(|line| serde_json::from_str::<Map<String, Value>>(line).ok());
    fields.is_some_and(|fields| fields.contains_key("question") && fields.contains_key("function"))
}

/// Where the answers to the questions of `path` are.
pub(super) fn answers_of(path: &Path) -> Option<PathBuf> {
    let file = path
        .parent()?
        .join("possible_answer")
        .join(path.file_name()?);
    file.exists().then_some(file)
}

/// The category that a file is about: `simple_python` for `BFCL_v4_simple_python.json`.
pub(super) fn category(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let parts: Vec<&str> = stem.splitn(3, '_').collect();
    match parts.as_slice() {
        ["BFCL", _, category] => (*category).to_owned(),
        _ => stem.into_owned(),
    }
}

/// The questions as lines of `cases.jsonl`.
pub(super) fn as_cases(
    category: &str,
    questions: &str,
    answers: Option<&str>,
) -> Result<String, EvalError> {
    let kind = Kind::of(category);
    if kind == Kind::Answered && answers.is_none() {
        return Err(
            EvalError::dataset(format!("There are no answers to {category}")).with_hint(
                "keep the leaderboard's folder `possible_answer` beside the file of questions",
            ),
        );
    }
    let mut known: HashMap<String, Answer> = HashMap::new();
    for answer in lines::<Answer>(answers.unwrap_or_default(), "possible_answer")? {
        known.insert(answer.id.clone(), answer);
    }
    let mut cases = String::new();
    for question in lines::<Question>(questions, "questions")? {
        let [messages] = question.question.as_slice() else {
            return Err(wrong(&question.id, "it has several turns").with_hint(
                "questions with several turns need the leaderboard's own simulators; take another file",
            ));
        };
        let mut case = json!({
            "id": question.id,
            "category": category,
            "messages": messages,
            "tools": match question.function {
                Value::Array(tools) => Value::Array(tools),
                tool => json!([tool]),
            },
        });
        let (key, value) = match kind {
            Kind::NoCall => ("expect", json!("no_call")),
            Kind::SomeCall => ("expect", json!("some_call")),
            Kind::Answered => {
                let answer = known.remove(&question.id);
                let answer = answer.ok_or_else(|| wrong(&question.id, "it has no answer"))?;
                ("answer", calls(&answer))
            }
        };
        if let Some(fields) = case.as_object_mut() {
            fields.insert(key.to_owned(), value);
        }
        cases += &format!("{case}\n");
    }
    Ok(cases)
}

/// `[{"add": {"a": [1]}}]` as `[{"name": "add", "args": {"a": [1]}}]`.
fn calls(answer: &Answer) -> Value {
    let calls = answer.ground_truth.iter().flatten();
    calls
        .map(|(name, args)| json!({"name": name, "args": args}))
        .collect()
}

fn lines<T: for<'de> Deserialize<'de>>(text: &str, what: &str) -> Result<Vec<T>, EvalError> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            serde_json::from_str(line)
                .map_err(|error| wrong(&format!("{what}, line {}", at + 1), &error.to_string()))
        })
        .collect()
}

fn wrong(place: &str, problem: &str) -> EvalError {
    EvalError::dataset(format!("{place}: {problem}"))
}

#[cfg(test)]
mod tests;
