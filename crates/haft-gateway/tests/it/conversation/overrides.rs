//! Overrides of a request, and the report of interventions.

use haft_gateway::{Gateway, GatewayOptions};
use haft_models::{ModelServer, ModelSettings, ServerKind};
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

use super::{Rig, calls_of, forecast, question, said};

fn with_text() -> Reply {
    said(
        "",
        &[("a", "forecast", json!({"city": "Oslo", "days": "5"}))],
    )
}

#[tokio::test]
async fn repairs_are_reported_in_a_header_of_a_whole_answer() {
    let rig = Rig::new(vec![with_text()]).await;
    let answer = rig
        .post("/v1/chat/completions", &question(false))
        .send()
        .await
        .unwrap();
    let done = answer.headers()["x-haft-done"].to_str().unwrap().to_owned();
    assert_eq!(done, "text_to_number=1");
    let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    let expected = json!({"city": "Oslo", "days": 5});
    assert_eq!(calls_of(&answer), [("forecast".to_owned(), expected)]);
}

#[tokio::test]
async fn without_interventions_nothing_is_reported() {
    let rig = Rig::new(vec![said("Sunny.", &[]), said("Sunny.", &[])]).await;
    let answer = rig.post("/v1/chat/completions", &question(false));
    let answer = answer.send().await.unwrap();
    assert!(answer.headers().get("x-haft-done").is_none());
    let stream = rig.post("/v1/chat/completions", &question(true));
    let stream = stream.send().await.unwrap().text().await.unwrap();
    assert!(
        stream.contains("Sunny.") && !stream.contains("\"haft\""),
        "{stream}"
    );
}

#[tokio::test]
async fn the_last_event_of_a_stream_reports_the_interventions_in_every_dialect() {
    let printed =
        "<tool_call>{\"name\": \"forecast\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";
    let tool = forecast();
    let anthropic = json!({"model": "tiny", "stream": true, "max_tokens": 99,
        "tools": [{"name": "forecast", "description": "", "input_schema": tool["function"]["parameters"]}],
        "messages": [{"role": "user", "content": "?"}]});
    for (path, body) in [
        ("/v1/chat/completions", question(true)),
        ("/api/chat", question(true)),
        ("/v1/messages", anthropic),
    ] {
        let rig = Rig::new(vec![said(printed, &[])]).await;
        let stream = rig.post(path, &body).send().await.unwrap();
        let stream = stream.text().await.unwrap();
        let last = stream.lines().rev().find(|line| line.contains("\"haft\""));
        let last = last.unwrap_or_else(|| panic!("{path}: {stream}"));
        let last = last.trim_start_matches("data: ");
        let last: Value = serde_json::from_str(last).unwrap();
        let repaired = &last["haft"]["repaired"][0];
        assert_eq!(repaired["kind"], "found_in_text", "{path}");
        assert_eq!(repaired["tool"], "forecast", "{path}");
    }
}

#[tokio::test]
async fn a_request_can_switch_repair_off() {
    let call = json!({"id": "a", "type": "function",
        "function": {"name": "forecast", "arguments": "{\"city\": \"Oslo\", \"days\": \"5\"}"}});
    let made = json!({"choices": [{"message": {"content": null, "tool_calls": [call]},
        "finish_reason": "tool_calls"}]});
    // The second server streams although it was asked for a whole reply; the reply is read and
    // requested again once.
    for script in [vec![Reply::json(made)], vec![with_text(), with_text()]] {
        let rig = Rig::new(script).await;
        let request = rig.post("/v1/chat/completions", &question(false));
        let answer = request.header("x-haft-repair", "off").send().await.unwrap();
        assert!(answer.headers().get("x-haft-done").is_none());
        let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(calls_of(&answer)[0].1["days"], "5");
    }
}

#[tokio::test]
async fn a_request_can_switch_a_recovery_step_off() {
    let rig = Rig::new(vec![said("", &[]), said("Sunny.", &[])]).await;
    let request = rig.post("/v1/chat/completions", &question(false));
    let request = request.header("x-haft-recovery", "invalid_calls");
    let answer = request.send().await.unwrap().text().await.unwrap();
    assert!(!answer.contains("Sunny."), "{answer}");
    assert_eq!(rig.asked().len(), 1);
}

#[tokio::test]
async fn an_unknown_override_is_an_error_and_no_model_is_asked() {
    let rig = Rig::new(vec![]).await;
    let request = rig.post("/v1/chat/completions", &question(false));
    let answer = request
        .header("x-haft-repair", "perhaps")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 400);
    assert!(answer.text().await.unwrap().contains("x-haft-repair"));
    assert!(rig.asked().is_empty());
}

/// A request with sixty tools, of which only a few fit.
fn crowded(messages: &Value) -> Value {
    let about = "Puts a document on the shelf of this volume, with a slip that says who brought it";
    let others = (0..60).map(|number| {
        json!({"type": "function", "function": {
            "name": format!("archive_{number}"), "description": format!("{about} ({number})"),
            "parameters": {"type": "object", "properties": {"volume": {"type": "integer"}}}}})
    });
    let tools: Vec<Value> = others.chain([forecast()]).collect();
    json!({"model": "tiny", "tools": tools, "messages": messages})
}

