//! The page at `/`: who may read what, and what it shows of requests while they run and after.

use std::time::Duration;

use haft_gateway::{GatewayOptions, KeyLimits, KeyStore};
use haft_testing::{Reply, ScriptedServer};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::conversation::{Rig, question, said};

/// A call that the model wrote into its text, with a number as text.
const WRITTEN: &str = "<tool_call>{\"name\": \"forecast\", \"arguments\": {\"city\": \"Oslo\", \"days\": \"3\"}}</tool_call>";

fn get(rig: &Rig, path: &str) -> RequestBuilder {
    rig.client.get(format!("{}{path}", rig.address))
}

async fn read(rig: &Rig, path: &str) -> Value {
    get(rig, path).send().await.unwrap().json().await.unwrap()
}

async fn ask(rig: &Rig, body: &Value) -> String {
    let answer = rig.post("/v1/chat/completions", body).send().await;
    answer.unwrap().text().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).unwrap().to_str().unwrap()
}

/// Reads the stream of events until one has these words.
async fn event_with(stream: &mut Response, words: &[&str]) -> String {
    let mut text = String::new();
    let seen = async {
        loop {
            let piece = stream.chunk().await.unwrap().expect("the stream goes on");
            text.push_str(&String::from_utf8_lossy(&piece));
            let event = text
                .split("\n\n")
                .find(|event| words.iter().all(|word| event.contains(word)));
            if let Some(event) = event {
                return event.to_owned();
            }
        }
    };
    let seen = tokio::time::timeout(Duration::from_secs(20), seen).await;
    seen.expect("an event with these words")
}

/// A gateway with the operator's token and a key of a user, whose secret is returned.
async fn shared(replies: Vec<Reply>, folder: &tempfile::TempDir) -> (Rig, String) {
    let store = KeyStore::open(folder.path().join("keys.db"));
    let secret = store.add("alice", &KeyLimits::default()).await.unwrap();
    let set = |options: &mut GatewayOptions| {
        options.token = Some("operator".to_owned());
        options.keys = Some(store);
    };
    (Rig::with(replies, set).await, secret)
}

