use super::*;

async fn call(home: &Home, name: &str, arguments: Value) -> (String, Value) {
    let tools = zwave_tools(home.clone());
    let tool = tools.iter().find(|tool| tool.name() == name).unwrap();
    let input = ToolInput::from(arguments.as_object().unwrap().clone());
    let output = tool.invoke(input).await.unwrap();
    (
        output.value.as_str().unwrap().to_owned(),
        output.artifact.unwrap(),
    )
}

fn names(artifact: &Value) -> Vec<&str> {
    let devices = artifact["devices"].as_array().unwrap();
    devices
        .iter()
        .map(|device| device["name"].as_str().unwrap())
        .collect()
}

#[test]
fn s003_04_the_six_tools_have_the_names_that_device_queries_are_given() {
    let tools = zwave_tools(Home::demo());
    let names: Vec<_> = tools.iter().map(Tool::name).collect();
    assert_eq!(
        names,
        [
            "list_zwave_devices",
            "list_devices",
            "verify_device",
            "control_zwave_device",
            "get_device_sensor_data",
            "check_zwave_health",
        ]
    );
}

#[test]
fn schemas_and_descriptions_match_the_snapshot() {
    let tools = zwave_tools(Home::demo());
    let shown: Vec<_> = tools
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name(),
                "description": tool.description(),
                "schema": tool.schema(),
                "annotations": tool.annotations(),
            })
        })
        .collect();
    // The text is compared, because serializers other than serde_json's may keep more of a number
    // than its digits.
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap());
}

#[test]
fn descriptions_are_short_enough_for_small_models() {
    for tool in zwave_tools(Home::demo()) {
        let words = tool.description().split_whitespace().count();
        assert!((8..100).contains(&words), "{}: {words}", tool.name());
    }
}

#[tokio::test]
async fn list_zwave_devices_hides_what_is_offline_unless_asked() {
    let home = Home::demo();
    let (text, artifact) = call(&home, "list_zwave_devices", json!({})).await;
    assert!(
        text.starts_with("13 devices:\n- Bathroom Humidity (Bathroom): online, 58 %\n"),
        "{text}"
    );
    assert!(
        text.ends_with("Not shown: 1 offline device (includeInactive shows them)."),
        "{text}"
    );
    assert!(!names(&artifact).contains(&"Balcony Light"));
    assert_eq!(
        (&artifact["total"], &artifact["hidden"]),
        (&json!(13), &json!(1))
    );

    let (text, artifact) = call(
        &home,
        "list_zwave_devices",
        json!({"includeInactive": true}),
    )
    .await;
    assert!(
        text.starts_with("14 devices:\n- Balcony Light (Balcony): offline, off\n"),
        "{text}"
    );
    assert_eq!(names(&artifact).len(), 14);
}

#[tokio::test]
async fn list_zwave_devices_filters_by_name_and_room() {
    let home = Home::demo();
    let (text, artifact) = call(&home, "list_zwave_devices", json!({"filter": "KITCHEN"})).await;
    assert_eq!(names(&artifact), ["Coffee Machine", "Kitchen Light"]);
    assert_eq!(
        text,
        "2 devices for \"KITCHEN\":\n- Coffee Machine (Kitchen): online, off\n\
         - Kitchen Light (Kitchen): online, off"
    );
    let (_, artifact) = call(&home, "list_zwave_devices", json!({"filter": "lights"})).await;
    assert_eq!(
        names(&artifact),
        [
            "Bedroom Light",
            "Hallway Light",
            "Kitchen Light",
            "Living Room Lamp",
            "Reading Light"
        ]
    );
    let (text, artifact) = call(&home, "list_zwave_devices", json!({"filter": "garage"})).await;
    assert!(names(&artifact).is_empty());
    assert_eq!(
        text,
        "No devices for \"garage\". The rooms are Balcony, Bathroom, Bedroom, Hallway, Kitchen and \
         Living Room."
    );
}

#[tokio::test]
async fn list_devices_pages_through_all() {
    let home = Home::demo();
    let (text, first) = call(&home, "list_devices", json!({})).await;
    assert!(text.starts_with("Showing 10 of 14 devices:\n- Balcony Light (switch) in Balcony: off, inactive, last seen "), "{text}");
    assert!(
        text.ends_with("\nFor more, call list_devices with offset 10."),
        "{text}"
    );
    assert_eq!(first["nextOffset"], 10);
    let (text, rest) = call(&home, "list_devices", json!({"offset": 10})).await;
    assert!(text.starts_with("Showing 4 of 14 devices:"), "{text}");
    assert!(!text.contains("offset"), "{text}");
    assert_eq!(rest["nextOffset"], Value::Null);

    let (_, all) = call(&home, "list_devices", json!({"limit": 100})).await;
    assert_eq!([names(&first), names(&rest)].concat(), names(&all));
}

