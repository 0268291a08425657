use std::path::PathBuf;

use haft_core::RecoveryStep;

use super::{OpenedRun, RunFile, RunHeader};
use crate::result::{CaseResult, StepResult};
use crate::summary::sample;
use crate::{Dataset, Flaky, Subject};

fn header() -> RunHeader {
    let dataset = Dataset::bundled("home-50").unwrap();
    RunHeader::new(&dataset, &Subject::Flaky(Flaky::perfect()))
}

fn path() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/run.jsonl");
    (folder, path)
}

fn results() -> Vec<CaseResult> {
    let step = StepResult {
        step: RecoveryStep::WithoutTools,
        recovered: true,
    };
    let first = CaseResult {
        id: "größe 1".to_owned(),
        steps: vec![step],
        error: Some("a \"b\"\n".to_owned()),
        ..sample("a")
    };
    vec![first, sample("b")]
}

#[test]
fn results_are_read_when_the_file_is_opened_again() {
    let (_kept, path) = path();
    let OpenedRun {
        file: mut run,
        results: known,
    } = RunFile::open(&path, &header(), false).unwrap();
    assert!(known.is_empty());
    for result in results() {
        run.push(&result).unwrap();
    }
    drop(run);
    let OpenedRun {
        file: run,
        results: known,
    } = RunFile::open(&path, &header(), false).unwrap();
    assert_eq!(known, results());
    drop(run);
    let OpenedRun { results: known, .. } = RunFile::open(&path, &header(), true).unwrap();
    assert!(known.is_empty());
}

#[test]
fn a_file_cut_at_any_byte_continues_after_its_last_complete_line() {
    let (_kept, path) = path();
    let OpenedRun { file: mut run, .. } = RunFile::open(&path, &header(), false).unwrap();
    for result in results() {
        run.push(&result).unwrap();
    }
    drop(run);
    let whole = std::fs::read(&path).unwrap();
    for end in 0..=whole.len() {
        std::fs::write(&path, &whole[..end]).unwrap();
        let OpenedRun {
            file: mut run,
            results: known,
        } = RunFile::open(&path, &header(), false).unwrap();
        let lines = whole[..end].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(known, results()[..lines.saturating_sub(1)], "cut at {end}");
        for result in &results()[known.len()..] {
            run.push(result).unwrap();
        }
        drop(run);
        assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {end}");
    }
}

#[test]
fn a_different_run_is_refused_with_the_difference() {
    let (_kept, path) = path();
    drop(RunFile::open(&path, &header(), false).unwrap());
    let refused = |change: &dyn Fn(&mut RunHeader)| {
        let mut other = header();
        change(&mut other);
        let error = RunFile::open(&path, &other, false).unwrap_err();
        assert!(error.hint().unwrap().contains("--restart"), "{error:?}");
        error.to_string()
    };
    let said = refused(&|header| header.model = "builtin".to_owned());
    assert!(
        said.contains("its model is flaky:perfect+optimistic@1, not builtin"),
        "{said}"
    );
    let said = refused(&|header| header.dataset_hash = "0".to_owned());
    assert!(said.contains("home-50 was changed since"), "{said}");
    let said = refused(&|header| {
        header
            .options
            .insert("without".to_owned(), "raise_max_tokens".to_owned());
    });
    assert!(
        said.contains("its without is unset, not raise_max_tokens"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_not_a_run_file_is_unchanged() {
    let (_kept, path) = path();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    for text in ["dear diary\n", "{\"haft_eval\": 1}\n"] {
        std::fs::write(&path, text).unwrap();
        let error = RunFile::open(&path, &header(), false).unwrap_err();
        assert!(error.to_string().ends_with("is not a run file"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    let damaged = format!("{}\nno result\n", serde_json::to_string(&header()).unwrap());
    std::fs::write(&path, &damaged).unwrap();
    let error = RunFile::open(&path, &header(), false).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("has a line 2 that is not a result"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
}

#[test]
fn two_runs_never_write_the_same_file() {
    let (_kept, path) = path();
    let OpenedRun { file: run, .. } = RunFile::open(&path, &header(), false).unwrap();
    let error = RunFile::open(&path, &header(), true).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("is being written by another run"),
        "{error}"
    );
    drop(run);
    assert!(RunFile::open(&path, &header(), false).is_ok());
}
