use haft_core::{ToolAnnotations, ToolError, ToolInput, ToolOutput, ToolSource};
use serde_json::{Value, json};

use super::*;
use crate::IntentClassifier;

#[derive(Debug)]
struct Named {
    name: &'static str,
    server: Option<&'static str>,
    schema: Value,
}

#[async_trait::async_trait]
impl Tool for Named {
    fn name(&self) -> &str {
        self.name
    }
    fn description(&self) -> &str {
        "A tool"
    }
    fn schema(&self) -> &Value {
        &self.schema
    }
    fn source(&self) -> ToolSource {
        let server = self.server.map(str::to_owned);
        server.map_or(ToolSource::Custom, |server| ToolSource::Mcp { server })
    }
    fn annotations(&self) -> ToolAnnotations {
        ToolAnnotations {
            read_only: self.name.starts_with("get_"),
            ..ToolAnnotations::default()
        }
    }
    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Ok("".into())
    }
}

fn tool(name: &'static str, server: Option<&'static str>) -> Named {
    Named {
        name,
        server,
        schema: json!({"type": "object"}),
    }
}

const ZWAVE: [&str; 6] = [
    "list_zwave_devices",
    "list_devices",
    "verify_device",
    "control_zwave_device",
    "get_device_sensor_data",
    "check_zwave_health",
];

const BROWSER: [&str; 22] = [
    "browser_click",
    "browser_close",
    "browser_console_messages",
    "browser_drag",
    "browser_evaluate",
    "browser_file_upload",
    "browser_fill_form",
    "browser_handle_dialog",
    "browser_hover",
    "browser_navigate",
    "browser_navigate_back",
    "browser_network_requests",
    "browser_press_key",
    "browser_resize",
    "browser_run_code",
    "browser_select_option",
    "browser_snapshot",
    "browser_take_screenshot",
    "browser_type",
    "browser_wait_for",
    "browser_tabs",
    "browser_install",
];

const CUSTOM: [&str; 3] = [
    "get_current_datetime",
    "search_web",
    "control_speaker_volume",
];

const HOME_ASSISTANT: [&str; 16] = [
    "HassTurnOn",
    "HassTurnOff",
    "HassLightSet",
    "HassClimateSetTemperature",
    "HassSetPosition",
    "HassVacuumStart",
    "HassFanSetSpeed",
    "GetLiveContext",
    "HassSetVolume",
    "HassMediaPause",
    "HassMediaNext",
    "HassListAddItem",
    "HassStartTimer",
    "HassCancelTimer",
    "GetDateTime",
    "HassBroadcast",
];

/// The 31 tools of the voice gateway of the specification.
fn gateway() -> Vec<Named> {
    let zwave = ZWAVE.map(|name| tool(name, Some("zwave")));
    let browser = BROWSER.map(|name| tool(name, Some("playwright")));
    let custom = CUSTOM.map(|name| tool(name, None));
    zwave.into_iter().chain(browser).chain(custom).collect()
}

fn kept(query: &str, tools: &[Named]) -> Vec<String> {
    let tool_groups = ToolGroups::default();
    let tools: Vec<&dyn Tool> = tools.iter().map(|tool| tool as &dyn Tool).collect();
    let found = IntentClassifier::default().classify(query);
    let selection = tool_groups.select(query, &found, &tools);
    assert_eq!(
        selection.kept().count() + selection.withheld().count(),
        tools.len()
    );
    selection.kept().map(str::to_owned).collect()
}

#[test]
fn s003_04_essential_tools_only_for_device_queries() {
    assert_eq!(gateway().len(), 31);
    for query in [
        "turn on the kitchen light",
        "is the hall lamp on",
        "list my devices",
    ] {
        assert_eq!(kept(query, &gateway()), ZWAVE, "{query}");
    }
    let with_time = kept("what time is it and turn on the kitchen light", &gateway());
    assert_eq!(with_time, [&ZWAVE[..], &["get_current_datetime"]].concat());
}

#[test]
fn s003_05_datetime_tool_only_for_time_queries() {
    for query in [
        "what time is it",
        "What's the date today?",
        "what day of the week is it",
    ] {
        assert_eq!(kept(query, &gateway()), ["get_current_datetime"], "{query}");
    }
}

#[test]
fn s003_06_no_tools_for_general_queries() {
    for query in [
        "what is the capital of France",
        "who wrote moby dick",
        "thank you so much",
    ] {
        assert!(kept(query, &gateway()).is_empty(), "{query}");
    }
}

#[test]
fn s003_07_browser_tools_only_for_who_asks_for_a_browser() {
    let browser = |query: &str| {
        let kept = kept(query, &gateway());
        kept.iter()
            .filter(|name| name.starts_with("browser_"))
            .count()
    };
    for query in [
        "turn on the light",
        "what time is it",
        "will it rain in oslo tomorrow",
        "what is the capital of France",
    ] {
        assert_eq!(browser(query), 0, "{query}");
    }
    assert_eq!(
        browser("open the website example.com and take a screenshot"),
        22
    );
    let weather = kept("will it rain in oslo tomorrow", &gateway());
    assert!(
        weather.iter().any(|name| name == "search_web"),
        "{weather:?}"
    );
}

#[test]
fn the_volume_is_not_the_home() {
    let kept = kept("turn the volume up", &gateway());
    assert!(
        kept.iter().any(|name| name == "control_speaker_volume"),
        "{kept:?}"
    );
}

