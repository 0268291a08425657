use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use self::script::{FakeServer, Step, happened, updated, version};
use super::*;
use crate::device::DeviceKind;

mod script;

fn home(server: &FakeServer) -> ServerHome {
    ServerHome::new(&server.url).unwrap()
}

async fn device(home: &ServerHome, name: &str) -> Device {
    let devices = home.devices().await.unwrap();
    let found = devices.into_iter().find(|device| device.name == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

/// Polls until the condition holds, because events arrive asynchronously.
async fn until(mut so: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !so().await {
        assert!(begun.elapsed() < Duration::from_secs(10), "it never was so");
        sleep(Duration::from_millis(5)).await;
    }
}

/// Asserts that the model reads neither a success nor a failure.
fn assert_unknown(error: &ZwaveError, name: &str) {
    let read = haft_core::ToolError::from(error.clone());
    let read = read.message();
    let unknown = [
        format!("It is not known whether {name} changed."),
        "It is not known whether it changed.".to_owned(),
    ];
    assert!(unknown.iter().any(|part| read.contains(part)), "{read}");
    assert!(read.contains("Do not say that it worked"), "{read}");
    assert!(!read.contains("did not take the command"), "{read}");
}

fn is(command: &Value, name: &str) -> bool {
    command["command"] == name
}

#[tokio::test]
async fn the_devices_are_those_that_the_server_reports() {
    let server = FakeServer::willing().await;
    let home = home(&server);
    let mut devices = home.devices().await.unwrap();
    devices.sort_by_key(|device| device.name.clone());
    let reported: Vec<_> = devices
        .iter()
        .map(|device| {
            (
                device.name_and_room(),
                device.kind.word(),
                device.condition(),
            )
        })
        .collect();
    let wanted = [
        ("Bedroom Lamp (Bedroom)", "dimmer", "on at 99 percent"),
        ("Front Door Lock (Hallway)", "lock", "locked"),
        ("Garage Light (Garage)", "switch", "off"),
        ("Kitchen Light (Kitchen)", "switch", "on"),
        (
            "Living Room Sensor Humidity (Living Room)",
            "sensor",
            "48 %",
        ),
        (
            "Living Room Sensor Temperature (Living Room)",
            "sensor",
            "21.5 °C",
        ),
        (
            "Thermostat (Hallway)",
            "thermostat",
            "on, set to 22 °C, measuring 20.5 °C",
        ),
    ];
    let wanted =
        wanted.map(|(name, kind, condition)| (name.to_owned(), kind, condition.to_owned()));
    assert_eq!(reported, wanted);
    assert!(devices.iter().all(|device| device.online));
    assert_eq!(server.commands("initialize")[0]["schemaVersion"], 44);
    assert_eq!(server.count("start_listening"), 1);
}

#[tokio::test]
async fn a_command_succeeds_when_the_device_reports_the_state() {
    let looks = AtomicUsize::new(0);
    let server = FakeServer::start(move |command| match &command["nodeId"] {
        // While the bolt moves, an earlier event carries the state that the driver expects.
        node if *node == 6 && is(command, "node.poll_value") => {
            let locked = looks.fetch_add(1, Ordering::Relaxed) > 1;
            vec![Step::Result(json!({"value": if locked { 0 } else { 255 }}))]
        }
        node if *node == 6 && is(command, "node.set_value") => {
            vec![updated(6, (98, "currentMode"), &json!(0)), Step::Usual]
        }
        _ => vec![Step::Usual],
    })
    .await;
    let home = home(&server);
    let lock = device(&home, "Front Door Lock").await;
    assert_eq!(
        home.set(&lock, Command::Off).await.unwrap().state,
        "unlocked"
    );
    assert_eq!(server.count("node.poll_value"), 3);
    assert_eq!(
        server.commands("node.set_value")[0]["valueId"],
        json!({"endpoint": 0, "commandClass": 98, "property": "targetMode"})
    );
}

#[tokio::test]
async fn every_kind_of_device_is_set_by_its_own_values() {
    let server = FakeServer::willing().await;
    let home = home(&server);
    for (name, command, writes) in [
        ("Kitchen Light", Command::Off, vec![(37, json!(false))]),
        ("Bedroom Lamp", Command::Level(42), vec![(38, json!(42))]),
        ("Bedroom Lamp", Command::Off, vec![(38, json!(0))]),
        ("Front Door Lock", Command::On, vec![(98, json!(255))]),
        ("Thermostat", Command::Off, vec![(64, json!(0))]),
        (
            "Thermostat",
            Command::Target(23.0),
            vec![(64, json!(1)), (67, json!(23.0))],
        ),
    ] {
        let before = server.count("node.set_value");
        let device = device(&home, name).await;
        let device = home.set(&device, command).await.unwrap();
        assert!(device.obeys(command), "{name} {command:?}: {device:?}");
        let sets = server.commands("node.set_value");
        let written: Vec<_> = sets[before..]
            .iter()
            .map(|set| {
                (
                    set["valueId"]["commandClass"].as_u64().unwrap(),
                    set["value"].clone(),
                )
            })
            .collect();
        assert_eq!(written, writes, "{name} {command:?}");
    }
    let sensor = device(&home, "Living Room Sensor Temperature").await;
    let error = home.set(&sensor, Command::On).await.unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::Refused);
}

#[tokio::test]
async fn events_keep_the_home_up_to_date() {
    let server = FakeServer::start(|command| match command["command"].as_str() {
        Some("start_listening") => vec![
            Step::Usual,
            updated(3, (38, "currentValue"), &json!(30)),
            updated(5, (49, "Air temperature"), &json!(19.5)),
            happened(2, "dead"),
            updated(99, (37, "currentValue"), &json!(true)),
        ],
        _ => vec![Step::Usual],
    })
    .await;
    let home = home(&server);
    until(async || !device(&home, "Kitchen Light").await.online).await;
    let lamp = device(&home, "Bedroom Lamp").await;
    assert_eq!((lamp.level, lamp.on), (Some(30), Some(true)));
    let sensor = device(&home, "Living Room Sensor Temperature").await;
    assert_eq!(sensor.value, Some(json!(19.5)));
    // The other reading of the same node keeps its age.
    let age =
        |device: &Device| Timestamp::now().as_second() - device.last_seen.unwrap().as_second();
    assert!(age(&sensor) < 10, "{}", age(&sensor));
    let health = home.health().await.unwrap();
    assert_eq!((health.devices, health.online), (7, 6));
}

#[tokio::test]
async fn a_new_node_is_found() {
    let fetched = AtomicUsize::new(0);
    let server = FakeServer::start(move |command| {
        if !is(command, "start_listening") {
            return vec![Step::Usual];
        }
        if fetched.fetch_add(1, Ordering::Relaxed) > 0 {
            return vec![Step::Usual];
        }
        vec![
            Step::Result(json!({"state": {"nodes": []}})),
            happened(2, "ready"),
        ]
    })
    .await;
    let home = home(&server);
    until(async || home.devices().await.unwrap().len() == 7).await;
    assert_eq!(server.count("start_listening"), 2);
}

#[tokio::test]
async fn a_reading_is_polled_unless_the_device_sleeps() {
    let server = FakeServer::start(|command| match command["command"].as_str() {
        Some("node.poll_value") => vec![Step::Result(json!({"value": 17.25}))],
        Some("controller.get_state") => vec![happened(5, "sleep"), Step::Usual],
        _ => vec![Step::Usual],
    })
    .await;
    let home = home(&server);
    let sensor = device(&home, "Living Room Sensor Temperature").await;
    let read = home.read(&sensor).await.unwrap();
    assert_eq!(read.state, "17.25 °C");
    assert!(read.last_seen > sensor.last_seen);

    home.health().await.unwrap();
    let again = home.read(&sensor).await.unwrap();
    assert_eq!(again.state, "17.25 °C");
    assert!(again.online);
    assert_eq!(server.count("node.poll_value"), 1);
}

#[tokio::test]
async fn a_device_that_cannot_be_polled_has_its_last_reported_state() {
    let server = FakeServer::start(|command| match command["command"].as_str() {
        // From recorded traffic.
        Some("node.poll_value") => vec![Step::Fail(json!({
            "errorCode": "zwave_error", "zwaveErrorCode": 204,
            "zwaveErrorMessage": "Failed to send the command after 3 attempts (ZW0204)"}))],
        _ => vec![Step::Usual],
    })
    .await;
    let home = home(&server);
    let sensor = device(&home, "Living Room Sensor Temperature").await;
    assert_eq!(home.read(&sensor).await.unwrap(), sensor);
    let lamp = device(&home, "Bedroom Lamp").await;
    let error = home.set(&lamp, Command::On).await.unwrap_err();
    // The command was accepted before the device became unreachable.
    assert_eq!(error.kind(), ZwaveErrorKind::Unclear);
    assert!(error.detail().contains("ZW0204"), "{}", error.detail());
    assert_unknown(&error, "Bedroom Lamp");
}

#[tokio::test]
async fn a_refused_command_is_an_error() {
    let server = FakeServer::start(|command| match command["command"].as_str() {
        // From recorded traffic.
        Some("node.set_value") => vec![Step::Result(json!({"result": {"status": 5,
            "message": "Argument validation failed (ZW0322)"}}))],
        _ => vec![Step::Usual],
    })
    .await;
    let home = home(&server);
    let lamp = device(&home, "Bedroom Lamp").await;
    let error = home.set(&lamp, Command::On).await.unwrap_err();
    assert_eq!(
        format!("{error} {}", error.hint()),
        "Bedroom Lamp did not take the command. Check that it has power and is in reach."
    );
    assert_eq!(
        error.detail(),
        "status 5: Argument validation failed (ZW0322)"
    );
    assert_eq!(server.count("node.poll_value"), 0);
}

#[tokio::test]
async fn a_connection_lost_during_a_command_is_reported_and_opened_again() {
    let deaths = AtomicUsize::new(0);
    let server = FakeServer::start(move |command| {
        if is(command, "node.set_value") && deaths.fetch_add(1, Ordering::Relaxed) == 0 {
            return vec![Step::Die];
        }
        vec![Step::Usual]
    })
    .await;
    let home = home(&server);
    home.health().await.unwrap();
    let lamp = device(&home, "Kitchen Light").await;
    let begun = Instant::now();
    let error = home.set(&lamp, Command::Off).await.unwrap_err();
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(error.kind(), ZwaveErrorKind::Lost);
    assert!(
        error
            .to_string()
            .ends_with("It is not known whether Kitchen Light changed."),
        "{error}"
    );
    assert_eq!(home.set(&lamp, Command::Off).await.unwrap().on, Some(false));
    assert_eq!(server.count("start_listening"), 2);
    // A new connection needs a new health check.
    home.health().await.unwrap();
    assert_eq!(server.count("controller.get_state"), 2);
}

#[tokio::test]
async fn health_is_asked_once_a_minute() {
    let server = FakeServer::willing().await;
    let home = home(&server);
    for _ in 0..3 {
        home.health().await.unwrap();
    }
    assert_eq!(server.count("controller.get_state"), 1);
    home.link.lock().await.healthy = Instant::now().checked_sub(HEALTH_HOLDS);
    home.health().await.unwrap();
    assert_eq!(server.count("controller.get_state"), 2);
}

#[tokio::test]
async fn simultaneous_calls_share_one_failed_connection_attempt() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    drop(listener);
    let home = ServerHome::new(&url).unwrap();
    let begun = Instant::now();
    let (one, two, three) = tokio::join!(home.devices(), home.devices(), home.health());
    assert!(
        begun.elapsed() < Duration::from_secs(4),
        "{:?}",
        begun.elapsed()
    );
    for error in [one.unwrap_err(), two.unwrap_err(), three.unwrap_err()] {
        assert_eq!(error.kind(), ZwaveErrorKind::Unreachable);
        assert_eq!(
            format!("{error} {}", error.hint()),
            format!(
                "The Z-Wave server at {url} cannot be reached. Check the address, and that the \
                 Z-Wave JS server is running."
            )
        );
    }
}

