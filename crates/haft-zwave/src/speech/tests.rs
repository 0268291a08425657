use super::*;

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn a_time_of_today_is_hours_and_minutes_in_the_zone_of_the_machine() {
    let zone = TimeZone::get("Asia/Tokyo").unwrap();
    let now = time("2026-05-03T10:00:00Z");
    assert_eq!(clock_in(&zone, time("2026-05-03T00:05:59Z"), now), "09:05");
    // Still 2 May in UTC, but 3 May in Tokyo.
    assert_eq!(clock_in(&zone, time("2026-05-02T15:00:00Z"), now), "00:00");
    assert_eq!(
        clock_in(&zone, time("2026-05-02T14:59:00Z"), now),
        "23:59 on 2 May 2026"
    );
}

#[test]
fn an_age_uses_its_largest_unit() {
    let rows = [
        (-5, "just now"),
        (1, "just now"),
        (2, "2 seconds ago"),
        (59, "59 seconds ago"),
        (60, "1 minute ago"),
        (3_599, "59 minutes ago"),
        (3_600, "1 hour ago"),
        (86_399, "23 hours ago"),
        (86_400, "1 day ago"),
        (200_000, "2 days ago"),
    ];
    for (seconds, expected) in rows {
        assert_eq!(ago(seconds), expected);
    }
}

#[test]
fn a_list_reads_like_a_sentence_and_stays_short() {
    assert_eq!(list(&[] as &[&str], "or"), "");
    assert_eq!(list(&["A"], "or"), "A");
    assert_eq!(list(&["A", "B"], "and"), "A and B");
    assert_eq!(list(&["A", "B", "C"], "or"), "A, B or C");
    assert_eq!(
        list(&["A", "B", "C", "D", "E", "F"], "or"),
        "A, B, C, D, E or F"
    );
    assert_eq!(
        list(&["A", "B", "C", "D", "E", "F", "G", "H"], "or"),
        "A, B, C, D, E, F or 2 more"
    );
}