#[test]
fn home_assistant_has_tools_of_several_tool_groups() {
    let tools = HOME_ASSISTANT.map(|name| tool(name, Some("home-assistant")));
    let has = |query: &str, name: &str| kept(query, &tools).iter().any(|kept| kept == name);
    assert!(has("turn on the kitchen light", "HassTurnOn"));
    assert!(has("turn on the kitchen light", "GetLiveContext"));
    assert!(!has("turn on the kitchen light", "GetDateTime"));
    assert!(has("what time is it", "GetDateTime"));
    assert!(!has("what time is it", "HassTurnOn"));
    assert!(has("set a timer for ten minutes", "HassStartTimer"));
    assert!(has("set the volume to 30 percent", "HassSetVolume"));
}

#[test]
fn tools_of_no_group_are_left_to_ranking() {
    let mut tools = gateway();
    tools.push(tool("send_email", None));
    for query in [
        "turn on the light",
        "what is the capital of France",
        "send an email to bob",
    ] {
        assert!(
            kept(query, &tools).contains(&"send_email".to_owned()),
            "{query}"
        );
    }
}

#[test]
fn few_tools_are_all_bound() {
    let few: Vec<_> = gateway().into_iter().take(8).collect();
    assert_eq!(kept("what is the capital of France", &few).len(), 8);
    let mut large = few;
    large[0].schema = json!({"description": "x".repeat(6000)});
    assert!(kept("what is the capital of France", &large).is_empty());
}

#[test]
fn unsure_and_foreign_queries_withhold_nothing() {
    for query in ["", "schalte das Licht in der Küche ein", "電気をつけて"] {
        assert_eq!(kept(query, &gateway()).len(), 31, "{query}");
    }
}

#[test]
fn issue_6_an_english_query_whose_best_score_is_low_keeps_everything() {
    let tools = gateway();
    for query in [
        "make it nicer in here",
        "what about the other one",
        "how is the garden doing",
        "do the thing with the blue one",
    ] {
        assert_eq!(kept(query, &tools).len(), 31, "{query}");
        let found = IntentClassifier::default().classify(query);
        let tools: Vec<&dyn Tool> = tools.iter().map(|tool| tool as &dyn Tool).collect();
        let tool_groups = ToolGroups::default();
        let selection = tool_groups.select(query, &found, &tools);
        assert_eq!(selection.open, Some(OpenReason::Unsure), "{query}");
        assert!(
            selection
                .verdicts
                .iter()
                .all(|(_, verdict)| *verdict == Verdict::Open)
        );
        assert!(!tool_groups.is_call_due(query, &found, &tools), "{query}");
    }
}

#[test]
fn a_query_for_tools_that_are_not_bound_keeps_everything() {
    let tools: Vec<_> = gateway()
        .into_iter()
        .filter(|tool| tool.name != "get_current_datetime")
        .collect();
    assert_eq!(kept("what time is it", &tools).len(), 30);
    let only_browser: Vec<_> = BROWSER.into_iter().map(|name| tool(name, None)).collect();
    assert_eq!(
        kept("will it rain in oslo tomorrow", &only_browser).len(),
        22
    );
}

#[test]
fn a_selection_is_shown_with_its_reasons() {
    let (tool_groups, tools) = (ToolGroups::default(), gateway());
    let tools: Vec<&dyn Tool> = tools.iter().map(|tool| tool as &dyn Tool).collect();
    let query = "turn on the kitchen light";
    let found = IntentClassifier::default().classify(query);
    let selection = tool_groups.select(query, &found, &tools);
    assert!(
        selection.to_string().starts_with("device 9") || selection.to_string() == "device 100 %",
        "{selection}"
    );
    assert_eq!(selection.rule, Some("command"));
    assert_eq!(
        selection.verdicts[0],
        (
            "list_zwave_devices",
            Verdict::Bound {
                tool_group: "device"
            }
        )
    );
    assert_eq!(
        selection.verdicts[6],
        (
            "browser_click",
            Verdict::Withheld {
                tool_group: "browser"
            }
        )
    );
    let found = IntentClassifier::default().classify("");
    let open = tool_groups.select("", &found, &tools);
    assert!(
        open.to_string().ends_with(" %, there are no words"),
        "{open}"
    );
    assert_eq!(open.verdicts[0].1, Verdict::Open);
}

#[test]
fn custom_tool_groups() {
    let tool_group = ToolGroup {
        name: "garden".to_owned(),
        intents: IntentSet::from_iter([Intent::Device]),
        words: vec!["lawn".to_owned()],
        tools: vec![ToolPattern::server("garden*").read_only()],
    };
    assert!(tool_group.has(&tool("get_rain", Some("garden-1"))));
    assert!(!tool_group.has(&tool("mow", Some("garden-1"))));
    assert!(!tool_group.has(&tool("get_rain", None)));
    let tool_groups = ToolGroups::new(vec![tool_group]);
    let names = |query: &str| {
        let found = IntentClassifier::default().classify(query);
        tool_groups
            .choose(query, &found)
            .map(|names| names.join(" "))
    };
    assert_eq!(names("turn on the kitchen light"), Ok(String::new()));
    assert_eq!(names("turn on the LAWN lights"), Ok("garden".to_owned()));
}

#[test]
fn a_preset_brings_only_its_tools() {
    let names = |presets: &[Preset]| -> Vec<String> {
        let tool_groups = ToolGroups::of(presets);
        tool_groups
            .as_slice()
            .iter()
            .map(|tool_group| tool_group.name.clone())
            .collect()
    };
    assert_eq!(names(&[Preset::Zwave]), ["device"]);
    assert_eq!(names(&[Preset::Playwright]), ["browser"]);
    assert_eq!(names(&[]), [""; 0]);
    let zwave = ToolGroups::of(&[Preset::Zwave]);
    assert!(zwave.tool_group_of(&tool("HassTurnOn", None)).is_none());
    assert!(zwave.tool_group_of(&tool("list_devices", None)).is_some());
}
