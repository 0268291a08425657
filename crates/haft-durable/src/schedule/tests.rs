use super::*;

#[test]
fn days_of_the_week_are_those_of_cron() {
    for (field, days) in [
        ("*", "*"),
        ("1-5", "MON,TUE,WED,THU,FRI"),
        ("0,6", "SUN,SAT"),
        ("7", "SUN"),
        ("5-7", "FRI,SAT,SUN"),
        ("fri-sun", "FRI,SAT,SUN"),
        ("*/2", "SUN,TUE,THU,SAT"),
    ] {
        assert_eq!(days_of_week(field).as_deref(), Some(days), "{field}");
    }
    for field in ["8", "", "1-", "x", "1/0"] {
        assert_eq!(days_of_week(field), None, "{field}");
    }
}

#[test]
fn five_fields_are_read_and_nothing_else() {
    assert_eq!(engine_cron("30 8 * * 1-2").unwrap(), "0 30 8 * * MON,TUE");
    for every in ["", "* * * *", "0 30 8 * * MON", "61 8 * * *", "x 8 * * *"] {
        let error = engine_cron(every).unwrap_err();
        assert_eq!(error.kind(), DurableErrorKind::Argument, "{every}");
    }
}

#[test]
fn the_schedule_is_in_the_id_of_its_tick() {
    let tick = "sched-every-0123456789abcdef-2026-01-02T03:04:05+00:00";
    assert_eq!(schedule_of(tick), "every-0123456789abcdef");
}
