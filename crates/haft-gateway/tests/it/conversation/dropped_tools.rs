//! An upstream that drops the tools of its clients: the gateway teaches them in the prompt.

use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

use super::{Rig, calls_of, question, said};

/// A server like llama.cpp's, whose model has a chat template without tools.
async fn llama_server() -> ScriptedServer {
    ScriptedServer::with(|request| match request.path.as_str() {
        "/props" => Reply::json(json!({"chat_template_caps": {"supports_tools": false}})),
        "/v1/chat/completions" if request.text.contains("You can use tools") => {
            said("forecast(city=\"Oslo\")", &[])
        }
        "/v1/chat/completions" => said("I cannot know.", &[]),
        _ => Reply::text("no such place").with_status(404),
    })
    .await
}

#[tokio::test]
async fn tools_of_clients_are_taught_whether_or_not_the_gateway_repairs() {
    for repairs in [true, false] {
        let server = llama_server().await;
        let rig = Rig::before(server, |options| options.overrides.repair = Some(repairs)).await;
        for _ in 0..2 {
            let answer = rig.post("/v1/chat/completions", &question(false));
            let answer = answer.send().await.unwrap().text().await.unwrap();
            let answer: Value = serde_json::from_str(&answer).unwrap();
            let expected = ("forecast".to_owned(), json!({"city": "Oslo"}));
            assert_eq!(calls_of(&answer), [expected], "repairs: {repairs}");
        }
        let asked = rig.asked();
        assert_eq!(asked.len(), 2);
        assert!(
            asked.iter().all(|body| body.get("tools").is_none()),
            "{asked:?}"
        );
        let props = rig.server.requests();
        let props = props.iter().filter(|request| request.path == "/props");
        assert_eq!(props.count(), 1, "the server is asked once");
    }
}