#[tokio::test]
async fn garbage_between_messages_is_skipped() {
    let server = FakeServer::start(|_| {
        let garbage = [
            "garbage",
            "{\"type\": \"result\", \"success\": true, \"mess",
            "{\"type\": 7}",
            "[]",
            "{\"type\": \"result\", \"success\": true, \"messageId\": \"999\"}",
            "{\"type\": \"event\", \"event\": {\"source\": \"node\"}}",
            "{\"type\": \"hologram\"}",
        ];
        let mut steps: Vec<_> = garbage.map(|text| Step::Say(text.to_owned())).into();
        steps.push(Step::Usual);
        steps
    })
    .await;
    assert_eq!(home(&server).devices().await.unwrap().len(), 7);
}

#[tokio::test]
async fn malformed_results_are_errors_and_malformed_nodes_are_skipped() {
    let server = FakeServer::start(|command| match command["command"].as_str() {
        Some("start_listening") => vec![Step::Result(json!({"state": {"nodes": [
            {"nodeId": "two"}, 7, {"nodeId": 3, "name": "Lamp", "values": [
                17, {"commandClass": 37, "property": 5},
                {"commandClass": 37, "property": "currentValue", "value": "perhaps"}]}]}}))],
        Some("node.poll_value") => vec![Step::Result(json!("nonsense"))],
        Some("node.set_value") => vec![Step::Result(json!({"status": "fine"}))],
        _ => vec![Step::Usual],
    })
    .await;
    let home = home(&server);
    let devices = home.devices().await.unwrap();
    let lamp = &devices[0];
    assert_eq!((devices.len(), lamp.state.as_str()), (1, "unknown"));
    assert_eq!(&home.read(lamp).await.unwrap(), lamp);
    let error = home.set(lamp, Command::On).await.unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::Unclear);
    assert_unknown(&error, "Lamp");

    let server = FakeServer::start(|_| vec![Step::Result(json!({"state": 3}))]).await;
    let error = self::home(&server).devices().await.unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::Unclear);
}

