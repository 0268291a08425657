//! Makes broken replies out of good ones: bytes and stretches lost, doubled, swapped, cut off,
//! repeated, replaced by something of the same kind, or strung together with another reply.

use std::collections::BTreeSet;

use fastrand::Rng;

use super::case;

/// Marks that mean something to some notation. Tags are taken from the cases.
const MARKS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "</",
    "/>",
    "|",
    "<|",
    "|>",
    "\"",
    "'",
    "\\\"",
    "\\'",
    "\"\"\"",
    "'''",
    "“",
    "”",
    "‘",
    "’",
    "`",
    "```",
    "```\n",
    "```json\n",
    "\n```\n",
    "~~~",
    "\n",
    "\r\n",
    "\n\n",
    " ",
    "\t",
    "\\",
    "\\n",
    "\\u00",
    "\\ud83d",
    ",",
    ", ",
    ":",
    ": ",
    "=",
    ";",
    ".",
    "-",
    "#",
    "//",
    "/*",
    "*/",
    "_",
    "\\_",
    "- ",
    "\n- ",
    "\n1. ",
    "\n> ",
    "{\"",
    "\": ",
    "\", \"",
    "\"}",
    "\"}}",
    "{\"a\":",
    "[{",
    "}]",
    "{}",
    "[]",
    "()",
    "})",
    "null",
    "None",
    "true",
    "True",
    "false",
    "1",
    "-1",
    "0.5",
    "1e5",
    "1,000",
    "99999999999999999999",
    "NaN",
    "\"name\": ",
    "\"arguments\": ",
    "\"parameters\": ",
    "\"function\": ",
    "{\"name\": \"",
    "\"type\": \"function\"",
    "get_weather",
    "get_weather(",
    "getWeather",
    "functions.get_weather",
    "set_light",
    "set_light(",
    "noop",
    "noop()",
    "get_time",
    "math.gcd",
    "city",
    "city=",
    "\"city\": ",
    "room",
    "Oslo",
    "get_weather(city=\"Oslo\")",
    "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}",
    "[get_weather(city='Oslo')]",
    "&lt;",
    "&quot;",
    "&amp;",
    "Action: ",
    "Action Input: ",
    "\nObservation: ",
    "call:",
    "to=functions.get_weather",
    "json",
    "assistant",
    "function",
    "I call ",
    "Example: ",
    "é",
    "東京",
    "🚀",
    "\u{a0}",
    "\u{feff}",
    "\u{0}",
    "｜",
    "▁",
];

/// Longer replies are left out, to try more of them.
const MAX_REPLY: usize = 1500;

/// Nothing grows longer than this.
const MAX_LEN: usize = 8000;

/// Replies to begin with, and what is put into them.
pub struct Mutator {
    replies: Vec<String>,
    tokens: Vec<String>,
}

impl Mutator {
    /// The replies of all cases, and every tag and mark in them.
    pub fn new() -> Self {
        let groups = case::groups();
        let cases = groups.iter().flat_map(|group| case::load(group));
        let replies: Vec<String> = cases
            .map(|case| case.reply)
            .filter(|reply| reply.len() < MAX_REPLY)
            .collect();
        let mut tokens: BTreeSet<String> = MARKS.iter().map(|mark| (*mark).to_owned()).collect();
        for reply in &replies {
            tokens.extend(tags(reply).map(str::to_owned));
        }
        Self {
            replies,
            tokens: tokens.into_iter().collect(),
        }
    }

    /// A damaged reply, or several.
    pub fn reply(&self, random: &mut Rng) -> Vec<u8> {
        let mut reply = self.seed(random).to_owned().into_bytes();
        if random.u8(0..4) == 0 {
            self.splice(&mut reply, random);
        }
        self.damage(reply, random)
    }

    /// The same with a few changes.
    pub fn damage(&self, mut text: Vec<u8>, random: &mut Rng) -> Vec<u8> {
        // Mostly few: much damage looks all the same.
        let most = if random.bool() { 2 } else { 9 };
        for _ in 0..random.usize(1..=most) {
            self.change(&mut text, random);
            text.truncate(MAX_LEN);
        }
        text
    }

    fn seed(&self, random: &mut Rng) -> &str {
        &self.replies[random.usize(..self.replies.len())]
    }

    fn token(&self, random: &mut Rng) -> &str {
        &self.tokens[random.usize(..self.tokens.len())]
    }

    fn change(&self, text: &mut Vec<u8>, random: &mut Rng) {
        let (start, end) = stretch(text, random);
        match random.u8(0..16) {
            0 | 1 => drop(text.drain(start..end)),
            2 => {
                let doubled = text[start..end].to_vec();
                text.splice(end..end, doubled);
            }
            3 if end > start => text.swap(start, end - 1),
            4..=7 => drop(text.splice(start..start, self.token(random).bytes())),
            8 | 9 => drop(text.splice(start..end, self.token(random).bytes())),
            10 => text.truncate(start),
            11 => self.splice(text, random),
            12 => {
                for byte in &mut text[start..end] {
                    *byte = flipped(*byte);
                }
            }
            13 => {
                let count = if random.u8(0..8) == 0 { 300 } else { 4 };
                let many = text[start..end].repeat(random.usize(2..=count));
                text.splice(start..end, many);
            }
            14 => {
                let moved: Vec<u8> = text.drain(start..end).collect();
                let at = random.usize(0..=text.len());
                text.splice(at..at, moved);
            }
            _ => text.insert(start, random.u8(..)),
        }
    }

    /// Goes on with a part of another reply, or with all of it.
    fn splice(&self, text: &mut Vec<u8>, random: &mut Rng) {
        let other = self.seed(random).as_bytes();
        let from = if random.bool() {
            0
        } else {
            random.usize(0..=other.len())
        };
        let at = if random.bool() {
            text.len()
        } else {
            random.usize(0..=text.len())
        };
        if random.bool() {
            text.truncate(at);
        }
        text.splice(at..at, other[from..].iter().copied());
    }
}

/// Where a change happens: mostly a few bytes, sometimes a longer stretch.
fn stretch(text: &[u8], random: &mut Rng) -> (usize, usize) {
    let start = random.usize(0..=text.len());
    let most = *random.choice(&[1, 4, 12, 60]).expect("a length");
    (start, text.len().min(start + random.usize(1..=most)))
}

fn flipped(byte: u8) -> u8 {
    if byte.is_ascii_alphabetic() {
        byte ^ 0x20
    } else {
        byte
    }
}

/// What stands between angle or square brackets, short and without a line break.
fn tags(reply: &str) -> impl Iterator<Item = &str> {
    reply.char_indices().filter_map(|(start, c)| {
        let close = match c {
            '<' => '>',
            '[' => ']',
            _ => return None,
        };
        let len = reply[start..].find(close)? + 1;
        let tag = &reply[start..start + len];
        (len < 48 && !tag.contains('\n')).then_some(tag)
    })
}
