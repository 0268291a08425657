use jiff::civil::date;

use super::*;
use crate::tokens::words;

fn day(text: &str) -> Option<Date> {
    let tokens = words(text);
    resolve(&when(Phrase::new(text, &tokens))?, date(2026, 11, 22))
}

#[test]
fn days_are_understood_as_said() {
    for (text, expected) in [
        ("today", date(2026, 11, 22)),
        ("tomorrow", date(2026, 11, 23)),
        ("the day after tomorrow", date(2026, 11, 24)),
        ("yesterday", date(2026, 11, 21)),
        ("in 3 days", date(2026, 11, 25)),
        ("in two weeks", date(2026, 12, 6)),
        ("in a month", date(2026, 12, 22)),
        ("10 days ago", date(2026, 11, 12)),
        ("next Friday", date(2026, 11, 27)),
        ("on Sunday", date(2026, 11, 29)),
        ("last Friday", date(2026, 11, 20)),
        ("2026-12-31", date(2026, 12, 31)),
        ("25 December 2026", date(2026, 12, 25)),
        ("December 25th, 2026", date(2026, 12, 25)),
        ("the 4th of July", date(2027, 7, 4)),
        ("29 February", date(2028, 2, 29)),
        ("Christmas", date(2026, 12, 25)),
        ("New Year's Eve", date(2026, 12, 31)),
        ("new year", date(2027, 1, 1)),
        ("Easter", date(2027, 3, 28)),
        ("Thanksgiving", date(2026, 11, 26)),
    ] {
        assert_eq!(day(text), Some(expected), "{text}");
    }
    for text in [
        "",
        "Tokyo",
        "30 February 2026",
        "in some days",
        "2026-13-01",
        "the lamp",
    ] {
        assert_eq!(day(text), None, "{text}");
    }
}

#[test]
fn far_away_is_said_and_not_computed() {
    let far = When::Shift {
        days: 0,
        months: 1_200_000,
    };
    assert_eq!(
        sentence(Asked::Date, &far, date(2026, 11, 22)),
        "I cannot reckon that far."
    );
}

#[test]
fn a_date_is_found_in_a_sentence() {
    for text in [
        "It is 13:45 in Tokyo on Sunday, 22 November 2026 (Asia/Tokyo).",
        "{\"datetime\": \"2026-11-22T13:45:00+09:00\"}",
    ] {
        let tokens = words(&text.replace('"', " "));
        assert_eq!(
            find_date(Phrase::new(text, &tokens)),
            Some(date(2026, 11, 22)),
            "{text}"
        );
    }
}
