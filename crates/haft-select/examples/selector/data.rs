//! The questions, the tools, and the pairs of words that are learned from; all from `HAFT_DATA`.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::process::Command;

use haft_select::ToolText;
use serde_json::Value;

pub type Fallible<T> = Result<T, Box<dyn Error>>;

/// A definition of a tool.
pub struct Definition {
    pub key: String,
    pub name: String,
    pub description: String,
    pub parameters: Value,
}

impl Definition {
    pub fn text(&self) -> ToolText<'_> {
        ToolText::new(&self.name, &self.description, &self.parameters)
    }
}

/// A question and the tools that answer it, as places in [`Data::tools`].
pub struct Case {
    pub live: bool,
    pub query: String,
    pub gold: Vec<usize>,
    /// The tools that were shown with it, by key.
    pub shown: Vec<String>,
}

/// Everything that is read.
pub struct Data {
    /// All definitions of each name.
    pub tools: Vec<Vec<Definition>>,
    pub cases: Vec<Case>,
    /// Questions that nothing was learned from, synthetic ones.
    pub unseen: Vec<Case>,
    /// Names of intents, and what people say who have them.
    pub intents: BTreeMap<String, Vec<String>>,
}

impl Data {
    pub fn read(folder: &Path) -> Fallible<Self> {
        let mut tools: Vec<Vec<Definition>> = Vec::new();
        let mut places = BTreeMap::new();
        let mut take = |tool: &Value, key: &str| {
            let name = text(tool, "name");
            let place = *places.entry(name.clone()).or_insert_with(|| {
                tools.push(Vec::new());
                tools.len() - 1
            });
            tools[place].push(Definition {
                key: key.to_owned(),
                name,
                description: text(tool, "description"),
                parameters: tool["parameters"].clone(),
            });
        };
        for tool in lines(&std::fs::read_to_string(folder.join("bfcl/tools.jsonl"))?)? {
            take(&tool, &text(&tool, "key"));
        }
        let packed = folder.join("replies/questions.jsonl.gz");
        let unpacked = Command::new("gzip").arg("-dc").arg(packed).output()?;
        let questions = lines(&String::from_utf8(unpacked.stdout)?)?;
        let known: BTreeSet<_> = {
            let tools = std::fs::read_to_string(folder.join("bfcl/tools.jsonl"))?;
            lines(&tools)?
                .iter()
                .map(|tool| text(tool, "name"))
                .collect()
        };
        for tool in questions
            .iter()
            .flat_map(|question| list(&question["tools"]))
        {
            if !known.contains(&text(tool, "name")) {
                take(tool, "");
            }
        }
        let mut cases = Vec::new();
        let mut seen = BTreeSet::new();
        for case in lines(&std::fs::read_to_string(folder.join("bfcl/cases.jsonl"))?)? {
            seen.insert(normal(&text(&case, "query")));
            let names = list(&case["answer"]).iter().map(|call| text(call, "name"));
            if let Some(gold) = gold(names, &places) {
                cases.push(Case {
                    live: text(&case, "category").starts_with("live"),
                    query: text(&case, "query"),
                    gold,
                    shown: list(&case["tools"])
                        .iter()
                        .map(|key| key.as_str().unwrap_or_default().to_owned())
                        .collect(),
                });
            }
        }
        let mut unseen = Vec::new();
        for question in &questions {
            let query = text(question, "question");
            let calls = list(&question["accept"]);
            let names = calls
                .iter()
                .filter_map(Value::as_object)
                .flat_map(|call| call.keys());
            let one_each = calls
                .iter()
                .all(|call| call.as_object().is_some_and(|call| call.len() == 1));
            if !one_each || !seen.insert(normal(&query)) {
                continue;
            }
            if let Some(gold) = gold(names.cloned(), &places) {
                unseen.push(Case {
                    live: false,
                    query,
                    gold,
                    shown: Vec::new(),
                });
            }
        }
        let mut intents: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in lines(&std::fs::read_to_string(
            folder.join("intents/train.jsonl"),
        )?)? {
            let name = format!("{}:{}", text(&line, "source"), text(&line, "intent"));
            intents.entry(name).or_default().push(text(&line, "text"));
        }
        Ok(Self {
            tools,
            cases,
            unseen,
            intents,
        })
    }

    /// One definition of each name: the first, or drawn by lot for other seeds than 0.
    pub fn pool(&self, seed: u64) -> Vec<&Definition> {
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

fn gold(
    names: impl Iterator<Item = String>,
    places: &BTreeMap<String, usize>,
) -> Option<Vec<usize>> {
    let gold: Option<BTreeSet<usize>> = names.map(|name| places.get(&name).copied()).collect();
    gold.filter(|gold| !gold.is_empty())
        .map(|gold| gold.into_iter().collect())
}

/// The same for questions that differ in space and case only.
pub fn normal(query: &str) -> String {
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
