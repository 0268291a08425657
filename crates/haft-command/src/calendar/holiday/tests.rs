use jiff::civil::date;

use super::*;

#[test]
fn easter_moves_as_published() {
    for (year, month, day) in [(2024, 3, 31), (2025, 4, 20), (2026, 4, 5), (2038, 4, 25)] {
        assert_eq!(easter(year), Some(date(year, month, day)));
    }
}
