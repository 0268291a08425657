//! Parses JSON lines into cases and tools.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use haft_core::Message;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::types::json_schema;
use crate::case::{Case, CaseTools, Expected, GoldCall, StubDefinition};
use crate::error::EvalError;

/// The value of a case's `tools` that selects the clock and the demo home.
const DEMO_HOME: &str = "demo-home";

/// A case as written in the file.
#[derive(Deserialize)]
struct RawCase {
    id: Value,
    category: Option<String>,
    query: Option<String>,
    #[serde(default)]
    messages: Vec<RawMessage>,
    #[serde(default)]
    tools: RawTools,
    #[serde(default)]
    answer: Vec<RawGold>,
    #[serde(default)]
    answers: Vec<Vec<RawGold>>,
    expect: Option<RawExpect>,
    #[serde(default)]
    optional: Vec<String>,
}

#[derive(Deserialize)]
struct RawMessage {
    role: String,
    content: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawTools {
    Named(String),
    Listed(Vec<RawTool>),
}

impl Default for RawTools {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawTool {
    Key(String),
    Inline(RawDefinition),
}

#[derive(Deserialize)]
struct RawDefinition {
    key: Option<String>,
    name: String,
    #[serde(default)]
    description: String,
    #[serde(
        default,
        alias = "input_schema",
        alias = "inputSchema",
        alias = "schema"
    )]
    parameters: Value,
    #[serde(default)]
    read_only: bool,
}

#[derive(Deserialize)]
struct RawGold {
    name: String,
    #[serde(default)]
    args: Map<String, Value>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawExpect {
    NoCall,
    SomeCall,
}

/// The tools of a dataset by key.
#[derive(Debug, Default)]
pub(super) struct Tools<'a> {
    pub(super) source: &'a str,
    by_key: HashMap<String, Arc<StubDefinition>>,
}

/// Reads `tools.jsonl`.
pub(super) fn tools(text: &str) -> Result<Tools<'_>, EvalError> {
    let mut by_key = HashMap::new();
    for (place, raw) in items::<RawDefinition>(text, "tools")? {
        let key = raw.key.clone().unwrap_or_else(|| raw.name.clone());
        if by_key.insert(key.clone(), definition(raw)).is_some() {
            return Err(wrong(&place, &format!("the key \"{key}\" is used twice")));
        }
    }
    Ok(Tools {
        source: text,
        by_key,
    })
}

/// Reads `cases.jsonl`, or a JSON list of cases.
pub(super) fn cases(text: &str, tools: &Tools<'_>) -> Result<Vec<Case>, EvalError> {
    let mut ids = HashSet::new();
    let mut cases = Vec::new();
    for (place, raw) in items::<RawCase>(text, "cases")? {
        let case = case(raw, tools).map_err(|problem| wrong(&place, &problem))?;
        if !ids.insert(case.id.clone()) {
            return Err(wrong(
                &place,
                &format!("the id \"{}\" is used twice", case.id),
            ));
        }
        cases.push(case);
    }
    Ok(cases)
}

/// The items of a JSON list or of JSON lines, each with its position for messages.
fn items<T: for<'de> Deserialize<'de>>(
    text: &str,
    what: &str,
) -> Result<Vec<(String, T)>, EvalError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('[') {
        let list: Vec<Value> =
            serde_json::from_str(text).map_err(|error| wrong(what, &error.to_string()))?;
        let items = list.into_iter().enumerate().map(|(at, item)| {
            let place = format!("{what}[{at}]");
            let item =
                serde_json::from_value(item).map_err(|error| wrong(&place, &error.to_string()))?;
            Ok((place, item))
        });
        return items.collect();
    }
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let items = lines.map(|(at, line)| {
        let place = format!("{what}, line {}", at + 1);
        let item = serde_json::from_str(line).map_err(|error| wrong(&place, &error.to_string()))?;
        Ok((place, item))
    });
    items.collect()
}