#[tokio::test]
async fn a_browser_gets_the_page_and_a_program_the_sentence() {
    let rig = Rig::new(vec![]).await;
    let page = get(&rig, "/").header("accept", "text/html,*/*;q=0.8");
    let page = page.send().await.unwrap();
    assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
    let policy = header(&page, "content-security-policy");
    for rule in [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert_eq!(header(&page, "x-content-type-options"), "nosniff");
    assert_eq!(header(&page, "referrer-policy"), "no-referrer");
    for accept in ["*/*", "application/json"] {
        let program = get(&rig, "/").header("accept", accept).send().await;
        assert_eq!(program.unwrap().text().await.unwrap(), "haft is running");
    }
}

#[tokio::test]
async fn every_file_that_the_page_names_is_there_and_has_no_inline_script() {
    let rig = Rig::new(vec![]).await;
    let page = get(&rig, "/").header("accept", "text/html").send().await;
    let page = page.unwrap().text().await.unwrap();
    assert!(!page.contains("onclick") && !page.contains("style="));
    let mut waiting: Vec<String> = page
        .split('"')
        .filter_map(|word| word.strip_prefix("haft/page/"))
        .map(str::to_owned)
        .collect();
    let mut seen = Vec::new();
    while let Some(name) = waiting.pop() {
        if seen.contains(&name) {
            continue;
        }
        let file = get(&rig, &format!("/haft/page/{name}")).send().await;
        let file = file.unwrap();
        assert_eq!(file.status(), 200, "{name}");
        assert_eq!(header(&file, "x-content-type-options"), "nosniff");
        let text = file.text().await.unwrap();
        assert!(!text.contains("innerHTML"), "{name}");
        let imports = text.split("from \"./").skip(1);
        waiting.extend(imports.filter_map(|rest| Some(rest.split('"').next()?.to_owned())));
        seen.push(name);
    }
    assert!(seen.len() > 10, "{seen:?}");
    let missing = get(&rig, "/haft/page/secret.js").send().await.unwrap();
    assert_eq!(missing.status(), 404);
}

#[tokio::test]
async fn data_needs_the_operators_key_and_the_files_need_none() {
    let folder = tempfile::tempdir().unwrap();
    let (rig, secret) = shared(vec![], &folder).await;
    let page = get(&rig, "/").header("accept", "text/html").send().await;
    assert_eq!(page.unwrap().status(), 200);
    for path in ["/haft/events", "/haft/requests/1", "/haft/keys"] {
        let without = get(&rig, path).send().await.unwrap();
        assert_eq!(without.status(), 401, "{path}");
        let of_user = get(&rig, path).bearer_auth(&secret).send().await.unwrap();
        assert_eq!(of_user.status(), 403, "{path}");
    }
    let program = get(&rig, "/").send().await.unwrap();
    assert_eq!(program.status(), 401);
    let keys = get(&rig, "/haft/keys").bearer_auth("operator").send().await;
    let keys = keys.unwrap();
    assert_eq!(header(&keys, "cache-control"), "no-store");
    let keys = keys.text().await.unwrap();
    assert!(keys.contains("\"alice\""), "{keys}");
    assert!(
        !keys.contains("haft_") && !keys.contains("operator"),
        "{keys}"
    );
}

#[tokio::test]
async fn foreign_hosts_and_pages_read_neither_data_nor_files() {
    let rig = Rig::new(vec![]).await;
    for path in ["/", "/haft/page/main.js", "/haft/keys"] {
        let rebound = get(&rig, path).header("host", "evil.example");
        let rebound = rebound.header("accept", "text/html").send().await.unwrap();
        assert_eq!(rebound.status(), 403, "{path}");
        let foreign = get(&rig, path).header("origin", "https://evil.example");
        assert_eq!(foreign.send().await.unwrap().status(), 403, "{path}");
    }
}

#[tokio::test]
async fn the_page_of_a_host_with_a_key_may_ask_it() {
    let token = |options: &mut GatewayOptions| options.token = Some("operator".to_owned());
    let rig = Rig::with(vec![said("Hello.", &[])], token).await;
    let ask = |origin: &str| {
        let request = rig.post("/v1/chat/completions", &question(false));
        let request = request
            .header("host", "desk.lan:11435")
            .bearer_auth("operator");
        request.header("origin", origin.to_owned()).send()
    };
    let foreign = ask("http://evil.example").await.unwrap();
    assert_eq!(foreign.status(), 403);
    let own = ask("http://desk.lan:11435").await.unwrap();
    assert_eq!(own.status(), 200);
}

#[tokio::test]
async fn raw_reply_and_repairs_are_side_by_side() {
    let rig = Rig::new(vec![said(WRITTEN, &[])]).await;
    ask(&rig, &question(true)).await;
    let shown = read(&rig, "/haft/requests/1").await;
    assert_eq!(shown["content"], "kept");
    let messages = shown["messages"].to_string();
    assert!(messages.contains("How is the weather in Oslo?"), "{shown}");
    assert_eq!(shown["tools"], json!(["forecast"]));
    assert_eq!(shown["attempts"][0]["parts"], json!([{"text": WRITTEN}]));
    let given = &shown["given"];
    assert_eq!(
        given["calls"][0]["args"],
        json!({"city": "Oslo", "days": 3})
    );
    let repaired = shown["interventions"]["repaired"].to_string();
    assert!(repaired.contains("found_in_text") && repaired.contains("text_to_number"));
    let summary = &shown["request"];
    assert_eq!(summary["outcome"], "answered");
    assert_eq!(summary["model"], "tiny");
    assert!(
        summary["upstream"]
            .as_str()
            .unwrap()
            .starts_with("127.0.0.1:")
    );
}

#[tokio::test]
async fn a_request_that_passes_through_is_shown_as_it_came() {
    let off = |options: &mut GatewayOptions| {
        options.overrides.repair = Some(false);
        options.overrides.recovery = Some(haft_agent::RecoverySteps::none());
    };
    let rig = Rig::with(vec![said("Hello <b>you</b>.", &[])], off).await;
    ask(&rig, &question(true)).await;
    let shown = read(&rig, "/haft/requests/1").await;
    assert_eq!(shown["request"]["passed"], true, "{shown}");
    assert!(shown["request"]["upstream"].is_string());
    let passed = shown["passed"].as_str().unwrap();
    assert!(passed.starts_with("data: ") && passed.contains("Hello <b>you</b>."));
    assert!(shown["messages"].to_string().contains("Oslo"));
}

#[tokio::test]
async fn a_request_is_seen_while_it_runs() {
    let pieces = |text: &str| json!({"choices": [{"delta": {"content": text}}]}).to_string();
    let reply = Reply::sse([pieces("The first words"), pieces(" and the last.")]);
    let server = ScriptedServer::with(move |_| reply.clone().then_hang()).await;
    let rig = Rig::before(server, |_| {}).await;
    let mut events = get(&rig, "/haft/events").send().await.unwrap();
    assert_eq!(header(&events, "content-type"), "text/event-stream");
    event_with(&mut events, &["event: status", "\"requests\":0"]).await;
    let mut answer = rig
        .post("/v1/chat/completions", &question(true))
        .send()
        .await
        .unwrap();
    answer.chunk().await.unwrap();
    let running = event_with(&mut events, &["event: request", "\"outcome\":\"running\""]).await;
    assert!(
        running.contains("\nid: ") || running.contains("id: "),
        "{running}"
    );
    let shown = read(&rig, "/haft/requests/1").await;
    let raw = shown["attempts"][0]["parts"][0]["text"].as_str().unwrap();
    assert!(raw.starts_with("The first words"), "{shown}");
    drop(answer);
    event_with(
        &mut events,
        &["\"outcome\":\"client_left\"", "\"status\":499"],
    )
    .await;
}

#[tokio::test]
async fn a_reader_that_was_cut_off_gets_only_what_it_missed() {
    let rig = Rig::new(vec![said("One.", &[]), said("Two.", &[])]).await;
    ask(&rig, &question(false)).await;
    let mut events = get(&rig, "/haft/events").send().await.unwrap();
    let first = event_with(&mut events, &["\"outcome\":\"answered\""]).await;
    let id = first.lines().find_map(|line| line.strip_prefix("id: "));
    let id = id.unwrap().to_owned();
    drop(events);
    ask(&rig, &question(false)).await;
    let again = get(&rig, "/haft/events").header("last-event-id", id);
    let mut again = again.send().await.unwrap();
    let new = event_with(&mut again, &["event: request"]).await;
    assert!(new.contains("\"number\":2"), "{new}");
    // An id of another start, or none at all, begins anew.
    for id in ["1-99", "nonsense", ""] {
        let anew = get(&rig, "/haft/events").header("last-event-id", id);
        let mut anew = anew.send().await.unwrap();
        event_with(&mut anew, &["event: request", "\"number\":1"]).await;
    }
}

#[tokio::test]
async fn the_content_of_users_is_left_unless_it_is_switched_on() {
    let folder = tempfile::tempdir().unwrap();
    let (rig, secret) = shared(vec![said("A private answer.", &[])], &folder).await;
    let asked = rig.post("/v1/chat/completions", &question(false));
    asked.bearer_auth(&secret).send().await.unwrap();
    let shown = get(&rig, "/haft/requests/1").bearer_auth("operator");
    let shown = shown.send().await.unwrap().text().await.unwrap();
    assert!(shown.contains("\"content\":\"left\"") && shown.contains("\"alice\""));
    for private in ["private", "Oslo", secret.as_str()] {
        assert!(!shown.contains(private), "{shown}");
    }
    let on = |options: &mut GatewayOptions| options.page_content = Some(true);
    let rig = Rig::with(vec![said("An answer.", &[])], on).await;
    ask(&rig, &question(false)).await;
    assert_eq!(read(&rig, "/haft/requests/1").await["content"], "kept");
    let off = |options: &mut GatewayOptions| options.page_content = Some(false);
    let rig = Rig::with(vec![said("An answer.", &[])], off).await;
    ask(&rig, &question(false)).await;
    assert_eq!(read(&rig, "/haft/requests/1").await["content"], "left");
}

#[tokio::test]
async fn a_request_that_cannot_be_read_is_refused_and_counts_for_no_model() {
    let rig = Rig::new(vec![]).await;
    let url = format!("{}/v1/chat/completions", rig.address);
    let answer = rig.client.post(url).body("{bad").send().await.unwrap();
    assert_eq!(answer.status(), 400);
    let shown = read(&rig, "/haft/requests/1").await;
    assert_eq!(shown["request"]["outcome"], "refused");
    assert_eq!(shown["asked"], "unreadable");
    let mut events = get(&rig, "/haft/events").send().await.unwrap();
    event_with(&mut events, &["\"requests\":1", "\"models\":{}"]).await;
}

#[tokio::test]
async fn an_unknown_request_is_refused_with_the_reason() {
    let rig = Rig::new(vec![]).await;
    for number in ["7", "x", "-1"] {
        let answer = get(&rig, &format!("/haft/requests/{number}")).send().await;
        let answer = answer.unwrap();
        assert_eq!(answer.status(), 404);
        assert!(answer.text().await.unwrap().contains("forgotten"));
    }
}
