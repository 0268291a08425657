//! The store of attempts: what it keeps, concurrent processes, a killed process, and unusable
//! files.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use haft_agent::{
    Agent, AgentErrorKind, AgentOptions, Attempt, AttemptStore, ModelSummary, SuccessCount,
};
use haft_core::{AiMessage, Outcome, Recovery, RecoveryStep};
use haft_testing::{CapturedLog, ScriptedModel};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;
use sqlx::{Connection, SqliteConnection};
use tempfile::TempDir;

/// The variable with the file that the process `writer` writes to.
const FILE: &str = "HAFT_TEST_ATTEMPTS";
/// The variable with the number of attempts that it writes.
const COUNT: &str = "HAFT_TEST_COUNT";

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("state").join("attempts.db")
}

fn agent(store: &AttemptStore, replies: &[&str]) -> Agent {
    let model = ScriptedModel::saying(replies.iter().map(|text| AiMessage::new(*text)));
    let mut options = AgentOptions::default();
    options.attempts = Some(store.clone());
    Agent::new(
        Arc::new(model),
        ToolExecutor::new(ToolManager::new()),
        options,
    )
    .unwrap()
}

fn attempt(model: &str) -> Attempt {
    let mut attempt = Attempt::new(model);
    attempt.is_first_query = true;
    attempt.first_reply_usable = true;
    attempt.original = Some(Duration::from_millis(200));
    attempt.outcome = Some(Outcome::Answered);
    attempt
}

async fn sql(path: &Path) -> SqliteConnection {
    SqliteConnection::connect(&format!("sqlite:{}?mode=rwc", path.display()))
        .await
        .unwrap()
}

/// The number of attempts in a file, which must not be damaged.
async fn count(path: &Path) -> i64 {
    let mut connection = sql(path).await;
    let check: String = sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(check, "ok");
    sqlx::query_scalar("SELECT COUNT(*) FROM attempts")
        .fetch_one(&mut connection)
        .await
        .unwrap()
}

fn counts(count: SuccessCount) -> (u64, u64) {
    (count.tries, count.successes)
}

#[tokio::test]
async fn s003_08_and_09_first_queries_and_retries_are_kept_for_the_next_process() {
    let folder = tempfile::tempdir().unwrap();
    let replies = ["Paris", "", "Lyon", "", ""];
    let first = AttemptStore::open(file(&folder));
    let asked = agent(&first, &replies);
    asked.ask("Where is the secret?").await.unwrap();
    let session = asked.session();
    session.ask("Where is the secret?").await.unwrap();
    session.ask("And then?").await.unwrap();
    first.flush().await.unwrap();

    let summary = AttemptStore::open(file(&folder)).summary().await.unwrap();
    let [model] = &summary.models[..] else {
        panic!("{summary:?}")
    };
    // One question of the three is a later one, and the retry of it counts all the same.
    assert_eq!((model.model.as_str(), model.questions), ("scripted", 3));
    assert_eq!(model.metrics, asked.metrics());
    assert_eq!(counts(model.metrics.first_queries()), (2, 1));
    assert_eq!(counts(model.metrics.retries()), (2, 1));
    assert_eq!(model.metrics.blank_replies(), 2);
    let outcomes = serde_json::to_value(&model.outcomes).unwrap();
    assert_eq!(outcomes, json!({"answered": 1, "recovered": 1, "empty": 1}));
    drop((asked, session));
    let kept = std::fs::read(file(&folder)).unwrap();
    let log = std::fs::read(file(&folder).with_extension("db-wal")).unwrap_or_default();
    for word in ["secret", "Paris", "Lyon"] {
        let has = |bytes: &[u8]| {
            bytes
                .windows(word.len())
                .any(|part| part == word.as_bytes())
        };
        assert!(!has(&kept) && !has(&log), "{word} is kept");
    }
}