fn case(raw: RawCase, tools: &Tools<'_>) -> Result<Case, String> {
    let id = match raw.id {
        Value::String(id) => id,
        id @ Value::Number(_) => id.to_string(),
        _ => return Err("`id` is not a string".to_owned()),
    };
    let messages = raw
        .messages
        .into_iter()
        .map(message)
        .collect::<Result<Vec<_>, _>>()?;
    let last = messages.iter().rev().find_map(|message| match message {
        Message::Human(human) => Some(human.content.text()),
        _ => None,
    });
    let query = raw.query.or(last).ok_or("`query` is missing")?;
    let messages = match messages.last() {
        Some(Message::Human(_)) => messages,
        Some(_) => return Err("`messages` does not end with the user".to_owned()),
        None => vec![Message::human(query.as_str())],
    };
    let lists = if raw.answers.is_empty() {
        vec![raw.answer]
    } else {
        raw.answers
    };
    let expected = match raw.expect {
        Some(RawExpect::NoCall) => Expected::NoCall,
        Some(RawExpect::SomeCall) => Expected::SomeCall,
        None if lists.iter().any(Vec::is_empty) => {
            return Err(
                "`answer` is missing; write \"expect\": \"no_call\" if no call is expected"
                    .to_owned(),
            );
        }
        None => {
            let lists = lists
                .into_iter()
                .map(|list| list.into_iter().map(gold).collect());
            Expected::Calls(lists.collect::<Result<_, _>>()?)
        }
    };
    Ok(Case {
        id,
        category: raw.category.unwrap_or_else(|| "all".to_owned()),
        query,
        messages,
        tools: case_tools(raw.tools, tools)?,
        expected,
        optional: raw.optional,
    })
}

fn message(raw: RawMessage) -> Result<Message, String> {
    match raw.role.as_str() {
        "system" => Ok(Message::system(raw.content)),
        "user" | "human" => Ok(Message::human(raw.content)),
        "assistant" | "ai" => Ok(Message::ai(raw.content)),
        role => Err(format!(
            "there is no role \"{role}\"; write system, user or assistant"
        )),
    }
}

fn case_tools(raw: RawTools, tools: &Tools<'_>) -> Result<CaseTools, String> {
    let listed = match raw {
        RawTools::Named(name) if name == DEMO_HOME => return Ok(CaseTools::DemoHome),
        RawTools::Named(name) => {
            return Err(format!(
                "there are no tools \"{name}\"; list them, or write \"{DEMO_HOME}\""
            ));
        }
        RawTools::Listed(listed) => listed,
    };
    let found = listed.into_iter().map(|tool| match tool {
        RawTool::Inline(raw) => Ok(definition(raw)),
        RawTool::Key(key) => {
            let found = tools.by_key.get(&key).cloned();
            found.ok_or_else(|| format!("tools.jsonl has no key \"{key}\""))
        }
    });
    Ok(CaseTools::Stubs(found.collect::<Result<_, _>>()?))
}

fn definition(raw: RawDefinition) -> Arc<StubDefinition> {
    Arc::new(StubDefinition {
        name: raw.name,
        description: raw.description,
        parameters: json_schema(raw.parameters),
        read_only: raw.read_only,
    })
}

fn gold(raw: RawGold) -> Result<GoldCall, String> {
    let args = raw.args.into_iter().map(|(name, accepted)| match accepted {
        Value::Array(accepted) => Ok((name, accepted)),
        _ => Err(format!("the accepted values of `{name}` are not a list")),
    });
    let args = args.collect::<Result<_, _>>()?;
    Ok(GoldCall {
        name: raw.name,
        args,
    })
}

fn wrong(place: &str, problem: &str) -> EvalError {
    EvalError::dataset(format!("{place}: {problem}")).with_hint(
        "a case is {\"id\", \"category\", \"query\", \"tools\", \"answer\"}; see the guide \"Measure a model\"",
    )
}

/// FNV-1a with 64 bits: short, and equal on every machine.
pub(crate) fn hash(parts: &[&[u8]]) -> String {
    let bytes = parts.iter().flat_map(|part| part.iter().chain(&[0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
