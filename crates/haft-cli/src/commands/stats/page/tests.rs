use super::*;

const PIPE: Page = Page {
    bars: false,
    colours: false,
};

#[test]
fn bars_are_as_long_as_the_share_and_columns_stay() {
    let page = Page { bars: true, ..PIPE };
    for (tries, successes, full) in [
        (0, 0, 0),
        (50, 0, 0),
        (100, 2, 0),
        (100, 3, 1),
        (2, 1, 10),
        (100, 97, 19),
        (100, 98, 20),
        (7, 7, 20),
    ] {
        let bar = page.bar(SuccessCount::new(tries, successes));
        let blocks = bar.chars().filter(|c| *c == '█').count();
        assert_eq!((blocks, bar.chars().count()), (full, 22), "{successes}");
        assert_eq!(PIPE.bar(SuccessCount::new(tries, successes)), "");
    }
}

#[test]
fn colours_are_for_terminals() {
    let count = SuccessCount::new(4, 3);
    let median = Some(Duration::from_millis(812));
    assert_eq!(
        PIPE.rate(count, median),
        "   75.0 %  3 of 4        median 812 ms"
    );
    let coloured = Page {
        bars: true,
        colours: true,
    };
    assert!(coloured.rate(count, median).contains('\u{1b}'));
}

#[test]
fn a_share_of_zero_tries_is_empty() {
    assert_eq!(percent(SuccessCount::new(0, 0)).trim(), "-");
}
