//! Real replies of real models, cut at random, read like the whole. Needs the corpus: set
//! `HAFT_DATA` to the folder that holds `replies/replies.jsonl.gz` and `replies/questions.jsonl.gz`,
//! and have `gzip` on the path; otherwise nothing is checked, and the test says so.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use crate::support::{answer, case};
use fastrand::Rng;
use haft_extract::{ExtractOptions, ToolSet};
use serde_json::Value;

/// One reply in so many is checked.
const EVERY: usize = 7;

#[test]
fn real_replies_read_the_same_however_cut() {
    let Some(folder) = std::env::var_os("HAFT_DATA") else {
        println!("skipped: HAFT_DATA is not set");
        return;
    };
    let folder = Path::new(&folder).join("replies");
    let (Some(questions), Some(replies)) = (
        unpacked(&folder.join("questions.jsonl.gz")),
        unpacked(&folder.join("replies.jsonl.gz")),
    ) else {
        println!("skipped: no corpus in {}, or no gzip", folder.display());
        return;
    };
    let tools: HashMap<&str, ToolSet> = questions
        .iter()
        .map(|question| {
            let id = question["id"].as_str().expect("id");
            (id, case::tools_from(&question["tools"]))
        })
        .collect();
    let mut random = Rng::with_seed(7);
    let mut unsteady = Vec::new();
    for reply in replies.iter().step_by(EVERY) {
        let text = reply["reply"].as_str().expect("reply").as_bytes();
        let tools = &tools[reply["question"].as_str().expect("question")];
        let options = ExtractOptions::default();
        let whole = answer::whole(tools, options, text).extraction;
        for _ in 0..3 {
            let cuts = answer::random_cuts(&mut random, text.len(), 8);
            let got = answer::cut(tools, options, text, &cuts).extraction;
            if whole != got {
                unsteady.push(format!("{}, cut at {cuts:?}", reply["id"]));
            }
        }
    }
    assert!(
        unsteady.is_empty(),
        "{} answers change with the cut:\n{}",
        unsteady.len(),
        unsteady.join("\n")
    );
}

/// The lines of a packed file; none if it cannot be read.
fn unpacked(path: &Path) -> Option<Vec<Value>> {
    let output = Command::new("gzip").arg("-dc").arg(path).output().ok()?;
    let text = output.status.success().then_some(output.stdout)?;
    let lines = text
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    Some(
        lines
            .map(|line| serde_json::from_slice(line).expect("a line of JSON"))
            .collect(),
    )
}
