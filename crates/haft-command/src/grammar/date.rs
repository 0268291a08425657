//! Questions about days, weeks, months and years.

use crate::calendar::{Asked, When, end_of_year, month_of, weekday, when, year_of};
use crate::intent::Intent;
use crate::tokens::Phrase;

pub(super) fn question(phrase: Phrase<'_>) -> Option<Intent> {
    apart(phrase)
        .or_else(|| until(phrase))
        .or_else(|| number(phrase))
        .or_else(|| confirm(phrase))
        .or_else(|| day(phrase))
}

/// The unit that a distance is asked in.
fn days_or_weeks(phrase: Phrase<'_>) -> Asked {
    if phrase.has("weeks") {
        Asked::Weeks
    } else {
        Asked::Days
    }
}

fn date(asked: Asked, when: When, place: Option<String>) -> Intent {
    Intent::Date { asked, when, place }
}

/// "How many days are there between March 3 and May 1?"
fn apart(phrase: Phrase<'_>) -> Option<Intent> {
    let heads = [
        "how many days|weeks are|is? there|it? between|from",
        "how many days|weeks lie|pass between",
        "what is the number of days|weeks between|from",
        "tell|give me the? number of days|weeks between|from",
        "the? number? of? days|weeks between|from",
        "how long is it from|between",
        "how far apart are",
        "count the? days|weeks between|from",
    ];
    let phrase = phrase.without("tell me");
    let rest = phrase.strip_any(&heads)?;
    let asked = days_or_weeks(phrase);
    (1..rest.len()).find_map(|at| {
        let to = rest.from(at).strip("and|to|until|till|through")?;
        let (from, to) = (when(rest.to(at))?, when(to)?);
        // From today on is what `until` answers.
        (from != When::Today).then_some(Intent::Span { asked, from, to })
    })
}

/// "How many days until Christmas?"
fn until(phrase: Phrase<'_>) -> Option<Intent> {
    let phrase = phrase.without("tell me");
    if phrase.is("how many days are? there? left|remain|remaining in|of? the|this year") {
        return Some(date(Asked::Days, end_of_year(), None));
    }
    if phrase.is("how many days are? there? left|remain|remaining in|of? the|this month") {
        return Some(date(Asked::Days, When::MonthEnd, None));
    }
    let month = phrase
        .strip("how many days are? there? in|has|have")
        .or_else(|| phrase.between("how many days does|do", "have"));
    if let Some(month) = month {
        let year = year_of(month.last());
        let when = match (month.is("the|this? current? month"), month_of(month.at(0))) {
            (true, _) => Some(When::Today),
            (_, Some(month)) => Some(When::Fixed {
                day: 1,
                month,
                year,
            }),
            _ => when(month).filter(|when| matches!(when, When::Shift { days: 0, .. })),
        };
        return Some(date(Asked::MonthLength, when?, None));
    }
    let since = phrase
        .strip("how many days since|ago was?")
        .or_else(|| phrase.strip("how long ago was|is"))
        .or_else(|| phrase.strip("how long is it since"));
    if let Some(day) = since.and_then(when) {
        // Without a year the past is not sure to be meant.
        let is_past = matches!(day, When::Fixed { year: Some(_), .. } | When::Last(_));
        return is_past.then(|| date(Asked::Days, day, None));
    }
    let asked = days_or_weeks(phrase);
    let heads = [
        "how many more? days|weeks|sleeps are|is? there|it? left? to? go? until|till|til|to|before",
        "how many more? days|weeks|sleeps do|does i|we have? left? to? wait? until|till|til|to|before",
        "how many days|weeks are|is? there|it? between|from now|today and|until|till|til|to",
        "how long is? it? left? until|till|til|to|before",
        "the? number? of? days|weeks left? until|till|til|to|before",
    ];
    let day = phrase.strip_any(&heads)?;
    let day = day.without_end("from today|now");
    Some(date(asked, when(day)?, None))
}

/// "What week is it?", "what year is it in Samoa?"
fn number(phrase: Phrase<'_>) -> Option<Intent> {
    let asked = [
        (
            "what|which day of the year|month? is|was|will? it|today|be?",
            Asked::DayOfYear,
        ),
        (
            "what|which calendar|iso? week number? of? the? year? is|are|was|will? it|we? be|in?",
            Asked::Week,
        ),
        (
            "what is the? current|calendar|iso? week number? of? the? year?",
            Asked::Week,
        ),
        (
            "what|which month is|are|was|will? it|we? be|in?",
            Asked::Month,
        ),
        ("what is the? current? month", Asked::Month),
        (
            "what|which year is|are|was|will? it|we? be|in?",
            Asked::Year,
        ),
        ("what is the? current? year", Asked::Year),
        ("the? current|calendar week number?", Asked::Week),
    ];
    let phrase = phrase.without("tell|give|show me|us?");
    asked
        .iter()
        .find_map(|(head, asked)| Some(tail(phrase.strip(head)?)?.date(*asked)))
}

