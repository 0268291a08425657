use jiff::civil::{date, time};

use super::*;

#[test]
fn the_next_time_that_is_meant_counts() {
    let at = |times: &[i8], is_tomorrow| Until {
        times: times.iter().map(|hour| time(*hour, 0, 0, 0)).collect(),
        is_tomorrow,
        place: None,
    };
    let evening = date(2026, 11, 22).at(18, 30, 0, 0);
    for (until, expected) in [
        (at(&[19], false), "There are 30 minutes until 19:00."),
        (
            at(&[6, 18], false),
            "There are 11 hours and 30 minutes until 06:00 tomorrow.",
        ),
        (at(&[7, 19], false), "There are 30 minutes until 19:00."),
        (
            at(&[0], false),
            "There are 5 hours and 30 minutes until 00:00 tomorrow.",
        ),
        // More than a day away.
        (
            at(&[20], true),
            "There are 25 hours and 30 minutes until 20:00 tomorrow.",
        ),
    ] {
        assert_eq!(until_time(&until, evening), expected);
    }
    let late = date(2026, 11, 22).at(17, 59, 30, 0);
    assert_eq!(
        until_time(&at(&[18], false), late),
        "There is 1 minute until 18:00."
    );
}