#[tokio::test]
async fn durations_are_medians_per_model() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(file(&folder));
    for original in [900, 100, 300] {
        let mut slow = attempt("slow");
        slow.original = Some(Duration::from_millis(original));
        let mut retry = Recovery::new(RecoveryStep::WithoutTools, 1);
        retry.retry = Duration::from_millis(original * 2);
        retry.recovered = original > 100;
        slow.needed = BTreeMap::from([
            (RecoveryStep::WithoutTools, 1),
            (RecoveryStep::RaiseMaxTokens, 2),
        ]);
        slow.retries = vec![retry];
        store.record(slow);
    }
    let mut failed = Attempt::new("dead");
    failed.is_first_query = true;
    store.record(failed);
    let summary = store.summary().await.unwrap();
    let names: Vec<_> = summary.models.iter().map(|model| &model.model).collect();
    assert_eq!(names, ["slow", "dead"]);
    let json = serde_json::to_value(&summary).unwrap();
    assert_eq!(
        json["models"][0],
        json!({
            "model": "slow", "questions": 3, "outcomes": {"answered": 3},
            "first_queries": {"tries": 3, "successes": 3, "rate": 1.0}, "blank_replies": 0,
            "quoted_calls": 0,
            "steps": {"raise_max_tokens": {"seen": 6, "tried": 0, "recovered": 0},
                "without_tools": {"seen": 3, "tried": 3, "recovered": 2}},
            "original_ms": 300, "retry_ms": 600,
        })
    );
    assert_eq!(
        (
            &json["models"][1]["outcomes"],
            &json["models"][1]["original_ms"]
        ),
        (&json!({"failed": 1}), &json!(null))
    );
}

#[tokio::test]
async fn a_summary_since_a_time_counts_only_later_attempts() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(file(&folder));
    let day = Duration::from_secs(24 * 60 * 60);
    for days in [500, 10, 0] {
        let mut attempt = attempt("m");
        attempt.started_at = SystemTime::now() - days * day;
        store.record(attempt);
    }
    let asked = |summary: haft_agent::AttemptSummary| summary.models.first().map(|m| m.questions);
    assert_eq!(asked(store.summary().await.unwrap()), Some(3));
    let week = SystemTime::now() - 7 * day;
    assert_eq!(asked(store.summary_since(week).await.unwrap()), Some(1));
    let future = SystemTime::now() + day;
    assert_eq!(asked(store.summary_since(future).await.unwrap()), None);
}

#[tokio::test]
async fn a_clock_in_the_future_deletes_nothing_and_its_records_are_counted_apart() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(file(&folder));
    // Seen from 2099 all of these are old, and from 1970 all are in the future.
    let year = Duration::from_secs(365 * 24 * 60 * 60);
    let years_ago = [56, 2, 0].map(|years| SystemTime::now() - years * year);
    let ahead = [1, 74, 74].map(|years| SystemTime::now() + years * year);
    for started_at in years_ago.into_iter().chain(ahead).chain(years_ago) {
        let mut attempt = attempt("m");
        attempt.started_at = started_at;
        store.record(attempt);
    }
    let counts = |summary: haft_agent::AttemptSummary| {
        let model = summary.models.first().unwrap();
        (model.questions, model.future_questions)
    };
    assert_eq!(counts(store.summary().await.unwrap()), (9, 3));
    let month = SystemTime::now() - year / 12;
    assert_eq!(counts(store.summary_since(month).await.unwrap()), (2, 0));
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_user_can_read_the_file_and_its_log() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    let modes = |folder: &Path| {
        let files = std::fs::read_dir(folder).unwrap();
        let modes = files.map(|file| file.unwrap().metadata().unwrap().permissions().mode());
        modes.map(|mode| mode & 0o777).collect::<Vec<_>>()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder);
    let state = path.parent().unwrap();
    let store = AttemptStore::open(&path);
    store.record(attempt("m"));
    store.flush().await.unwrap();
    // The file, its log and the memory of the log.
    assert_eq!(modes(state), [0o600; 3]);
    assert_eq!(modes(folder.path()), [0o700]);

    // One that an earlier program made for all to read.
    for file in std::fs::read_dir(state).unwrap() {
        std::fs::set_permissions(file.unwrap().path(), Permissions::from_mode(0o644)).unwrap();
    }
    let again = AttemptStore::open(&path);
    again.record(attempt("m"));
    again.flush().await.unwrap();
    assert_eq!(modes(state), [0o600; 3]);
}

#[tokio::test]
async fn of_too_many_attempts_the_oldest_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(file(&folder));
    store.record(attempt("old"));
    store.flush().await.unwrap();
    let mut connection = sql(&file(&folder)).await;
    // As if 100,000 questions had been asked since.
    sqlx::query(
        "INSERT INTO attempts SELECT 100000, 'new', started_at, first_query, \
         first_reply_usable, original_ms, blank_replies, outcome FROM attempts",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    store.record(attempt("new"));
    let summary = store.summary().await.unwrap();
    let left = summary
        .models
        .iter()
        .map(|m| (m.model.as_str(), m.questions));
    let left: Vec<_> = left.collect();
    assert_eq!(left, [("new", 2)]);
}

