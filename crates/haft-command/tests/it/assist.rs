//! Home Assistant's Assist: its tools, and the list of devices that its clients put into the
//! system prompt.
//!
//! The home and the sentences stand in `corpus/assist_*.txt`. Every sentence has the calls that it
//! must be, or must change nothing; beside them every command is put behind and before the words
//! that govern it.

use std::sync::Arc;

use haft_command::{Builtin, Proposal};
use haft_core::{ChatModel, Message, Tool, ToolMessage};
use serde_json::{Value, json};

use super::corpus::{BEFORE, BEHIND, betweens, lines};
use super::support::{ask, bound, tool};

pub(super) const HOME: &str = include_str!("corpus/assist_home.txt");
const ACTS: &str = include_str!("corpus/assist_acts.txt");
const CHANGES_NOTHING: &str = include_str!("corpus/assist_changes_nothing.txt");

/// What Home Assistant says where it does not know where the speaker is.
const ASK: &str = "When a user asks to turn on all devices of a specific type, ask user to specify \
    an area, unless there is only one device of that type.";

fn text() -> Value {
    json!({"type": "string"})
}

fn percent() -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": 100})
}

/// The slots that say where, and `more`.
fn place(more: &Value) -> Value {
    let list = json!({"type": "array", "items": text()});
    let mut place = json!({"name": text(), "area": text(), "floor": text(), "domain": list});
    let fields = place.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    place
}

/// The slots of a tool for one kind of device.
fn only(domain: &str, more: &Value) -> Value {
    let mut place = place(more);
    place["domain"] = json!({"type": "array", "items": {"type": "string", "enum": [domain]}});
    place
}

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    let degrees = json!({"temperature*": {"type": "number"}, "name": text(), "area": text()});
    let light =
        json!({"brightness": percent(), "color": text(), "temperature": {"type": "integer"}});
    let position = json!({"position*": percent()});
    let speed = json!({"percentage*": percent()});
    let item = json!({"item*": text(), "name*": text()});
    let mut tools = vec![
        tool(
            "HassTurnOn",
            "Turns on/opens/locks a device",
            place(&json!({})),
        ),
        tool(
            "HassTurnOff",
            "Turns off/closes/unlocks a device",
            place(&json!({})),
        ),
        tool("HassLightSet", "Sets a light", place(&light)),
        tool("HassSetPosition", "Sets a position", place(&position)),
        tool("HassStopMoving", "Stops a moving device", place(&json!({}))),
        tool("HassFanSetSpeed", "Sets a fan", only("fan", &speed)),
        tool("HassClimateSetTemperature", "Sets a temperature", degrees),
        tool(
            "HassVacuumStart",
            "Starts a vacuum",
            only("vacuum", &json!({})),
        ),
        tool(
            "HassVacuumReturnToBase",
            "Returns a vacuum",
            only("vacuum", &json!({})),
        ),
        tool(
            "HassVacuumCleanArea",
            "Cleans an area",
            json!({"name": text(), "area*": text()}),
        ),
        tool("HassListAddItem", "Adds an item to a list", item),
        tool("GetLiveContext", "Provides the current states", json!({})),
    ];
    tools.extend(players());
    tools
}

fn players() -> Vec<Arc<dyn Tool>> {
    let player = |more: Value| only("media_player", &more);
    let muted = || player(json!({"is_volume_muted": {"type": "boolean"}}));
    let step = json!({"volume_step*": {}, "name": text(), "area": text(), "floor": text()});
    let level = json!({"volume_level*": percent()});
    vec![
        tool("HassMediaPause", "Pauses", player(json!({}))),
        tool("HassMediaUnpause", "Resumes", player(json!({}))),
        tool("HassMediaNext", "Skips to the next item", player(json!({}))),
        tool(
            "HassMediaPrevious",
            "Replays the previous item",
            player(json!({})),
        ),
        tool("HassSetVolume", "Sets the volume", player(level)),
        tool("HassSetVolumeRelative", "Changes the volume", step),
        tool("HassMediaPlayerMute", "Mutes", muted()),
        tool("HassMediaPlayerUnmute", "Unmutes", muted()),
    ]
}

/// The system prompt for somebody in `area`, and what they say.
fn messages(line: &str) -> [Message; 2] {
    let (area, text) = match line
        .strip_prefix('[')
        .and_then(|line| line.split_once("] "))
    {
        Some((area, text)) => (Some(area), text),
        None => (None, line),
    };
    let place = area.map_or(ASK.to_owned(), |area| {
        format!("You are in area {area} (floor Ground) and all generic commands like 'turn on the lights' should target this area.")
    });
    let prompt = format!("You are a voice assistant for Home Assistant.\n{place}\n{HOME}");
    [Message::system(prompt), Message::human(text)]
}

/// A call as the corpus has it: `HassTurnOn name=Kettle domain=switch`.
fn written(name: &str, arguments: &haft_core::Arguments) -> String {
    let mut call = name.to_owned();
    for (key, value) in arguments {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) => items[0].as_str().unwrap().to_owned(),
            other => other.to_string(),
        };
        call += &format!(" {key}={value}");
    }
    call
}