/// "Is it Monday today?"
fn confirm(phrase: Phrase<'_>) -> Option<Intent> {
    let phrase = phrase.without_end("yet|already|still");
    if let Some(year) = phrase.between("is|was", "a? leap year") {
        let when = match (year.is("it|this this? year?"), year_of(year.at(0))) {
            (true, _) => When::Today,
            (_, Some(year)) => When::Fixed {
                day: 1,
                month: 1,
                year: Some(year),
            },
            _ => when(year)?,
        };
        return Some(date(Asked::LeapYear, when, None));
    }
    let rest = phrase.strip("is|was it|today|tomorrow|yesterday|this|we")?;
    let rest = rest.without("in");
    let asked = rest
        .strip("the|a? weekend")
        .map(|rest| (Asked::IsWeekend, rest))
        .or_else(|| Some((Asked::IsMonth(month_of(rest.at(0))?), rest.from(1))))
        .or_else(|| Some((Asked::IsYear(year_of(rest.at(0))?), rest.from(1))));
    if let Some((asked, rest)) = asked {
        let named = phrase.to(2).from(1);
        let about = if named.is("it|this|we") { rest } else { named };
        return Some(tail(about)?.date(asked));
    }
    let day = weekday(rest.at(0))?;
    let named = phrase.to(2).from(1);
    let about = if named.is("it") { rest.from(1) } else { named };
    Some(tail(about)?.date(Asked::Is(day)))
}

/// "What day is it?", "what's the date next Friday?", "when is Easter?"
fn day(phrase: Phrase<'_>) -> Option<Intent> {
    let phrase = phrase.without("tell|give|show|say me|us?");
    let heads = [
        "what|which day|date|weekday of? the? week? is|was|are|does|will it|that|we|today's? be|have|fall|date? today|on?",
        "what|which day|date|weekday of? the? week? it is|was|will? be?",
        "what|which day|date|weekday of? the? week? is|was|will|does",
        "what is|was|will the|today's|our? current? day|date|weekday of? the? week? is|be|of|for?",
        "what will the? day|date be",
        "on? what|which day|date|weekday is|was|does|will",
        "when is|was|are",
        "what is|was|will",
        "today's|the|current|todays current? day|date|weekday",
        "the? current|local day|date",
        "date",
    ];
    heads
        .iter()
        .filter_map(|head| Some((head, phrase.strip(head)?)))
        .find_map(|(head, rest)| {
            let needs_day = ["when is|was|are", "what is|was|will"].contains(head);
            if needs_day && (rest.is_empty() || rest.starts("in|at")) {
                return None;
            }
            Some(tail(rest)?.date(Asked::Date))
        })
}

/// The day and the place that end a question.
struct Tail {
    when: When,
    place: Option<String>,
}

impl Tail {
    fn date(self, asked: Asked) -> Intent {
        date(asked, self.when, self.place)
    }
}

impl From<When> for Tail {
    fn from(when: When) -> Self {
        Self { when, place: None }
    }
}

/// Reads the end of a question; the day is today where none is named.
fn tail(phrase: Phrase<'_>) -> Option<Tail> {
    let phrase = phrase.without("it|that be? is?");
    let phrase = phrase.without("will|is|was it be?");
    let phrase = phrase
        .strip("the? date|day")
        .filter(|_| !phrase.starts("the? day after|before"))
        .unwrap_or(phrase);
    let phrase = phrase.without_end("be|on|fall|fall|land on?");
    if phrase.is_empty() {
        return Some(When::Today.into());
    }
    if let Some(when) = when(phrase) {
        return Some(when.into());
    }
    let at = phrase
        .words()
        .iter()
        .rposition(|word| word.lower == "in" || word.lower == "at")?;
    let place = phrase.from(at + 1);
    let place = place.without("the");
    if !super::time::is_place(place) || place.at(0).starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let day = phrase.to(at);
    let when = if day.is_empty() {
        When::Today
    } else {
        when(day)?
    };
    let place = Some(place.text());
    Some(Tail { when, place })
}
