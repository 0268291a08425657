//! Which names are equal after normalisation.

use super::{match_key, normalize_key};

#[test]
fn case_underscores_hyphens_and_spaces_do_not_count() {
    for name in [
        "deviceName",
        "device_name",
        "DEVICE-NAME",
        "Device Name",
        "devicename_",
    ] {
        assert_eq!(normalize_key(name), "devicename", "{name}");
    }
    assert_ne!(normalize_key("device.name"), "devicename");
}

#[test]
fn a_match_is_unique_and_not_empty() {
    assert_eq!(match_key("NODE_ID", ["nodeId", "name"]), Some("nodeId"));
    assert_eq!(match_key("nodeid", ["nodeId", "node_id"]), None);
    assert_eq!(match_key("_", ["-"]), None);
    assert_eq!(match_key("x", []), None);
}
