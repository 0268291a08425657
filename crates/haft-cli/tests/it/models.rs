//! Model files: where to get one, and what a haft without the engine says about one.

use crate::support::Machine;
use haft_testing::{Reply, ScriptedServer};
use serde_json::json;

#[test]
fn models_get_names_files_and_the_commands_that_get_them() {
    let said = Machine::new().haft(&["models", "get"]);
    let answer = said.answer();
    for part in [
        "Qwen/Qwen3-0.6B-GGUF",
        "Apache-2.0",
        "huggingface-cli download Qwen/Qwen3-0.6B-GGUF Qwen3-0.6B-Q8_0.gguf",
        "https://huggingface.co/Qwen/Qwen3-0.6B-GGUF/resolve/main/Qwen3-0.6B-Q8_0.gguf",
        "haft ask --model local:Qwen3-0.6B-Q8_0.gguf",
    ] {
        assert!(answer.contains(part), "{part}: {answer}");
    }
}

#[cfg(not(feature = "local"))]
#[test]
fn a_haft_without_the_engine_says_how_to_get_one() {
    let machine = Machine::new();
    let said = machine.haft(&["ask", "--model", "local:tiny.gguf", "Hi"]);
    said.fails(
        1,
        &["cannot run tiny.gguf", "hint: get a haft with the engine"],
    );
    let said = machine.haft(&["models", "get"]);
    assert!(
        said.answer().contains("This haft has no engine"),
        "{said:?}"
    );
}

#[test]
fn a_folder_that_is_not_trusted_names_no_model_file() {
    let machine = Machine::new();
    machine.write("haft.toml", "[model]\nname = \"local:planted.gguf\"\n");
    let said = machine.haft(&["config", "show"]);
    let shown = format!("{}{}", said.stdout, said.stderr);
    assert!(!said.stdout.contains("planted"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_are_not_configured_are_found_on_their_usual_ports() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        _ => Reply::json(json!({})).with_status(404),
    })
    .await;
    let port = server.url().rsplit(':').next().unwrap().to_owned();
    let machine = Machine::new()
        .with("HAFT_LOCAL_PORTS", &format!("1,{port}"))
        .with("OPENAI_API_KEY", "sk-secret");
    let expected = format!("openai:tiny@http://127.0.0.1:{port}/v1  the server does not tell");
    let said = machine
        .with("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
        .haft(&["models"]);
    assert!(said.answer().starts_with(&expected), "{said:?}");
    // The key is for another server.
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.header("authorization").is_none())
    );
}