#[tokio::test]
async fn the_clients_tools_are_selected_if_requested() {
    let messages = json!([{"role": "user", "content": "What is the weather forecast for Oslo?"}]);
    let rig = Rig::new(vec![said("Sunny.", &[]), said("Sunny.", &[])]).await;
    let body = crowded(&messages);
    let answer = rig.post("/v1/chat/completions", &body);
    let answer = answer.header("x-haft-select", "on").send().await.unwrap();
    let done = answer.headers()["x-haft-done"].to_str().unwrap().to_owned();
    assert!(done.starts_with("tools_left_out="), "{done}");
    rig.post("/v1/chat/completions", &body)
        .send()
        .await
        .unwrap();
    let asked = rig.asked();
    let names = |body: &Value| body["tools"].as_array().unwrap().len();
    assert!(names(&asked[0]) < 20, "{}", names(&asked[0]));
    assert!(asked[0]["tools"].to_string().contains("forecast"));
    assert_eq!(
        names(&asked[1]),
        61,
        "by default the client's tools are all offered"
    );
}

#[tokio::test]
async fn each_request_of_a_conversation_extends_the_previous_prompt() {
    for select in ["on", "off"] {
        let rig = Rig::new((0..3).map(|_| said("Sunny.", &[])).collect()).await;
        let mut messages =
            vec![json!({"role": "user", "content": "The weather forecast for Oslo?"})];
        for next in [
            "And for Rome, the forecast?",
            "Thanks. File it in volume 7",
            "",
        ] {
            let body = crowded(&Value::from(messages.clone()));
            let request = rig.post("/v1/chat/completions", &body);
            request
                .header("x-haft-select", select)
                .send()
                .await
                .unwrap();
            messages.push(json!({"role": "assistant", "content": "Sunny."}));
            messages.push(json!({"role": "user", "content": next}));
        }
        for pair in rig.asked().windows(2) {
            for part in ["tools", "messages"] {
                let (before, after) = (pair[0][part].as_array(), pair[1][part].as_array());
                let (before, after) = (before.unwrap(), after.unwrap());
                assert_eq!(&after[..before.len()], before.as_slice(), "{part}");
            }
        }
    }
}

#[tokio::test]
async fn requests_and_interventions_are_counted() {
    let rig = Rig::new(vec![with_text(), said("", &[]), said("Sunny.", &[])]).await;
    for _ in 0..2 {
        let request = rig.post("/v1/chat/completions", &question(false));
        request.send().await.unwrap().text().await.unwrap();
    }
    let page = rig.client.get(format!("{}/metrics", rig.address));
    let page = page.send().await.unwrap().text().await.unwrap();
    let host = rig.server.url().replace("http://", "");
    let place = format!("model=\"tiny\",upstream=\"{host}\"");
    for line in [
        &format!(
            "haft_requests_total{{dialect=\"openai\",mode=\"whole\",status=\"200\",{place}}} 2"
        ),
        "haft_calls_total{dialect=\"openai\"} 1",
        &format!("haft_repairs_total{{kind=\"text_to_number\",{place}}} 1"),
        &format!("haft_recoveries_total{{step=\"without_tools\",outcome=\"helped\",{place}}} 1"),
        &format!("haft_request_seconds_count{{dialect=\"openai\",{place}}} 2"),
        "haft_overhead_seconds_count{dialect=\"openai\"} 2",
        "haft_in_flight 0",
        "haft_upstream_healthy{upstream=",
        "haft_upstream_requests_total{upstream=",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
}

#[tokio::test]
async fn retry_after_of_a_model_server_reaches_the_client() {
    let busy = || {
        Reply::text("slow down")
            .with_status(429)
            .with_header("retry-after", "61")
    };
    let rig = Rig::new((0..9).map(|_| busy()).collect()).await;
    for stream in [true, false] {
        let request = rig.post("/v1/chat/completions", &question(stream));
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 429);
        assert_eq!(answer.headers()["retry-after"], "61");
    }
}

#[tokio::test]
async fn overrides_can_be_replaced_while_the_gateway_serves() {
    let server = ScriptedServer::with(|_| with_text()).await;
    let mut options = GatewayOptions::default();
    options.listen = ([127, 0, 0, 1], 0).into();
    let url = format!("{}/v1", server.url());
    let upstream = ModelServer::new(ServerKind::OpenAi, url, &ModelSettings::default());
    let gateway = Gateway::bind(upstream, options.clone()).await.unwrap();
    let (live, address) = (gateway.live_settings(), gateway.address().unwrap());
    tokio::spawn(gateway.serve(std::future::pending()));
    let rig = Rig {
        server,
        address: format!("http://{address}"),
        client: reqwest::Client::builder().no_proxy().build().unwrap(),
    };
    let days = async || {
        let answer = rig.post("/v1/chat/completions", &question(false)).send();
        let text = answer.await.unwrap().text().await.unwrap();
        let calls = calls_of(&serde_json::from_str(&text).unwrap());
        calls[0].1["days"].clone()
    };
    assert_eq!(days().await, 5);
    options.overrides.repair = Some(false);
    live.replace(&options).unwrap();
    assert_eq!(days().await, "5");
}
