use super::*;

#[test]
fn equal_warnings_are_counted_and_the_number_is_told_after_a_minute() {
    let began = Instant::now();
    let mut counted = Counted::new(began);
    for _ in 0..LOGGED {
        assert_eq!(counted.verdict(began), Verdict::Log { left_out: 0 });
    }
    for _ in 0..412_000 {
        assert_eq!(counted.verdict(began), Verdict::LeaveOut);
    }
    let later = began + PERIOD;
    assert_eq!(counted.verdict(later), Verdict::Log { left_out: 412_000 });
    assert_eq!(counted.verdict(later), Verdict::Log { left_out: 0 });
}

#[test]
fn the_number_is_a_field_in_both_forms() {
    assert_eq!(
        with_count("WARN it failed\n", 3, LogFormat::Text),
        "WARN it failed and_before=3\n"
    );
    assert_eq!(
        with_count("{\"level\":\"WARN\"}\n", 3, LogFormat::Json),
        "{\"level\":\"WARN\",\"and_before\":3}\n"
    );
}

#[test]
fn the_number_of_kinds_is_bounded() {
    let (mut kinds, now) = (HashMap::new(), Instant::now());
    let place = Identifier(tracing::callsite!(
        name: "test",
        kind: tracing::metadata::Kind::EVENT,
        fields: message
    ));
    for number in 0..1000 {
        let kind = Kind::Of {
            place: place.clone(),
            cause: number.to_string(),
        };
        counted(&mut kinds, kind, now);
    }
    assert_eq!(kinds.len(), MOST_KINDS + 1);
}
