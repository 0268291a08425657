use super::*;

#[test]
fn ids_are_read_as_they_are_written() {
    for id in [
        "0.0",
        "2.17",
        "0.3.1767225600000.4",
        "1.2.waiting",
        "0.9.ended",
    ] {
        assert_eq!(id.parse::<RunEventId>().unwrap().to_string(), id);
    }
    for id in ["", "1", "1.x", "1.2.3", "1.2.3.4.5", "-1.2"] {
        assert!(id.parse::<RunEventId>().is_err(), "{id}");
    }
}
