//! The training data: questions, tools, and pairs of words, all from `HAFT_DATA`.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::process::Command;

use haft_select::ToolText;
use serde_json::Value;

pub(crate) type Fallible<T> = Result<T, Box<dyn Error>>;

/// A definition of a tool.
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) parameters: Value,
}

impl Definition {
    pub(crate) fn text(&self) -> ToolText<'_> {
        ToolText::new(&self.name, &self.description, &self.parameters)
    }
}

/// A question and the tools that answer it, as indexes in [`Data::tools`].
pub(crate) struct Case {
    pub(crate) live: bool,
    pub(crate) query: String,
    pub(crate) gold: Vec<usize>,
    /// The tools that were offered with it, by key.
    pub(crate) shown: Vec<String>,
}

/// All data.
pub(crate) struct Data {
    /// All definitions of each name.
    pub(crate) tools: Vec<Vec<Definition>>,
    pub(crate) cases: Vec<Case>,
    /// Synthetic questions that are not used for training.
    pub(crate) unseen: Vec<Case>,
    /// Names of intents, and example queries for each.
    pub(crate) intents: BTreeMap<String, Vec<String>>,
}

impl Data {
    pub(crate) fn read(folder: &Path) -> Fallible<Self> {
        let mut tools = Tools::default();
        for tool in lines(&std::fs::read_to_string(folder.join("bfcl/tools.jsonl"))?)? {
            tools.take(&tool);
        }
        let packed = folder.join("replies/questions.jsonl.gz");
        let unpacked = Command::new("gzip").arg("-dc").arg(packed).output()?;
        let questions = lines(&String::from_utf8(unpacked.stdout)?)?;
        let known: BTreeSet<_> = tools.places.keys().cloned().collect();
        for tool in questions
            .iter()
            .flat_map(|question| list(&question["tools"]))
        {
            if !known.contains(&text(tool, "name")) {
                tools.take(tool);
            }
        }
        let mut cases = Vec::new();
        let mut seen = BTreeSet::new();
        for case in lines(&std::fs::read_to_string(folder.join("bfcl/cases.jsonl"))?)? {
            seen.insert(normal(&text(&case, "query")));
            cases.extend(tools.case(&case));
        }
        let fresh = |question: &&Value| seen.insert(normal(&text(question, "question")));
        let unseen = questions.iter().filter(fresh);
        let unseen = unseen
            .filter_map(|question| tools.question(question))
            .collect();
        let mut intents: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in lines(&std::fs::read_to_string(
            folder.join("intents/train.jsonl"),
        )?)? {
            let name = format!("{}:{}", text(&line, "source"), text(&line, "intent"));
            intents.entry(name).or_default().push(text(&line, "text"));
        }
        Ok(Self {
            tools: tools.definitions,
            cases,
            unseen,
            intents,
        })
    }

    /// One definition of each name: the first one, or a random one for seeds other than 0.
    pub(crate) fn pool(&self, seed: u64) -> Vec<&Definition> {
        let mut lot = fastrand::Rng::with_seed(seed);
        self.tools
            .iter()
            .map(|definitions| match seed {
                0 => &definitions[0],
                _ => &definitions[lot.usize(..definitions.len())],
            })
            .collect()
    }
}

/// Definitions by name.
#[derive(Default)]
struct Tools {
    definitions: Vec<Vec<Definition>>,
    places: BTreeMap<String, usize>,
}

impl Tools {
    fn take(&mut self, tool: &Value) {
        let name = text(tool, "name");
        let place = *self.places.entry(name.clone()).or_insert_with(|| {
            self.definitions.push(Vec::new());
            self.definitions.len() - 1
        });
        self.definitions[place].push(Definition {
            name,
            description: text(tool, "description"),
            parameters: tool["parameters"].clone(),
        });
    }

    /// A case with a tool that answers it.
    fn case(&self, case: &Value) -> Option<Case> {
        let names = list(&case["answer"]).iter().map(|call| text(call, "name"));
        let shown = list(&case["tools"]).iter().filter_map(Value::as_str);
        Some(Case {
            live: text(case, "category").starts_with("live"),
            query: text(case, "query"),
            gold: self.gold(names)?,
            shown: shown.map(str::to_owned).collect(),
        })
    }

    /// Parses a question of the reply corpus; `None` unless exactly one tool is right.
    fn question(&self, question: &Value) -> Option<Case> {
        let calls: Vec<_> = list(&question["accept"])
            .iter()
            .filter_map(Value::as_object)
            .collect();
        if calls.iter().any(|call| call.len() != 1) {
            return None;
        }
        Some(Case {
            live: false,
            query: text(question, "question"),
            gold: self.gold(calls.iter().flat_map(|call| call.keys()).cloned())?,
            shown: Vec::new(),
        })
    }

    fn gold(&self, names: impl Iterator<Item = String>) -> Option<Vec<usize>> {
        let gold: Option<BTreeSet<usize>> =
            names.map(|name| self.places.get(&name).copied()).collect();
        gold.filter(|gold| !gold.is_empty())
            .map(|gold| gold.into_iter().collect())
    }
}

/// A normal form that is equal for questions that differ in spaces and case only.
pub(crate) fn normal(query: &str) -> String {
    query
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn lines(text: &str) -> Fallible<Vec<Value>> {
    Ok(text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?)
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