#[tokio::test]
async fn a_huge_message_ends_the_connection() {
    let server = FakeServer::start(|command| match command["command"].as_str() {
        Some("controller.get_state") => vec![Step::Say("x".repeat(33 * 1024 * 1024))],
        _ => vec![Step::Usual],
    })
    .await;
    let home = home(&server);
    home.devices().await.unwrap();
    let error = home.health().await.unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::Lost);
    assert_eq!(error.detail(), "it sent a message of more than 32 MB");
    assert_eq!(home.devices().await.unwrap().len(), 7);
}

#[tokio::test]
async fn other_servers_are_detected() {
    let mut old = version();
    old["maxSchemaVersion"] = json!(20);
    let mut new = version();
    new["minSchemaVersion"] = json!(45);
    for (hello, wanted) in [
        (
            old.to_string(),
            "it speaks versions 0 to 20 of the API, and haft 29 to 44",
        ),
        (
            new.to_string(),
            "it speaks versions 45 to 50 of the API, and haft 29 to 44",
        ),
        ("hello!".to_owned(), "it does not say its version"),
        (
            "{\"type\": \"auth_required\"}".to_owned(),
            "it does not say its version",
        ),
    ] {
        let server = FakeServer::greeting(hello, |_| Vec::new()).await;
        let error = home(&server).devices().await.unwrap_err();
        assert_eq!(error.kind(), ZwaveErrorKind::Incompatible);
        assert_eq!(
            error.to_string(),
            format!(
                "The server at {} cannot be used as a Z-Wave JS server: {wanted}.",
                server.url
            )
        );
    }
}