#[tokio::test]
async fn list_devices_checks_its_bounds() {
    let home = Home::demo();
    for (arguments, shown, next) in [
        (json!({"limit": 1}), 1, json!(1)),
        (json!({"limit": 13}), 13, json!(13)),
        (json!({"limit": 14}), 14, Value::Null),
        (json!({"limit": 1, "offset": 13}), 1, Value::Null),
        (json!({"offset": 14}), 0, Value::Null),
        (json!({"offset": u32::MAX}), 0, Value::Null),
    ] {
        let (text, artifact) = call(&home, "list_devices", arguments).await;
        assert_eq!(names(&artifact).len(), shown, "{text}");
        assert_eq!(artifact["nextOffset"], next, "{text}");
    }
    let (text, _) = call(&home, "list_devices", json!({"offset": 20})).await;
    assert_eq!(
        text,
        "Nothing to show: the home has 14 devices, and offset is 20."
    );
    let tool = zwave_tools(home).remove(1);
    for bad in [
        json!({"limit": 0}),
        json!({"limit": 101}),
        json!({"offset": -1}),
    ] {
        let input = ToolInput::from(bad.as_object().unwrap().clone());
        let error = tool.invoke(input).await.unwrap_err();
        assert_eq!(error.kind(), haft_core::ToolErrorKind::InvalidArguments);
    }
}

#[tokio::test]
async fn verify_device_reports_the_kind_and_state() {
    let home = Home::demo();
    let (text, artifact) = call(
        &home,
        "verify_device",
        json!({"deviceName": "bedroom light"}),
    )
    .await;
    assert!(
        text.starts_with("Bedroom Light is on at 40 percent. It is a dimmer in the Bedroom, online, last seen at "),
        "{text}"
    );
    assert_eq!(artifact["exists"], true);
    assert_eq!(artifact["device"]["level"], 40);

    let (text, _) = call(
        &home,
        "verify_device",
        json!({"deviceName": "front door lock"}),
    )
    .await;
    assert!(
        text.starts_with("Front Door Lock is locked. It is a lock in the Hallway"),
        "{text}"
    );
    let (text, _) = call(
        &home,
        "verify_device",
        json!({"deviceName": "front door sensor"}),
    )
    .await;
    assert!(
        text.starts_with("Front Door Sensor reports closed. "),
        "{text}"
    );
    let (text, _) = call(
        &home,
        "verify_device",
        json!({"deviceName": "balcony light"}),
    )
    .await;
    assert!(
        text.contains("but it is offline and was last seen at"),
        "{text}"
    );
}

#[tokio::test]
async fn verify_device_suggests_and_asks_instead_of_failing() {
    let home = Home::demo();
    let (text, artifact) = call(
        &home,
        "verify_device",
        json!({"deviceName": "kitchn light"}),
    )
    .await;
    assert_eq!(
        text,
        "I could not find a device called \"kitchn light\". Did you mean Kitchen Light?"
    );
    assert_eq!(
        artifact,
        json!({"exists": false, "suggestions": ["Kitchen Light"]})
    );
    let (text, artifact) = call(&home, "verify_device", json!({"deviceName": "front door"})).await;
    assert_eq!(
        text,
        "\"front door\" could be Front Door Lock or Front Door Sensor. Which one do you mean?"
    );
    assert_eq!(names(&artifact), ["Front Door Lock", "Front Door Sensor"]);
}

#[tokio::test]
async fn get_device_sensor_data_answers_the_words_of_a_question() {
    let home = Home::demo();
    for (words, value) in [
        ("temperature in the living room", json!(21.5)),
        ("living room temperature", json!(21.5)),
        ("bedroom temp", json!(18.5)),
        ("temperature in the hallway", json!(20.5)),
        ("humidity", json!(58.0)),
        ("motion in the hallway", json!("no motion")),
        ("front door", json!("closed")),
        ("front door lock", json!("locked")),
        ("kitchen light", json!("off")),
    ] {
        let arguments = json!({"deviceName": words});
        let (text, artifact) = call(&home, "get_device_sensor_data", arguments).await;
        assert_eq!(artifact["value"], value, "{words}: {text}");
        assert_eq!(artifact["stale"], false);
        assert_eq!(artifact["source"], home.label());
    }
}

#[tokio::test]
async fn check_zwave_health_counts_or_says_what_is_wrong() {
    let (text, artifact) = call(&Home::demo(), "check_zwave_health", json!({})).await;
    assert_eq!(
        text,
        "The demo home (simulated) is available with 14 devices, 13 of them online."
    );
    assert_eq!(
        (&artifact["available"], &artifact["nodeCount"]),
        (&json!(true), &json!(14))
    );

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.json");
    let home = Home::demo_file(&path).unwrap();
    std::fs::write(&path, "nonsense").unwrap();
    let (text, artifact) = call(&home, "check_zwave_health", json!({})).await;
    assert!(
        text.starts_with("The demo home (simulated) is not available. The file "),
        "{text}"
    );
    assert!(
        text.ends_with("Correct it, or delete the file to start again with the default home."),
        "{text}"
    );
    assert_eq!(artifact["available"], false);
}

#[tokio::test]
async fn concurrent_controls_lose_nothing() {
    let home = Home::demo();
    let lamps = [
        "Kitchen Light",
        "Coffee Machine",
        "Living Room Lamp",
        "Hallway Light",
    ];
    let tasks: Vec<_> = lamps
        .map(|name| {
            let home = home.clone();
            tokio::spawn(async move {
                for action in ["off", "on", "off", "on"] {
                    let arguments = json!({"deviceName": name, "action": action});
                    call(&home, "control_zwave_device", arguments).await;
                }
            })
        })
        .into();
    for task in tasks {
        task.await.unwrap();
    }
    for name in lamps {
        let (_, artifact) = call(&home, "verify_device", json!({"deviceName": name})).await;
        assert_eq!(artifact["device"]["on"], true, "{name}");
    }
}
