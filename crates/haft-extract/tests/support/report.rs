//! Runs the cases of one file in every way and gathers what went wrong in one table: wrong
//! answers first, answers that depend on how the reply was cut apart from them.

use std::fmt::Write;

use haft_extract::{ExtractOptions, Format, ToolSet};

use super::answer::{self, Answer, Run};
use super::case::{self, Case};

/// Replies up to this many bytes are cut at every place.
const EVERY_CUT: usize = 400;

/// How many random ways longer replies are cut.
const RANDOM_CUTS: usize = 20;

/// How many random ways a reply is cut when its format is named: that differs little.
const RANDOM_CUTS_WITH_FORMAT: usize = 5;

/// One line of the table.
struct Failure {
    id: String,
    way: String,
    part: &'static str,
    right: String,
    got: String,
}

impl Failure {
    /// True when it differs in the way alone.
    fn is_like(&self, other: &Self) -> bool {
        self.part == other.part && self.right == other.right && self.got == other.got
    }
}

/// Runs the cases of one file; dies with the table if any fails. The environment variable
/// `HAFT_CASES_ID` picks the case of that id and prints everything about it.
pub fn run_group(group: &str) {
    let only = std::env::var("HAFT_CASES_ID").ok();
    let cases = case::load(group);
    let picked = cases
        .iter()
        .filter(|case| only.as_ref().is_none_or(|id| *id == case.id));
    let (mut wrong, mut unsteady, mut count) = (Vec::new(), Vec::new(), 0);
    for case in picked {
        count += 1;
        if only.is_some() {
            print_all(case);
        }
        wrong.extend(wrong_answers(case));
        unsteady.extend(unsteady_answers(case));
    }
    if !wrong.is_empty() || !unsteady.is_empty() {
        panic!("{}", table(group, count, &wrong, &unsteady));
    }
}

/// Runs in which the answer is not the right one.
fn wrong_answers(case: &Case) -> Vec<Failure> {
    let right = Answer::right(case);
    let tools = case.tool_set();
    let with_format = case.options_with_format();
    let formats = with_format.map(|options| (format!("as {}", options.format), options));
    let ways = std::iter::once(("auto".to_owned(), case.options())).chain(formats);
    let mut found: Vec<Failure> = Vec::new();
    for (way, options) in ways {
        let got = answer::whole(&tools, options, case.reply.as_bytes());
        let failures = failures(&case.id, &way, &right, &got.answer);
        for failure in failures.into_iter().chain(wrong_ids(&case.id, &way, &got)) {
            match found.iter_mut().find(|other| other.is_like(&failure)) {
                Some(other) => other.way = format!("{}, {way}", other.way),
                None => found.push(failure),
            }
        }
    }
    found
}

/// Ids are `<name>_<index>`, counted over the reply (004-13).
fn wrong_ids(id: &str, way: &str, run: &Run) -> Option<Failure> {
    if !run.extraction.invalid.is_empty() {
        return None;
    }
    let calls = run.extraction.calls.iter();
    let ids: Vec<&str> = calls.clone().map(|call| call.id.as_str()).collect();
    let right: Vec<String> = calls
        .enumerate()
        .map(|(at, call)| format!("{}_{at}", call.name))
        .collect();
    (ids != right).then(|| Failure {
        id: id.to_owned(),
        way: way.to_owned(),
        part: "ids",
        right: format!("{right:?}"),
        got: format!("{ids:?}"),
    })
}

/// Ways of cutting the reply that change the answer: one byte at a time, at every single place
/// if it is short, at random places otherwise.
fn unsteady_answers(case: &Case) -> Vec<Failure> {
    let tools = case.tool_set();
    let ways = [Some(case.options()), case.options_with_format()];
    let ways = ways.into_iter().flatten();
    ways.filter_map(|options| unsteady_with(case, &tools, options))
        .collect()
}

fn unsteady_with(case: &Case, tools: &ToolSet, options: ExtractOptions) -> Option<Failure> {
    let reply = case.reply.as_bytes();
    let whole = answer::whole(tools, options, reply).answer;
    let compare = |way: String, got: Answer| {
        let found = failures(&case.id, &way, &whole, &got).into_iter().next();
        let part = "white space of reasoning";
        found.or_else(|| {
            (whole != got).then(|| Failure {
                id: case.id.clone(),
                way,
                part,
                right: format!("{:?}", whole.reasoning),
                got: format!("{:?}", got.reasoning),
            })
        })
    };
    let format = options.format;
    let by_bytes = answer::bytes(tools, options, reply).answer;
    if let Some(failure) = compare(format!("{format}, bytes"), by_bytes) {
        return Some(failure);
    }
    all_cuts(case, options).into_iter().find_map(|cuts| {
        let got = answer::cut(tools, options, reply, &cuts).answer;
        compare(format!("{format}, cut at {cuts:?}"), got)
    })
}

fn all_cuts(case: &Case, options: ExtractOptions) -> Vec<Vec<usize>> {
    let len = case.reply.len();
    let is_auto = options.format == Format::Auto;
    if len <= EVERY_CUT && is_auto {
        return (1..len).map(|at| vec![at]).collect();
    }
    let count = if is_auto {
        RANDOM_CUTS
    } else {
        RANDOM_CUTS_WITH_FORMAT
    };
    let seed = case.id.bytes().fold(17, |seed: u64, byte| {
        seed.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count)
        .map(|_| answer::random_cuts(&mut random, len, 8))
        .collect()
}

fn failures(id: &str, way: &str, right: &Answer, got: &Answer) -> Vec<Failure> {
    let differences = right.differences(got).into_iter();
    let failure = |(part, right, got)| Failure {
        id: id.to_owned(),
        way: way.to_owned(),
        part,
        right,
        got,
    };
    differences.map(failure).collect()
}

fn table(group: &str, count: usize, wrong: &[Failure], unsteady: &[Failure]) -> String {
    let mut text = String::new();
    let ids = |failures: &[Failure]| {
        let mut ids: Vec<&str> = failures.iter().map(|failure| failure.id.as_str()).collect();
        ids.dedup();
        ids.len()
    };
    let parts = [
        ("have a wrong answer", wrong),
        ("change their answer when cut", unsteady),
    ];
    for (title, failures) in parts
        .into_iter()
        .filter(|(_, failures)| !failures.is_empty())
    {
        let _ = writeln!(
            text,
            "\n{group}: {} of {count} cases {title}",
            ids(failures)
        );
        for failure in failures {
            let Failure {
                id,
                way,
                part,
                right,
                got,
            } = failure;
            let _ = writeln!(
                text,
                "{id} | {way} | {part}\n    right {right}\n    got   {got}"
            );
        }
    }
    text
}

#[allow(clippy::print_stdout, reason = "asked for by HAFT_CASES_ID")]
fn print_all(case: &Case) {
    let tools = case.tool_set();
    println!("{case:#?}\n{}", case.reply);
    println!("right: {:#?}", Answer::right(case));
    let run = answer::whole(&tools, case.options(), case.reply.as_bytes());
    println!("auto: {:#?}\ntexts: {:?}", run.extraction, run.texts);
    if let Some(options) = case.options_with_format() {
        let run = answer::whole(&tools, options, case.reply.as_bytes());
        println!(
            "as {}: {:#?}\ntexts: {:?}",
            options.format, run.extraction, run.texts
        );
    }
}