#[tokio::test]
async fn a_server_without_websocket_is_an_error() {
    for (reply, wanted) in [
        (
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "it answers with HTTP status 404",
        ),
        (
            "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-accept: bm8gcHJvb2Y=\r\n\r\n",
            "it does not know WebSocket",
        ),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await;
            stream.write_all(reply.as_bytes()).await.unwrap();
        });
        let error = ServerHome::new(&url).unwrap().devices().await.unwrap_err();
        assert_eq!(error.kind(), ZwaveErrorKind::Incompatible);
        assert!(
            error.to_string().ends_with(&format!("{wanted}.")),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_silent_server_times_out() {
    let server = FakeServer::start(|command| match command["command"].as_str() {
        Some("node.set_value") => Vec::new(),
        _ => vec![Step::Usual],
    })
    .await;
    let home = home(&server);
    let lamp = device(&home, "Kitchen Light").await;
    // From here on, time is simulated.
    tokio::time::pause();
    let error = home.set(&lamp, Command::On).await.unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::Timeout);
    assert_eq!(
        error.to_string(),
        "Kitchen Light did not answer in time. It is not known whether it changed."
    );
}

#[tokio::test]
async fn an_empty_answer_is_reported_as_an_unknown_outcome() {
    let answers = [
        r#"{"type": "result", "messageId": "ID", "success": true, "result": "garbage"}"#,
        r#"{"type": "result", "messageId": "ID", "success": true, "result": {"status": "fine"}}"#,
        r#"{"type": "result", "messageId": "ID", "success": true, "result": {"result": {"status": 77}}}"#,
        r#"{"type": "result", "messageId": "ID", "success": true, "result": {}}"#,
        r#"{"type": "result", "messageId": "ID", "success": true}"#,
        r#"{"type": "result", "messageId": "ID", "result": {"status": 255}}"#,
    ];
    for answer in answers {
        let server = FakeServer::start(move |command| {
            if !is(command, "node.set_value") {
                return vec![Step::Usual];
            }
            let id = command["messageId"].as_str().unwrap();
            vec![Step::Say(answer.replace("ID", id))]
        })
        .await;
        let home = home(&server);
        let lamp = device(&home, "Kitchen Light").await;
        let error = home.set(&lamp, Command::Off).await.unwrap_err();
        assert_eq!(error.kind(), ZwaveErrorKind::Unclear, "{answer}");
        assert_unknown(&error, "Kitchen Light");
    }
}