/// The calls of the first round that change something, and what is said instead.
async fn answered(model: &Arc<dyn ChatModel>, line: &str) -> (Vec<String>, String) {
    let reply = ask(model, &messages(line)).await;
    let calls = reply.tool_calls.iter();
    let calls = calls.filter(|call| call.name != "GetLiveContext");
    let calls = calls.map(|call| written(&call.name, &call.args)).collect();
    (calls, reply.content.text())
}

#[tokio::test]
async fn assist_commands_are_exactly_these_calls() {
    let model = bound(&tools());
    assert!(lines(ACTS).count() >= 150);
    let mut wrong = Vec::new();
    for line in lines(ACTS) {
        let (text, calls) = line.split_once(" => ").unwrap();
        let expected: Vec<String> = calls.split(" | ").map(str::to_owned).collect();
        let (made, said) = answered(&model, text).await;
        if made != expected {
            wrong.push(format!(
                "{text:?}\n   made {made:?}\n   not  {expected:?}\n   said {said:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sentences among `texts` after which something was changed.
async fn acting(texts: impl Iterator<Item = String>) -> Vec<String> {
    let model = bound(&tools());
    let mut wrong = Vec::new();
    for text in texts {
        let (calls, _) = answered(&model, &text).await;
        if !calls.is_empty() {
            wrong.push(format!("{text:?} made {calls:?}"));
        }
    }
    wrong
}

#[tokio::test]
async fn what_assist_does_not_understand_changes_nothing() {
    assert!(lines(CHANGES_NOTHING).count() >= 100);
    let wrong = acting(lines(CHANGES_NOTHING)).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const COMMANDS: [&str; 9] = [
    "turn on the kettle",
    "unlock the front door",
    "open the garage door",
    "set the hallway thermostat to 24",
    "pause the kitchen radio",
    "start the vacuum",
    "water the lawn",
    "add milk to the groceries list",
    "hallway light off",
];

#[tokio::test]
async fn a_condition_or_report_stops_an_assist_command_at_any_place() {
    let mut texts = Vec::new();
    for (row, command) in COMMANDS.iter().enumerate() {
        for (column, before) in BEFORE.iter().enumerate() {
            for between in betweens(row + column) {
                texts.push(format!("{before}{between}{command}"));
            }
        }
        for (column, behind) in BEHIND.iter().enumerate() {
            for between in betweens(row + column) {
                texts.push(format!("{command}{between}{behind}"));
            }
        }
    }
    assert!(texts.len() > 1_000);
    let wrong = acting(texts.into_iter()).await;
    assert!(
        wrong.is_empty(),
        "{} of them\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[tokio::test]
async fn a_real_choice_is_asked_about() {
    let model = bound(&tools());
    for (text, expected) in [
        (
            "lock the door",
            "Which one do you mean: Back Door or Front Door?",
        ),
        (
            "close the blind",
            "Which one do you mean: Left Blind or Right Blind?",
        ),
        (
            "put milk on the list",
            "Which one do you mean: Chores or Groceries?",
        ),
        (
            "turn on the light",
            "Which one do you mean, and in which area?",
        ),
        ("turn it off", "Which device do you mean?"),
        (
            "open the front door",
            "I know nothing called \"the front door\" that this can be done to, so I changed nothing.",
        ),
        (
            "set the floor lamp to 150%",
            "That value cannot be set here. Try a whole number such as 20.",
        ),
    ] {
        assert_eq!(
            answered(&model, text).await,
            (Vec::new(), expected.to_owned())
        );
    }
}

#[tokio::test]
async fn an_unclear_command_stops_the_others() {
    let model = bound(&tools());
    let (calls, said) = answered(&model, "turn on the kettle and lock the door").await;
    assert!(calls.is_empty());
    assert_eq!(said, "Which one do you mean: Back Door or Front Door?");
}

#[tokio::test]
async fn without_its_tool_nothing_is_done_by_half() {
    let few: Vec<Arc<dyn Tool>> = tools().into_iter().take(3).collect();
    let (calls, said) = answered(&bound(&few), "turn on the kettle and start the vacuum").await;
    assert!(calls.is_empty());
    assert_eq!(
        said,
        "None of the tools here can do that, so I changed nothing."
    );
}

#[tokio::test]
async fn older_versions_mute_by_the_volume() {
    let old: Vec<Arc<dyn Tool>> = tools()
        .into_iter()
        .filter(|tool| !tool.name().ends_with("ute"))
        .collect();
    let (calls, _) = answered(&bound(&old), "mute the tv").await;
    let expected = "HassSetVolume name=Living Room TV domain=media_player volume_level=0";
    assert_eq!(calls, [expected]);
}

#[tokio::test]
async fn what_home_assistant_refuses_is_told() {
    let model = bound(&tools());
    let mut said = messages("turn on the kettle").to_vec();
    let reply = ask(&model, &said).await;
    let id = reply.tool_calls[0].id.clone();
    said.push(reply.into());
    let mut done = said.clone();
    let result = json!({"speech": {}, "response_type": "action_done", "data": {}});
    done.push(ToolMessage::success(result.to_string(), id.clone()).into());
    assert_eq!(ask(&model, &done).await.content.text(), "Done: Kettle, on.");
    let error = json!({"error": "MatchFailedError", "error_text": "no such device"});
    said.push(ToolMessage::success(error.to_string(), id).into());
    assert_eq!(
        ask(&model, &said).await.content.text(),
        "That did not work: no such device."
    );
}

/// The answer to `text` where `GetLiveContext` tells these states, and the calls on the way.
async fn over(live: &str, text: &str) -> (String, Vec<String>) {
    let model = bound(&tools());
    let mut messages = messages(text).to_vec();
    let mut calls = Vec::new();
    for _ in 0..4 {
        let reply = ask(&model, &messages).await;
        let said = reply.content.text();
        let made = reply.tool_calls.clone();
        if made.is_empty() {
            return (said, calls);
        }
        messages.push(reply.into());
        for call in made {
            calls.push(written(&call.name, &call.args));
            let result = match call.name.as_str() {
                "GetLiveContext" => json!({"success": true, "result": live}),
                _ => json!({"speech": {}, "response_type": "action_done"}),
            };
            messages.push(ToolMessage::success(result.to_string(), call.id).into());
        }
    }
    panic!("the engine does not come to an end");
}

const LIVE: &str = "Live Context: An overview of the areas and the devices in this smart home:\n\
    - names: Front Door\n  domain: lock\n  state: unlocked\n  areas: Hallway\n\
    - names: Floor Lamp\n  domain: light\n  state: 'on'\n  areas: Living Room\n  attributes:\n    brightness: '102'\n\
    - names: Kettle\n  domain: switch\n  state: 'off'\n  areas: Kitchen\n\
    - names: Hallway Thermostat\n  domain: climate\n  state: heat\n  areas: Hallway\n  attributes:\n    current_temperature: 19.5\n    temperature: 21\n\
    - names: Study Temperature\n  domain: sensor\n  state: '22.4'\n  areas: Study, Office\n  attributes:\n    unit_of_measurement: °C\n    device_class: temperature\n";

#[tokio::test]
async fn assist_questions_are_answered_from_the_live_context() {
    for (text, expected) in [
        ("is the front door locked?", "No, Front Door is unlocked."),
        ("Is the kettle on?", "No, Kettle is off."),
        ("did I leave the floor lamp on?", "Yes, Floor Lamp is on."),
        (
            "what's the temperature in the study?",
            "Study Temperature is 22.4 °C.",
        ),
        (
            "how warm is it in the hallway",
            "Hallway Thermostat is at 19.5 degrees.",
        ),
        ("how bright is the floor lamp", "Floor Lamp is 40 percent."),
        ("which lights are on?", "Floor Lamp is on."),
        ("how many lights are on?", "1 light is on."),
    ] {
        let (said, calls) = over(LIVE, text).await;
        assert_eq!(said, expected, "{text}");
        assert_eq!(calls, ["GetLiveContext"]);
    }
}

#[tokio::test]
async fn more_and_less_are_counted_from_the_live_context() {
    let (said, calls) = over(LIVE, "make the floor lamp brighter").await;
    assert_eq!(calls[1], "HassLightSet name=Floor Lamp brightness=60");
    assert_eq!(said, "Done: Floor Lamp, 60 percent.");
}

/// Without a list in the system prompt, as where Home Assistant is an MCP server.
#[tokio::test]
async fn the_live_context_is_asked_for_where_the_prompt_lists_no_devices() {
    let model = bound(&tools());
    for (text, expected) in [
        (
            "set the lamp in the living room to warm white",
            "HassLightSet name=Floor Lamp domain=light temperature=2700",
        ),
        (
            "make the floor lamp green",
            "HassLightSet name=Floor Lamp domain=light color=green",
        ),
    ] {
        let mut messages = vec![Message::human(text)];
        let reply = ask(&model, &messages).await;
        let id = reply.tool_calls[0].id.clone();
        assert_eq!(reply.tool_calls[0].name, "GetLiveContext", "{text}");
        messages.push(reply.into());
        let live = json!({"success": true, "result": LIVE});
        messages.push(ToolMessage::success(live.to_string(), id).into());
        let reply = ask(&model, &messages).await;
        let call = &reply.tool_calls[0];
        assert_eq!(written(&call.name, &call.args), expected);
    }
    let poem = ask(&model, &[Message::human("write a poem about Faust")]).await;
    assert!(poem.tool_calls.is_empty());
}

#[test]
fn a_router_is_told_what_is_settled() {
    let of =
        |tools: &[Arc<dyn Tool>], text: &str| Builtin::with_tools(tools).proposal(&messages(text));
    assert_eq!(of(&tools(), "pause the kitchen radio"), Proposal::Calls);
    let which = "Which one do you mean: Back Door or Front Door?".to_owned();
    assert_eq!(of(&tools(), "lock the door"), Proposal::Answer(which));
    let few: Vec<_> = tools().into_iter().take(3).collect();
    assert_eq!(of(&few, "start the vacuum"), Proposal::Unknown);
    assert_eq!(
        of(&tools(), "write a poem about the kettle"),
        Proposal::Unknown
    );
}