#[tokio::test]
async fn a_store_that_others_use_too_has_the_attempts_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shared.db");
    let mut connection = sql(&path).await;
    sqlx::raw_sql("CREATE TABLE haft_sessions (id TEXT)")
        .execute(&mut connection)
        .await
        .unwrap();
    let address = format!("sqlite:{}", path.display());
    let stores = [(); 2].map(|()| AttemptStore::connect(&address).unwrap());
    for store in &stores {
        let mut slow = attempt("m");
        slow.needed = BTreeMap::from([(RecoveryStep::WithoutTools, 1)]);
        let mut retry = Recovery::new(RecoveryStep::WithoutTools, 1);
        retry.recovered = true;
        slow.retries = vec![retry];
        store.record(slow);
        store.record(Attempt::new("m"));
    }
    for store in &stores {
        store.flush().await.unwrap();
    }
    let summary = stores[0].summary().await.unwrap();
    let [model] = &summary.models[..] else {
        panic!("{summary:?}")
    };
    assert_eq!(model.questions, 4);
    assert_eq!(counts(model.metrics.first_queries()), (2, 2));
    assert_eq!(counts(model.metrics.retries()), (2, 2));
    let error = AttemptStore::connect("mysql://db").unwrap_err();
    assert_eq!(error.kind(), AgentErrorKind::Store);
}

#[tokio::test]
async fn a_missing_file_gives_an_empty_summary_and_is_not_created() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(file(&folder));
    assert_eq!(
        store.summary().await.unwrap().models,
        Vec::<ModelSummary>::new()
    );
    store.flush().await.unwrap();
    assert!(!file(&folder).parent().unwrap().exists());
}

/// Asks twice while the store cannot use its file: the questions are answered, the failure is
/// reported, the log warns once, and the file stays unchanged.
async fn refused(path: &Path, words: &[&str]) {
    let before = std::fs::read(path).unwrap();
    let store = AttemptStore::open(path);
    let agent = agent(&store, &["Paris", "Lyon"]);
    assert_eq!(agent.ask("?").await.unwrap().text, "Paris");
    let error = store.flush().await.unwrap_err();
    assert_eq!(agent.ask("?").await.unwrap().text, "Lyon");
    store.flush().await.unwrap_err();
    store.flush().await.unwrap();
    assert_eq!(error.kind(), AgentErrorKind::Store);
    let hint = error.hint().unwrap();
    let message = error.to_string();
    for word in words {
        assert!(message.contains(word), "no {word:?} in {message}");
    }
    assert!(hint.contains("move the file away"), "{hint}");
    assert!(store.summary().await.is_err());
    let name = path.display().to_string();
    let warning = ["WARN", "attempts are not recorded", &name];
    assert_eq!(CapturedLog::of_program().lines_with(&warning).len(), 1);
    assert_eq!(std::fs::read(path).unwrap(), before, "the file was changed");
}

#[tokio::test]
async fn a_damaged_file_is_a_warning_and_questions_are_answered() {
    CapturedLog::of_program();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("noise.db");
    std::fs::write(&path, [7_u8; 9000]).unwrap();
    refused(&path, &["noise.db is damaged"]).await;

    // The header is valid, the rest is not.
    let path = folder.path().join("torn.db");
    let store = AttemptStore::open(&path);
    store.record(attempt("m"));
    store.flush().await.unwrap();
    drop(store);
    let mut connection = sql(&path).await;
    // The store closes its own connection in the background; the mode waits for that.
    let mode = "PRAGMA journal_mode = DELETE";
    while sqlx::raw_sql(mode).execute(&mut connection).await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    connection.close().await.unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100..].fill(0xAA);
    std::fs::write(&path, bytes).unwrap();
    refused(&path, &["torn.db is damaged"]).await;
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused_and_unchanged() {
    CapturedLog::of_program();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("newer.db");
    let mut connection = sql(&path).await;
    sqlx::raw_sql("CREATE TABLE attempts (id TEXT); PRAGMA user_version = 2")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    refused(
        &path,
        &["newer.db is of version 2", "knows 1", "left as it is"],
    )
    .await;
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 1, "a log was begun");
}

#[tokio::test]
async fn a_database_of_another_program_is_refused_and_unchanged() {
    CapturedLog::of_program();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photos.db");
    let mut connection = sql(&path).await;
    sqlx::raw_sql("CREATE TABLE photos (id INTEGER)")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    refused(&path, &["photos.db is a database of something else"]).await;
}

