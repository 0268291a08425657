use haft_core::ToolMessage;
use jiff::civil::{date, time};

use super::*;

#[test]
fn a_moment_is_read_in_every_form() {
    for text in [
        "It is 13:45 in Tokyo on Sunday, 22 November 2026 (Asia/Tokyo).",
        "{\"timezone\":\"Asia/Tokyo\",\"datetime\":\"2026-11-22T13:45:00+09:00\"}",
        "2026-11-22T13:45:00+09:00",
        "The time is 2026-11-22 13:45:00.",
    ] {
        let moment = moment(&ToolMessage::success(text, "c"));
        assert_eq!(moment.date, Some(date(2026, 11, 22)), "{text}");
        assert_eq!(
            moment.time.map(|time| (time.hour(), time.minute())),
            Some((13, 45)),
            "{text}"
        );
    }
    let nothing = moment(&ToolMessage::success("soon", "c"));
    assert_eq!((nothing.date, nothing.time), (None, None::<Time>));
    assert_eq!(clock_time("13:45"), Some(time(13, 45, 0, 0)));
}

#[test]
fn zones_are_found_for_tools_that_want_them() {
    assert_eq!(iana(Some("new york")).as_deref(), Some("America/New_York"));
    assert_eq!(iana(Some("asia/tokyo")).as_deref(), Some("Asia/Tokyo"));
    assert_eq!(iana(Some("nowhere")), None);
    assert!(iana(None).is_some());
}