#[tokio::test]
async fn an_unreadable_answer_is_reported_as_an_unknown_outcome() {
    let answers = [
        "garbage",
        r#"{"type": "result", "success": "yes", "messageId": "#,
        // The answer has the id of another command.
        r#"{"type": "result", "success": true, "messageId": "999", "result": {"status": 255}}"#,
        r#"{"type": "result", "success": false, "messageId": "999"}"#,
    ];
    for answer in answers {
        let server = FakeServer::start(move |command| {
            if is(command, "node.set_value") {
                vec![Step::Say(answer.to_owned())]
            } else {
                vec![Step::Usual]
            }
        })
        .await;
        let home = home(&server);
        let lamp = device(&home, "Kitchen Light").await;
        // From here on, time is simulated.
        tokio::time::pause();
        let error = home.set(&lamp, Command::Off).await.unwrap_err();
        tokio::time::resume();
        assert_eq!(error.kind(), ZwaveErrorKind::Timeout, "{answer}");
        assert_unknown(&error, "Kitchen Light");
    }
}

#[tokio::test]
async fn a_connection_closed_after_the_command_is_an_unknown_outcome() {
    for dies_at in ["node.set_value", "node.poll_value"] {
        let server = FakeServer::start(move |command| {
            if is(command, dies_at) {
                vec![Step::Die]
            } else {
                vec![Step::Usual]
            }
        })
        .await;
        let home = home(&server);
        let lamp = device(&home, "Kitchen Light").await;
        let error = home.set(&lamp, Command::Off).await.unwrap_err();
        assert_eq!(error.kind(), ZwaveErrorKind::Lost, "{dies_at}");
        assert_unknown(&error, "Kitchen Light");
    }
}

#[tokio::test]
async fn a_command_sent_in_part_is_an_unknown_outcome() {
    // The thermostat is switched on, and then refuses the temperature.
    let server = FakeServer::start(|command| {
        let class = &command["valueId"]["commandClass"];
        if is(command, "node.set_value") && *class == 67 {
            let refused = json!({"errorCode": "zwave_error", "zwaveErrorMessage": "No (ZW0322)"});
            return vec![Step::Fail(refused)];
        }
        vec![Step::Usual]
    })
    .await;
    let home = home(&server);
    let thermostat = device(&home, "Thermostat").await;
    let command = Command::Target(23.0);
    let error = home.set(&thermostat, command).await.unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::Unclear);
    assert_unknown(&error, "Thermostat");
    assert_eq!(error.detail(), "No (ZW0322)");
}

#[tokio::test]
async fn an_error_in_answer_to_the_command_is_a_refusal() {
    let server = FakeServer::start(|command| {
        if is(command, "node.set_value") {
            vec![Step::Fail(json!({"errorCode": "node_not_found"}))]
        } else {
            vec![Step::Usual]
        }
    })
    .await;
    let home = home(&server);
    let lamp = device(&home, "Kitchen Light").await;
    let error = home.set(&lamp, Command::Off).await.unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::Refused);
    assert_eq!(error.to_string(), "Kitchen Light did not take the command.");
}

#[tokio::test]
async fn a_dropped_home_closes_its_connection() {
    let server = FakeServer::willing().await;
    let home = home(&server);
    let lamp = device(&home, "Kitchen Light").await;
    assert_eq!(lamp.kind, DeviceKind::Switch);
    drop(home);
    until(async || server.closed() == 1).await;
}
