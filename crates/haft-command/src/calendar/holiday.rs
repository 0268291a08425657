//! The holidays that people ask about, and when they are.

use jiff::civil::{Date, Weekday};

use crate::tokens::Phrase;

/// A holiday that people ask about by its name.
#[derive(Debug, PartialEq)]
pub(crate) struct Holiday {
    /// As it is written in an answer.
    pub(crate) name: &'static str,
    /// The pattern of how it is said.
    said: &'static str,
    rule: Rule,
}

/// When a holiday is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    /// On this day of this month, every year.
    Fixed(i8, i8),
    /// Easter Sunday of the western churches.
    Easter,
    /// The fourth Thursday of November.
    Thanksgiving,
}

impl Holiday {
    const fn new(name: &'static str, said: &'static str, rule: Rule) -> Self {
        Self { name, said, rule }
    }

    /// The holiday that `phrase` is, all of it.
    pub(super) fn named(phrase: Phrase<'_>) -> Option<&'static Self> {
        HOLIDAYS.iter().find(|holiday| phrase.is(holiday.said))
    }

    /// The date of the holiday in `year`.
    pub(super) fn day(&self, year: i16) -> Option<Date> {
        match self.rule {
            Rule::Fixed(day, month) => Date::new(year, month, day).ok(),
            Rule::Easter => easter(year),
            Rule::Thanksgiving => Date::new(year, 11, 1)
                .ok()?
                .nth_weekday_of_month(4, Weekday::Thursday)
                .ok(),
        }
    }
}

static HOLIDAYS: [Holiday; 15] = [
    Holiday::new("Christmas Eve", "christmas eve", Rule::Fixed(24, 12)),
    Holiday::new("Christmas", "christmas|xmas day?", Rule::Fixed(25, 12)),
    Holiday::new("Boxing Day", "boxing day", Rule::Fixed(26, 12)),
    Holiday::new(
        "New Year's Eve",
        "new year's|years eve",
        Rule::Fixed(31, 12),
    ),
    Holiday::new(
        "New Year's Day",
        "the? new year|year's|years day?",
        Rule::Fixed(1, 1),
    ),
    Holiday::new(
        "Valentine's Day",
        "valentine's|valentines|valentine day",
        Rule::Fixed(14, 2),
    ),
    Holiday::new(
        "St. Patrick's Day",
        "st|saint patrick's|patricks day",
        Rule::Fixed(17, 3),
    ),
    Holiday::new(
        "April Fools' Day",
        "april fools|fool's|fools' day",
        Rule::Fixed(1, 4),
    ),
    Holiday::new("Independence Day", "independence day", Rule::Fixed(4, 7)),
    Holiday::new("Halloween", "halloween", Rule::Fixed(31, 10)),
    Holiday::new(
        "All Saints' Day",
        "all saints|saints' day",
        Rule::Fixed(1, 11),
    ),
    Holiday::new("Labour Day", "labour day", Rule::Fixed(1, 5)),
    Holiday::new("Epiphany", "epiphany", Rule::Fixed(6, 1)),
    Holiday::new("Easter", "easter sunday?", Rule::Easter),
    Holiday::new("Thanksgiving", "thanksgiving day?", Rule::Thanksgiving),
];

/// Easter Sunday by the anonymous Gregorian computus.
fn easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y % 19, y / 100, y % 100);
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let days = h + l - 7 * m + 114;
    Date::new(
        year,
        i8::try_from(days / 31).ok()?,
        i8::try_from(days % 31 + 1).ok()?,
    )
    .ok()
}

#[cfg(test)]
mod tests;
