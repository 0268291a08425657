//! The tools of a question over every provider's wire: what a request offers.

use std::sync::Arc;

use haft::{Agent, Tool};
use haft_testing::{ScriptedServer, SpyTool};
use serde_json::Value;

use super::wires::{Said, WIRES};

const ZWAVE: [&str; 6] = [
    "list_zwave_devices",
    "list_devices",
    "verify_device",
    "control_zwave_device",
    "get_device_sensor_data",
    "check_zwave_health",
];

const CUSTOM: [&str; 3] = [
    "get_current_datetime",
    "search_web",
    "control_speaker_volume",
];

/// The names of tools in a request of any API.
fn offered(body: &Value) -> Vec<String> {
    let tools = body.get("tools").and_then(Value::as_array);
    let name = |tool: &Value| {
        let function = tool.get("function").unwrap_or(tool);
        function["name"].as_str().unwrap().to_owned()
    };
    tools.into_iter().flatten().map(name).collect()
}

/// What the first request offers of the 31 tools of the specification, on every wire.
async fn offers(question: &str, expected: &[&str]) {
    for wire in WIRES {
        let said = Said {
            text: "So it is.",
            calls: &[],
        };
        let reply = (wire.reply)(true, &said);
        // Once more, for a question whose answer should have been a call.
        let server = ScriptedServer::start([reply, (wire.reply)(true, &said)]).await;
        let browser = (1..=22).map(|number| format!("browser_{number}"));
        let names = ZWAVE.into_iter().chain(CUSTOM).map(str::to_owned);
        let tools = names
            .chain(browser)
            .map(|name| -> Arc<dyn Tool> { Arc::new(SpyTool::new(&name, |_| Ok("done".into()))) });
        let agent = Agent::builder()
            .model((wire.model)(server.url(), true))
            .tools(tools)
            .build()
            .await
            .unwrap();
        agent.ask(question).await.unwrap();
        let requests = server.requests();
        assert_eq!(offered(&requests[0].body), expected, "{}", wire.name);
    }
}

#[tokio::test]
async fn s003_04_essential_tools_only_for_device_queries() {
    offers("turn on the kitchen light", &ZWAVE).await;
}

#[tokio::test]
async fn s003_05_datetime_tool_only_for_time_queries() {
    offers("what time is it", &["get_current_datetime"]).await;
}

#[tokio::test]
async fn s003_06_no_tools_for_general_queries() {
    offers("what is the capital of France", &[]).await;
}
