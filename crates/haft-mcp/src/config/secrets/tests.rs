use serde_json::json;

use super::*;
use crate::McpConfig;

fn secrets(server: &Value) -> Secrets {
    let text = json!({"mcpServers": {"it": server}}).to_string();
    let config = McpConfig::parse(&text, "test.json").unwrap();
    let endpoint = &config.servers[0].endpoint;
    of(endpoint.as_ref().unwrap())
}

#[test]
fn secrets_are_found_in_arguments_environment_address_and_headers() {
    let command = json!({"command": "a", "args": ["--token", "arg-token", "plain-word"],
        "env": {"API_KEY": "env-key-1", "HOST": "homeassistant.local"}});
    let said = "arg-token plain-word env-key-1 homeassistant.local";
    assert_eq!(
        secrets(&command).mask(said),
        "[hidden] plain-word [hidden] homeassistant.local"
    );
    let address = json!({"url": "https://u:pass-word@h/mcp?key=query-key", "headers":
        {"Authorization": "Bearer header-key", "Accept": "text/plain"}});
    let said = "pass-word query-key header-key text/plain";
    assert_eq!(
        secrets(&address).mask(said),
        "[hidden] [hidden] [hidden] text/plain"
    );
}

#[test]
fn secrets_are_masked_in_the_texts_of_a_tool_but_not_in_its_name() {
    let mut secrets = Secrets::default();
    secrets.add("hush-hush-1");
    let tools = json!([
        {"name": "hush-hush-1", "description": "Uses hush-hush-1", "inputSchema":
            {"type": "object", "properties": {"a": {"description": "not hush-hush-1"}}}},
        {"name": "plain", "description": "Plain", "inputSchema": {"type": "object"}},
    ]);
    let tools: Vec<Tool> = serde_json::from_value(tools).unwrap();
    let plain = tools[1].clone();
    let masked = masked(tools, &secrets);
    assert_eq!(masked[0].name, "hush-hush-1");
    assert_eq!(masked[0].description.as_deref(), Some("Uses [hidden]"));
    let schema = json!(masked[0].input_schema).to_string();
    assert!(schema.contains("not [hidden]"), "{schema}");
    assert_eq!(masked[1], plain);
}
