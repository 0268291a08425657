use super::*;
use insta::assert_snapshot;

fn table() -> Table {
    let row = |name: &str, first: &str| {
        let cells = [
            name,
            "50",
            first,
            "58.0 %",
            "72.0 % (58.3 to 82.5)",
            "+16.0 (+6.0 to +28.0)",
        ];
        cells.map(str::to_owned).to_vec()
    };
    let rows = [
        row("all", "56.0 % (42.3 to 68.8)"),
        row("no call expected", "100.0 % (72.2 to 100.0)"),
    ];
    let headings = ["", "cases", "first try", "repaired", "recovered", "gain"];
    Table::new(&headings, rows.into_iter())
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap()
}

#[test]
fn a_wide_terminal_has_one_table() {
    assert_snapshot!(table().text(Some(200)), @r"
                      cases                first try  repaired              recovered                   gain
    all                  50    56.0 % (42.3 to 68.8)    58.0 %  72.0 % (58.3 to 82.5)  +16.0 (+6.0 to +28.0)
    no call expected     50  100.0 % (72.2 to 100.0)    58.0 %  72.0 % (58.3 to 82.5)  +16.0 (+6.0 to +28.0)
    ");
    assert_eq!(table().text(None), table().text(Some(200)));
}

#[test]
fn a_usual_terminal_has_two_parts() {
    let text = table().text(Some(80));
    assert!(widest(&text) <= 80, "{text}");
    assert_snapshot!(text, @r"
                      cases                first try  repaired
    all                  50    56.0 % (42.3 to 68.8)    58.0 %
    no call expected     50  100.0 % (72.2 to 100.0)    58.0 %

                                  recovered                   gain
    all               72.0 % (58.3 to 82.5)  +16.0 (+6.0 to +28.0)
    no call expected  72.0 % (58.3 to 82.5)  +16.0 (+6.0 to +28.0)
    ");
}

#[test]
fn a_narrow_terminal_has_a_list() {
    let text = table().text(Some(40));
    assert!(widest(&text) <= 40, "{text}");
    assert_snapshot!(text, @r"
    all
      cases      50
      first try  56.0 % (42.3 to 68.8)
      repaired   58.0 %
      recovered  72.0 % (58.3 to 82.5)
      gain       +16.0 (+6.0 to +28.0)
    no call expected
      cases      50
      first try  100.0 % (72.2 to 100.0)
      repaired   58.0 %
      recovered  72.0 % (58.3 to 82.5)
      gain       +16.0 (+6.0 to +28.0)
    ");
}

#[test]
fn words_are_never_cut() {
    let words = "intervals hold with confidence";
    for width in [1, 12, 40, 80] {
        let text = wrapped(words, width, "");
        let back: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(back.join(" "), words, "{width}");
        assert!(widest(&text) <= width.max("confidence".len()), "{text}");
    }
    for width in 1..120 {
        let words: Vec<String> = table()
            .text(Some(width))
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        assert!(words.iter().any(|word| word == "expected"), "{width}");
    }
}
