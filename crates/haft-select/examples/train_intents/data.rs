//! The datasets of queries, and how they are split.

use std::collections::BTreeMap;
use std::path::Path;

use haft_select::Intent;
use haft_select::intent::training;
use serde_json::Value;

use crate::templates;

/// The source of the sentences from the templates.
const TEMPLATES: &str = "templates";

/// The minimum frequency of an English word in queries; rarer words are mostly names.
const OFTEN: usize = 2;

/// A query with its intent.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) text: String,
    /// `None` for a query without an intent.
    pub(crate) intent: Option<Intent>,
    pub(crate) source: String,
    pub(crate) features: Vec<u16>,
}

impl Example {
    fn new(text: &str, label: &str, source: &str) -> Self {
        Self {
            text: text.to_owned(),
            intent: Intent::named(label),
            source: source.to_owned(),
            features: training::features(text),
        }
    }

    pub(crate) fn is_template(&self) -> bool {
        self.source == TEMPLATES
    }

    /// The part, of ten, that the query belongs to; it depends only on the text.
    pub(crate) fn part(&self) -> u64 {
        let hash = self.text.bytes().fold(7_u64, |hash, byte| {
            hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte)
        });
        (hash >> 20) % 10
    }
}

/// All training and test data.
#[derive(Debug)]
pub(crate) struct Collection {
    pub(crate) train: Vec<Example>,
    pub(crate) templates: Vec<Example>,
    /// Queries for the final measurement only.
    pub(crate) dev: Vec<Example>,
    /// Queries without an intent, about other subjects.
    pub(crate) out_of_scope: Vec<Example>,
    /// Our own questions, written before the templates and never used for training.
    pub(crate) open_questions: Vec<Example>,
}

impl Collection {
    pub(crate) fn read(folder: &Path, seed: u64) -> Self {
        let own = |name: &str| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("data")
                .join(name);
            std::fs::read_to_string(path).expect("our own data is there")
        };
        let templates = templates::expand(&own("templates.txt"), seed);
        let questions = own("open_questions.txt");
        Self {
            train: read(&folder.join("train.jsonl")),
            templates: templates
                .iter()
                .map(|(label, text)| Example::new(text, label, TEMPLATES))
                .collect(),
            dev: read(&folder.join("dev.jsonl")),
            out_of_scope: read(&folder.join("dev_oos.jsonl")),
            open_questions: questions
                .lines()
                .map(|text| Example::new(text, "general", "open questions"))
                .collect(),
        }
    }
}

/// Reads JSON lines with `text`, `label` and optionally `source`.
pub(crate) fn read(path: &Path) -> Vec<Example> {
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    let examples = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).expect("a line is a JSON object");
        let part = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        Example::new(&part("text"), &part("label"), &part("source"))
    });
    examples.collect()
}

/// The words of English queries. One source is omitted because it is full of titles and names in
/// many languages.
pub(crate) fn known_words(examples: &[Example]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let ours = examples
        .iter()
        .filter(|example| example.source != "snips" && !example.is_template());
    for word in ours.flat_map(|example| training::words(&example.text)) {
        *counts.entry(word).or_default() += 1;
    }
    let often = counts.into_iter().filter(|(_, count)| *count >= OFTEN);
    often.map(|(word, _)| word).collect()
}
