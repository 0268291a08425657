//! Which expressions are evaluated, and which strings are unchanged.

use super::worked_out;

fn of(text: &str, whole: bool) -> Option<String> {
    worked_out(text, whole).map(|number| number.to_string())
}

#[test]
fn expressions_of_plain_numbers_are_evaluated() {
    for (text, whole, expected) in [
        ("3/100", false, "0.03"),
        ("5+7", true, "12"),
        ("5 + 7", false, "12"),
        ("2800 * 5", false, "14000"),
        ("2*12", true, "24"),
        ("5*10**(-12)", false, "5e-12"),
        ("60 * 60 * 24", true, "86400"),
        ("100 - 20", true, "80"),
        ("(1 + 2) * 3", true, "9"),
        ("-2 * 3", true, "-6"),
        ("10/4", false, "2.5"),
        ("10/5", true, "2"),
        ("1.5e3*2", false, "3000"),
        ("2 ** 10", true, "1024"),
    ] {
        assert_eq!(of(text, whole).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn ambiguous_strings_are_unchanged() {
    for text in [
        "5",
        "-5",
        "(5)",
        "2023-01-05",
        "2023/01/05",
        "1/2/2023",
        "10-12",
        "555-1234",
        "10 -12",
        "3/0",
        "1,000 + 1",
        "2 * x",
        "x * 2",
        "2 * <speed>",
        "+",
        "2 +",
        "* 2",
        "2 ** 999",
        "2 2",
        "01 + 1",
        "((((((((((((1+1))))))))))))",
        "1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1",
    ] {
        assert_eq!(of(text, false), None, "{text}");
    }
    // The result is not an integer.
    for text in [
        "3/100",
        "10/4",
        "2 ** -1",
        "2 ** 64 * 2",
        "5000 + 1/10 ** 60",
    ] {
        assert_eq!(of(text, true), None, "{text}");
    }
}
