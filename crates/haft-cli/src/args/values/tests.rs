use super::*;

#[test]
fn times_are_read_with_and_without_unit() {
    for (text, milliseconds) in [
        ("30", 30_000),
        ("30s", 30_000),
        ("1.5", 1_500),
        ("500ms", 500),
        ("2m", 120_000),
        ("2 m", 120_000),
        ("1h", 3_600_000),
    ] {
        assert_eq!(
            duration(text),
            Ok(Duration::from_millis(milliseconds)),
            "{text}"
        );
    }
}

#[test]
fn times_that_have_passed_are_whole_and_have_a_unit() {
    let minutes = |minutes: u64| Ok(Duration::from_secs(60 * minutes));
    assert_eq!(past("30m"), minutes(30));
    assert_eq!(past(" 12h"), minutes(12 * 60));
    assert_eq!(past("7d"), minutes(7 * 24 * 60));
    assert_eq!(past("4w"), minutes(28 * 24 * 60));
    for text in [
        "",
        "d",
        "7",
        "7 d",
        "-7d",
        "1.5d",
        "7D",
        "7y",
        "9999999999d",
        "seven",
    ] {
        assert!(past(text).is_err(), "{text}");
    }
}

#[test]
fn times_that_make_no_sense_are_refused() {
    for text in [
        "", "s", "0", "-1", "0s", "1d", "1.2.3", "25h", "soon", "inf", "NaN",
    ] {
        assert!(duration(text).is_err(), "{text}");
    }
}

#[test]
fn a_home_is_the_demo_home_or_a_server() {
    assert_eq!(home("demo"), Ok(HomeSpec::Demo));
    let file = HomeSpec::DemoFile("a:b.json".into());
    assert_eq!(home("demo:a:b.json"), Ok(file));
    let url = "ws://127.0.0.1:3000";
    assert_eq!(home(url), Ok(HomeSpec::Server(url.to_owned())));
    for text in ["", "demo:", "Demo", "zwave", "zwave:x", "http://127.0.0.1"] {
        assert!(home(text).is_err(), "{text}");
    }
}

#[test]
fn temperatures_go_from_0_to_2() {
    assert_eq!(temperature("0"), Ok(0.0));
    assert_eq!(temperature("2"), Ok(2.0));
    for text in ["-0.1", "2.1", "NaN", "inf", "warm", ""] {
        assert!(temperature(text).is_err(), "{text}");
    }
}
