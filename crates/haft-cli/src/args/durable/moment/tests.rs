use super::*;

#[test]
fn moments_are_read_in_the_zone_of_the_machine() {
    let now: Zoned = "2030-01-31T12:00:00[Europe/Berlin]".parse().unwrap();
    for (text, moment) in [
        ("18:00", "2030-01-31T17:00:00Z"),
        ("11:59", "2030-02-01T10:59:00Z"),
        ("2030-07-01 08:00", "2030-07-01T06:00:00Z"),
        ("2030-07-01T08:00:00Z", "2030-07-01T08:00:00Z"),
    ] {
        let read = moment_after(text, &now).map(|moment| moment.to_string());
        assert_eq!(read.as_deref(), Ok(moment), "{text}");
    }
}

#[test]
fn what_has_passed_or_is_no_moment_is_refused() {
    let now: Zoned = "2030-01-31T12:00:00[Europe/Berlin]".parse().unwrap();
    let passed = moment_after("2030-01-31 11:00", &now).unwrap_err();
    assert_eq!(passed, "that time has passed");
    let wrong = moment_after("soon", &now).unwrap_err();
    assert!(wrong.starts_with("write 18:00"), "{wrong}");
}
