//! A reply that is to be read, with the way of reading it, and what must hold whatever it says.

use std::collections::HashMap;
use std::sync::LazyLock;

use fastrand::Rng;
use haft_extract::{ExtractOptions, Extraction, Extractor, Format, Piece, ToolSet};
use serde_json::{Value, json};

use super::campaign::{Fault, Input};
use super::case;

/// Replies up to this many bytes are cut at every place.
const EVERY_CUT: usize = 120;

/// A reply and how it is read.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What the model wrote.
    pub reply: Vec<u8>,
    /// How it is read.
    pub options: ExtractOptions,
    /// The tools.
    pub tools: Tools,
}

/// Which tools are bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tools {
    /// Those of the shared set.
    Home,
    /// Whatever is written.
    Any,
}

impl Tools {
    /// The tools.
    pub fn set(self) -> ToolSet {
        case::named_tools(match self {
            Self::Home => "home",
            Self::Any => "any",
        })
    }
}

impl Subject {
    /// The reply, to be read in a random way.
    pub fn random(reply: Vec<u8>, random: &mut Rng) -> Self {
        let mut options = ExtractOptions::default();
        options.text_mode = random.u8(0..4) == 0;
        options.starts_thinking = random.u8(0..6) == 0;
        options.raw = random.u8(0..8) == 0;
        if random.u8(0..3) == 0 {
            options.format = random_format(random);
        }
        if random.u8(0..30) == 0 {
            options.hold_limit = random.usize(1..300);
        }
        let tools = if random.u8(0..5) == 0 {
            Tools::Any
        } else {
            Tools::Home
        };
        Self {
            reply,
            options,
            tools,
        }
    }

    fn with_options(&self, change: impl Fn(&mut ExtractOptions)) -> Option<Self> {
        let mut other = self.clone();
        change(&mut other.options);
        (other.options != self.options).then_some(other)
    }

    /// Simpler ways of reading the same reply.
    fn simpler(&self) -> impl Iterator<Item = Self> {
        let default = ExtractOptions::default();
        let bound = (self.tools == Tools::Any).then(|| Self {
            tools: Tools::Home,
            ..self.clone()
        });
        let ways = [
            bound,
            self.with_options(|options| options.format = default.format),
            self.with_options(|options| options.text_mode = false),
            self.with_options(|options| options.starts_thinking = false),
            self.with_options(|options| options.raw = false),
            self.with_options(|options| options.hold_limit = default.hold_limit),
        ];
        ways.into_iter().flatten()
    }
}

impl Input for Subject {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let len = self.reply.len();
        let sizes = std::iter::successors(Some(len / 2), |size| Some(size / 2));
        let sizes = sizes.take_while(|size| *size > 0);
        let stretches = sizes
            .flat_map(move |size| (0..len).step_by(size).map(move |at| at..len.min(at + size)));
        let shorter = stretches.map(|stretch| {
            let mut other = self.clone();
            other.reply.drain(stretch);
            other
        });
        // What differs in its letters alone is the same failure.
        let is_letter = |at: &usize| self.reply[*at].is_ascii_alphanumeric();
        let letters = (0..len)
            .filter(is_letter)
            .filter(|at| self.reply[*at] != b'a');
        let plainer = letters.map(|at| {
            let mut other = self.clone();
            other.reply[at] = b'a';
            other
        });
        Box::new(self.simpler().chain(shorter).chain(plainer))
    }

    fn shown(&self) -> String {
        let Self {
            reply,
            options,
            tools,
        } = self;
        let reply = match std::str::from_utf8(reply) {
            Ok(text) => format!("{text:?}"),
            Err(_) => format!("b\"{}\"", reply.escape_ascii()),
        };
        let default = ExtractOptions::default();
        let mut ways = String::new();
        if *options != default {
            ways = format!(" {options:?}");
        }
        format!("{reply} with {tools:?}{ways}")
    }
}

/// All that a reading gave.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    extraction: Extraction,
    /// Calls that were not read: index, name, arguments.
    raw: Vec<(usize, String, String)>,
}

fn read<'r>(subject: &Subject, chunks: impl Iterator<Item = &'r [u8]>) -> Seen {
    let mut seen = Seen::default();
    let mut take = |piece: Piece<'_>| {
        match &piece {
            Piece::RawCall(call) => {
                let (name, arguments) = (call.name.to_owned(), call.arguments.to_owned());
                seen.raw.push((call.index, name, arguments));
            }
            Piece::ThinkingEnded => seen.raw.clear(),
            _ => {}
        }
        seen.extraction.add(piece);
    };
    let mut extractor = Extractor::new(&subject.tools.set(), subject.options);
    for chunk in chunks {
        extractor.push(chunk, &mut take);
    }
    extractor.finish(&mut take);
    seen
}

