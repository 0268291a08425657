use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::{Value, json};

use crate::description::{ModelDescription, ToolSupport};
use crate::{ModelSettings, ModelSpec, ServedSurvey, survey_model};

async fn survey(server: &ScriptedServer, name: &str) -> ServedSurvey {
    let spec = format!("openai:{name}@{}/v1", server.url());
    match spec.parse().unwrap() {
        ModelSpec::Served(model) => survey_model(&model, &ModelSettings::default()).await,
        other => panic!("{other} has no server"),
    }
}

async fn server(
    props: Option<Value>,
    list: Option<Value>,
    lm_studio: Option<Value>,
) -> ScriptedServer {
    ScriptedServer::with(move |request: &CapturedRequest| {
        let body = match request.path.as_str() {
            "/props" => &props,
            "/v1/models" => &list,
            "/api/v0/models" => &lm_studio,
            _ => &None,
        };
        match body {
            Some(body) => Reply::json(body.clone()),
            None => Reply::text("no such place").with_status(404),
        }
    })
    .await
}

/// The list of llama.cpp's server with one model. Its capabilities are always the same.
fn llama_cpp_list() -> Value {
    json!({
        "models": [{"name": "SmolLM2.gguf", "capabilities": ["completion"]}],
        "object": "list",
        "data": [{"id": "SmolLM2.gguf", "object": "model", "owned_by": "llamacpp",
                  "meta": {"n_ctx_train": 8192}}],
    })
}

fn told(survey: &ServedSurvey) -> (Option<bool>, ToolSupport, Option<u64>) {
    assert_eq!(survey.problem, None);
    (survey.is_known, survey.tools, survey.context)
}

#[tokio::test]
async fn llama_cpp_tells_of_its_only_model_under_any_name() {
    for (supports, expected) in [
        (true, ToolSupport::Supported),
        (false, ToolSupport::Missing),
    ] {
        let props = json!({
            "chat_template_caps": {"supports_tools": supports},
            "default_generation_settings": {"n_ctx": 2048},
        });
        let server = server(Some(props), Some(llama_cpp_list()), None).await;
        let survey = survey(&server, "any").await;
        assert_eq!(told(&survey), (Some(true), expected, Some(2048)));
        assert_eq!(survey.models, ["SmolLM2.gguf"]);
    }
}

#[tokio::test]
async fn the_fixed_capabilities_in_llama_cpps_list_say_nothing_about_tools() {
    let server = server(None, Some(llama_cpp_list()), None).await;
    let survey = survey(&server, "any").await;
    assert_eq!(told(&survey), (Some(true), ToolSupport::Unknown, None));
}

#[tokio::test]
async fn vllm_tells_the_context_and_lm_studio_that_tools_arrive() {
    let list = json!({"data": [{"id": "tiny", "owned_by": "vllm", "max_model_len": 4096}]});
    let vllm = server(None, Some(list), None).await;
    let known = survey(&vllm, "tiny").await;
    assert_eq!(told(&known), (Some(true), ToolSupport::Unknown, Some(4096)));
    let unknown = survey(&vllm, "small").await;
    assert_eq!(told(&unknown), (Some(false), ToolSupport::Unknown, None));

    let list = json!({"data": [{"id": "tiny", "loaded_context_length": 2048, "max_context_length": 9000}]});
    let lm_studio = server(None, Some(json!({"data": [{"id": "tiny"}]})), Some(list)).await;
    let survey = survey(&lm_studio, "tiny").await;
    assert_eq!(
        told(&survey),
        (Some(true), ToolSupport::Supported, Some(2048))
    );
}

#[tokio::test]
async fn a_server_without_a_list_answers_and_tells_nothing() {
    let server = server(None, None, None).await;
    let survey = survey(&server, "tiny").await;
    assert_eq!(told(&survey), (None, ToolSupport::Unknown, None));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_problem() {
    let spec: ModelSpec = "openai:tiny@http://127.0.0.1:1/v1".parse().unwrap();
    let ModelSpec::Served(model) = &spec else {
        panic!("{spec} has no server");
    };
    let survey = survey_model(model, &ModelSettings::default()).await;
    assert!(survey.problem.unwrap().contains("No model server answers"));
    assert!(survey.hint.is_some());
    assert_eq!(survey.tools, ModelDescription::default().tools);
}
