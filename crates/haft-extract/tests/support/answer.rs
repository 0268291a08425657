//! One run of the extractor over a reply, whole or cut, and its answer in a form that can be
//! compared.

use haft_extract::{ExtractOptions, Extraction, Extractor, Piece, ToolSet};
use serde_json::{Number, Value};

use super::case::Case;

/// What a run gave, or what it should give.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Names and arguments.
    pub calls: Vec<(String, Value)>,
    /// Names of calls that cannot run.
    pub invalid: Vec<String>,
    /// The text.
    pub content: String,
    /// The thinking.
    pub reasoning: String,
}

impl Answer {
    /// The right answer to a case.
    pub fn right(case: &Case) -> Self {
        Self {
            calls: case
                .calls
                .iter()
                .map(|call| (call.name.clone(), call.args.clone()))
                .collect(),
            invalid: case.invalid.clone(),
            content: case.content.clone(),
            reasoning: case.reasoning.clone(),
        }
    }

    fn of(extraction: &Extraction) -> Self {
        let call =
            |call: &haft_core::ToolCall| (call.name.clone(), Value::Object(call.args.clone()));
        Self {
            calls: extraction.calls.iter().map(call).collect(),
            invalid: extraction
                .invalid
                .iter()
                .map(|call| call.name.clone())
                .collect(),
            content: extraction.content.clone(),
            reasoning: extraction.reasoning.clone(),
        }
    }

    /// The parts in which `self`, the right answer, and `got` differ: name, right, got.
    pub fn differences(&self, got: &Self) -> Vec<(&'static str, String, String)> {
        let mut found = Vec::new();
        let same_calls = self.calls.len() == got.calls.len()
            && self
                .calls
                .iter()
                .zip(&got.calls)
                .all(|(one, other)| one.0 == other.0 && is_same(&one.1, &other.1));
        if !same_calls {
            found.push(("calls", shown(&self.calls), shown(&got.calls)));
        }
        if self.invalid != got.invalid {
            found.push((
                "invalid",
                format!("{:?}", self.invalid),
                format!("{:?}", got.invalid),
            ));
        }
        if self.content != got.content {
            found.push((
                "content",
                format!("{:?}", self.content),
                format!("{:?}", got.content),
            ));
        }
        let (right, seen) = (self.reasoning.trim(), got.reasoning.trim());
        if right != seen {
            found.push(("reasoning", format!("{right:?}"), format!("{seen:?}")));
        }
        found
    }
}

/// Everything that one run gave.
#[derive(Debug)]
pub struct Run {
    /// The answer.
    pub answer: Answer,
    /// The whole extraction.
    pub extraction: Extraction,
    /// The pieces of text, each as it came.
    pub texts: Vec<String>,
    /// The pieces of thinking, each as it came.
    pub thoughts: Vec<String>,
}

/// Reads `reply` in one chunk.
pub fn whole(tools: &ToolSet, options: ExtractOptions, reply: &[u8]) -> Run {
    run(tools, options, [reply])
}

/// Reads `reply` one byte at a time.
pub fn bytes(tools: &ToolSet, options: ExtractOptions, reply: &[u8]) -> Run {
    run(tools, options, reply.chunks(1))
}

/// Reads `reply` cut at the given places, which are sorted.
pub fn cut(tools: &ToolSet, options: ExtractOptions, reply: &[u8], cuts: &[usize]) -> Run {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([reply.len()]);
    run(
        tools,
        options,
        starts.zip(ends).map(|(start, end)| &reply[start..end]),
    )
}

/// Up to `most` places at which a reply of `len` bytes is cut, sorted.
pub fn random_cuts(random: &mut fastrand::Rng, len: usize, most: usize) -> Vec<usize> {
    let count = random.usize(1..=most);
    let mut cuts: Vec<usize> = (0..count).map(|_| random.usize(0..=len)).collect();
    cuts.sort_unstable();
    cuts
}

fn run<'r>(
    tools: &ToolSet,
    options: ExtractOptions,
    chunks: impl IntoIterator<Item = &'r [u8]>,
) -> Run {
    let mut extraction = Extraction::default();
    let (mut texts, mut thoughts) = (Vec::new(), Vec::new());
    let mut take = |piece: Piece<'_>| {
        match piece {
            Piece::Text(text) => texts.push(text.to_owned()),
            Piece::Reasoning(text) => thoughts.push(text.to_owned()),
            _ => {}
        }
        extraction.add(piece);
    };
    let mut extractor = Extractor::new(tools, options);
    for chunk in chunks {
        extractor.push(chunk, &mut take);
    }
    extractor.finish(&mut take);
    Run {
        answer: Answer::of(&extraction),
        extraction,
        texts,
        thoughts,
    }
}

/// Calls as one line.
fn shown(calls: &[(String, Value)]) -> String {
    let calls = calls.iter().map(|(name, args)| format!("{name}{args}"));
    format!("[{}]", calls.collect::<Vec<_>>().join(", "))
}

/// Equality of JSON with numbers by value: 40 is 40.0, and long integers count to the last digit.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => is_same_number(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let found = |(key, value)| other.get(key).is_some_and(|seen| is_same(value, seen));
            one.len() == other.len() && one.iter().all(found)
        }
        _ => one == other,
    }
}

fn is_same_number(one: &Number, other: &Number) -> bool {
    let (left, right) = (one.to_string(), other.to_string());
    let is_whole = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    if left == right || (is_whole(&left) && is_whole(&right)) {
        return left == right;
    }
    one.as_f64().is_some() && one.as_f64() == other.as_f64()
}