/// However the reply is cut, the answer is the same.
pub fn is_steady(subject: &Subject) -> Result<(), Fault> {
    let reply = subject.reply.as_slice();
    let whole = read(subject, std::iter::once(reply));
    let same = |how: &dyn std::fmt::Display, got: Seen| match difference(&whole, &got) {
        None => Ok(()),
        Some(kind) => Err(Fault::new(
            kind,
            format!("{how}\nwhole {}\nparts {}", brief(&whole), brief(&got)),
        )),
    };
    for size in [1, 2, 3, 4, 7, 16, 61] {
        same(
            &format_args!("in chunks of {size}"),
            read(subject, reply.chunks(size)),
        )?;
    }
    // The same cuts for the same reply, so that a failure can be tried again.
    let mut random = Rng::with_seed(reply.len() as u64);
    let every = 1..if reply.len() <= EVERY_CUT {
        reply.len()
    } else {
        1
    };
    let some = (0..3).map(|_| random.usize(0..=reply.len()));
    for at in every.chain(some) {
        let (start, end) = reply.split_at(at);
        same(
            &format_args!("cut at {at}"),
            read(subject, [start, end].into_iter()),
        )?;
    }
    Ok(())
}

/// The first part in which two readings differ.
fn difference(one: &Seen, other: &Seen) -> Option<&'static str> {
    let (left, right) = (&one.extraction, &other.extraction);
    let parts = [
        (
            "calls depend on the cut",
            left.calls == right.calls && one.raw == other.raw,
        ),
        (
            "invalid calls depend on the cut",
            left.invalid == right.invalid,
        ),
        ("text depends on the cut", left.content == right.content),
        (
            "thinking depends on the cut",
            left.reasoning == right.reasoning,
        ),
        ("repairs depend on the cut", left.repairs == right.repairs),
        ("the format depends on the cut", left.format == right.format),
    ];
    let found = parts.into_iter().find(|(_, is_same)| !is_same);
    found.map(|(kind, _)| kind)
}

fn brief(seen: &Seen) -> String {
    let extraction = &seen.extraction;
    let calls: Vec<_> = extraction
        .calls
        .iter()
        .map(|call| (&call.name, json!(call.args).to_string()))
        .collect();
    let invalid: Vec<_> = extraction
        .invalid
        .iter()
        .map(|call| (&call.name, &call.args, &call.error))
        .collect();
    format!(
        "calls {calls:?} raw {:?} invalid {invalid:?} content {:?} reasoning {:?} repairs {:?} format {:?}",
        seen.raw, extraction.content, extraction.reasoning, extraction.repairs, extraction.format
    )
}

/// What holds for every reply: text comes in order and once, calls are numbered, bound, have
/// what they require, and do not come from nowhere.
pub fn keeps_promises(subject: &Subject) -> Result<(), Fault> {
    let text = String::from_utf8_lossy(&subject.reply);
    let (mut after_text, mut after_thought) = (&*text, &*text);
    let mut next = 0;
    let mut broken = None;
    let mut note = |kind, details: &dyn std::fmt::Debug| {
        broken.get_or_insert_with(|| Fault::new(kind, format!("{details:?}")));
    };
    let mut take = |piece: Piece<'_>| match piece {
        Piece::Text("") | Piece::Reasoning("") | Piece::Syntax("") => {
            note("an empty piece", &piece);
        }
        // White space from both sides of what was taken out may come as one.
        Piece::Text(more) | Piece::Reasoning(more) if more.trim_ascii().is_empty() => {}
        Piece::Text(more) => match after_text.split_once(more) {
            Some((_, after)) => after_text = after,
            None => note("text that is not in the reply, or twice", &more),
        },
        Piece::Reasoning(more) => match after_thought.split_once(more) {
            Some((_, after)) => after_thought = after,
            None => note("thinking that is not in the reply, or twice", &more),
        },
        Piece::ThinkingEnded => next = 0,
        Piece::CallEnd { index, call, .. } => {
            if index < next || call.id != format!("{}_{index}", call.name) {
                note("a call with a wrong id or place", &(&call.id, index, next));
            }
            next = index + 1;
            if subject.tools == Tools::Any {
                return;
            }
            let Some(required) = REQUIRED.get(&call.name) else {
                return note("a call of a tool that is not bound", &call.name);
            };
            // What is there may be refused by whoever runs the tool, but it must be there.
            if !required.iter().all(|key| call.args.contains_key(key)) {
                note("a call without a required argument", &call.args);
            }
            let is_named = letters(&text).contains(&letters(&call.name));
            // An escape or an entity may spell any letter.
            if !is_named && !text.contains(['\\', '&']) {
                note("a call out of nothing", &call.name);
            }
        }
        Piece::Invalid { index, .. } => {
            if index < next {
                note("an invalid call with a wrong place", &(index, next));
            }
            next = index + 1;
        }
        _ => {}
    };
    let mut extractor = Extractor::new(&subject.tools.set(), subject.options);
    extractor.push(&subject.reply, &mut take);
    extractor.finish(&mut take);
    broken.map_or(Ok(()), Err)
}

/// The names of the shared tools, and what each of them requires.
static REQUIRED: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let sets: Value =
        serde_json::from_str(include_str!("../cases/tools.json")).expect("tools.json");
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    let of = |tool: &Value| {
        let required = tool["parameters"]["required"].as_array();
        let required = required.into_iter().flatten().map(text).collect();
        (text(&tool["name"]), required)
    };
    sets["home"]
        .as_array()
        .expect("the shared tools")
        .iter()
        .map(of)
        .collect()
});

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn random_format(random: &mut Rng) -> Format {
    let formats: Vec<Format> = Format::all().collect();
    formats[random.usize(..formats.len())]
}