#[tokio::test]
async fn a_folder_that_cannot_be_created_fails_only_the_record() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("state"), "no folder").unwrap();
    let store = AttemptStore::open(file(&folder));
    assert_eq!(
        agent(&store, &["Paris"]).ask("?").await.unwrap().text,
        "Paris"
    );
    let error = store.flush().await.unwrap_err().to_string();
    assert!(error.contains("cannot be made"), "{error}");
}

#[tokio::test]
async fn an_answer_does_not_wait_for_a_file_that_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(file(&folder));
    store.record(attempt("m"));
    store.flush().await.unwrap();
    let mut other = sql(&file(&folder)).await;
    let lock = other.begin_with("BEGIN EXCLUSIVE").await.unwrap();
    agent(&store, &["Paris"]).ask("?").await.unwrap();
    // Still locked, so it cannot have been written.
    lock.rollback().await.unwrap();
    store.flush().await.unwrap();
    assert_eq!(count(&file(&folder)).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_records_and_flushes_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(file(&folder));
    let recorder = |_| {
        let store = store.clone();
        tokio::spawn(async move {
            for _ in 0..25 {
                store.record(attempt("m"));
                store.flush().await.unwrap();
            }
        })
    };
    let recorders: Vec<_> = (0..8).map(recorder).collect();
    for recorder in recorders {
        recorder.await.unwrap();
    }
    assert_eq!(count(&file(&folder)).await, 200);
}

#[tokio::test]
async fn a_flush_waits_for_all_earlier_records() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(file(&folder));
    for expected in 1..=20 {
        store.record(attempt("m"));
        store.flush().await.unwrap();
        assert_eq!(count(&file(&folder)).await, expected);
    }
}

#[tokio::test]
async fn records_beyond_the_bound_are_dropped_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let store = AttemptStore::open(file(&folder));
    // On one thread nothing is written before this gives way.
    for _ in 0..4100 {
        store.record(attempt("m"));
    }
    let error = store.flush().await.unwrap_err().to_string();
    assert!(error.contains("Too many attempts wait"), "{error}");
    assert_eq!(count(&file(&folder)).await, 4096);
}

/// Starts this program once more, as the test `writer`.
fn start_writer(path: &Path, count: u32) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "attempt_store::writer",
            "--ignored",
            "--nocapture",
        ])
        .env(FILE, path)
        .env(COUNT, count.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Prints the number of written attempts after each one.
#[tokio::test]
#[ignore = "a process that other tests start"]
async fn writer() {
    let Some(path) = std::env::var_os(FILE) else {
        panic!("there is no {FILE}, the file to write");
    };
    let count: u32 = std::env::var(COUNT).unwrap().parse().unwrap();
    let store = AttemptStore::open(path);
    for number in 1..=count {
        let mut attempt = attempt("m");
        attempt.needed = BTreeMap::from([(RecoveryStep::WithoutTools, 1)]);
        attempt.retries = vec![Recovery::new(RecoveryStep::WithoutTools, 1)];
        store.record(attempt);
        store.flush().await.unwrap();
        println!("written {number}");
    }
}

#[tokio::test]
async fn concurrent_processes_lose_no_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder);
    // They also compete to create the file.
    let writers: Vec<_> = (0..4).map(|_| start_writer(&path, 50)).collect();
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(count(&path).await, 200);
    let summary = AttemptStore::open(&path).summary().await.unwrap();
    assert_eq!(counts(summary.models[0].metrics.retries()), (200, 0));
}

#[tokio::test]
async fn a_process_killed_while_writing_loses_no_earlier_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder);
    let mut confirmed = 0;
    for round in 0..8_u32 {
        let mut writer = start_writer(&path, u32::MAX);
        let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let written = lines
            .map_while(Result::ok)
            .filter(|line| line.contains("written "));
        // It continues writing while these lines are read, so it is killed at a random point.
        confirmed += i64::try_from(written.take(5 + round as usize * 7).count()).unwrap();
        writer.kill().unwrap();
        writer.wait().unwrap();
        let kept = count(&path).await;
        assert!(
            kept >= confirmed,
            "{confirmed} were written and {kept} are there"
        );
        confirmed = kept;
    }
    let store = AttemptStore::open(&path);
    store.record(attempt("m"));
    let summary = store.summary().await.unwrap();
    assert_eq!(
        i64::try_from(summary.models[0].questions).unwrap(),
        confirmed + 1
    );
}
