use super::*;

fn network(nodes: &Value) -> Network {
    let raw = serde_json::value::to_raw_value(&json!({"state": {"nodes": nodes}})).unwrap();
    Network::read(&raw).unwrap()
}

#[test]
fn names_are_one_short_visible_line() {
    let long = "Lamp ".repeat(100);
    let network = network(&json!([
        {"nodeId": 2, "name": "Kitchen\n\nLight\u{202e}\u{200b} \u{e0041}", "location": "\tHall\u{0} "},
        {"nodeId": 3, "name": long},
    ]));
    let names: Vec<_> = network
        .nodes
        .values()
        .map(|node| node.name.as_str())
        .collect();
    assert_eq!(names[0], "Kitchen Light");
    assert_eq!(network.nodes[&2].location, "Hall");
    assert_eq!(names[1].chars().count(), MAX_NAME);
}

#[test]
fn the_size_of_a_network_is_limited() {
    let values: Vec<_> = (0..MAX_VALUES + 100)
        .map(|number| json!({"commandClass": 49, "property": format!("p{number}")}))
        .collect();
    let nodes: Vec<_> = (0..MAX_NODES + 10)
        .map(
            |id| json!({"nodeId": id, "values": if id == 0 { values.clone() } else { Vec::new() }}),
        )
        .collect();
    let network = network(&json!(nodes));
    assert_eq!(network.nodes.len(), MAX_NODES);
    assert_eq!(network.nodes[&0].values.len(), MAX_VALUES);
}

#[test]
fn the_controller_and_unused_values_are_discarded() {
    let network = network(&json!([
        {"nodeId": 1, "isControllerNode": true},
        {"nodeId": 2, "values": [
            {"commandClass": 112, "property": 3, "value": 5},
            {"commandClass": 134, "property": "libraryType", "value": 3},
        ]},
    ]));
    assert_eq!(network.nodes.keys().collect::<Vec<_>>(), [&2]);
    assert!(network.nodes[&2].values.is_empty());
}

#[test]
fn events_update_status_and_time() {
    let now = "2026-11-22T20:00:00Z".parse().unwrap();
    let mut network = network(&json!([{"nodeId": 2, "status": 4}]));
    let mut happened = |event: Value| {
        network.apply(&event, now);
        (
            network.nodes[&2].status,
            network.nodes[&2].last_seen,
            network.stale,
        )
    };
    let of_node = |event: &str| json!({"source": "node", "event": event, "nodeId": 2});
    assert_eq!(happened(of_node("sleep")), (Status::Asleep, None, false));
    assert_eq!(happened(of_node("dead")), (Status::Dead, None, false));
    let mut event = of_node("statistics updated");
    // Values from recorded traffic.
    event["statistics"] = json!({"commandsTX": 13, "lastSeen": "2026-11-22T19:47:06.303Z"});
    let seen = "2026-11-22T19:47:06.303Z".parse().ok();
    assert_eq!(happened(event.clone()), (Status::Dead, seen, false));
    event["statistics"]["lastSeen"] = json!("yesterday");
    assert_eq!(happened(event), (Status::Dead, seen, false));
    assert_eq!(
        happened(of_node("wake up")),
        (Status::Alive, Some(now), false)
    );
    assert!(happened(json!({"source": "controller", "event": "node added", "node": {}})).2);
}
