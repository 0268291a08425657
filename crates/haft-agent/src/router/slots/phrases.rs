//! The parts of a question that can be arguments: numbers, dates, quotations and names.

/// Words that introduce what a question is about: "the weather in Oslo".
const BEFORE_NAMES: [&str; 12] = [
    "in", "at", "for", "of", "to", "from", "about", "on", "near", "named", "called", "with",
];

/// Words that end a name.
const AFTER_NAMES: [&str; 16] = [
    "in", "at", "for", "of", "to", "from", "about", "on", "near", "and", "or", "is", "today",
    "now", "right", "please",
];

const NUMBER_WORDS: [(&str, f64); 21] = [
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("hundred", 100.0),
    ("half", 0.5),
    ("dozen", 12.0),
];

const DAYS: [&str; 10] = [
    "today",
    "tomorrow",
    "yesterday",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// True when the question has this choice in it, with spaces for underscores and without regard
/// to case, as whole words.
pub(super) fn says(question: &str, choice: &str) -> bool {
    let wanted = simple_words(choice);
    let words = simple_words(question);
    !wanted.is_empty() && words.windows(wanted.len()).any(|part| part == wanted)
}

/// The numbers of a question, in digits or as words.
pub(super) fn numbers(question: &str) -> Vec<f64> {
    let mut found = Vec::new();
    for word in question.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-');
        let digits = bare.trim_end_matches(|c: char| !c.is_ascii_digit());
        let lower = bare.to_lowercase();
        let spoken = NUMBER_WORDS.iter().find(|(name, _)| *name == lower);
        let number = digits.parse().ok().or(spoken.map(|(_, number)| *number));
        found.extend(number.filter(|number| !found.contains(number)));
    }
    found
}

/// The dates of a question: as `2026-03-14`, or the name of a day.
pub(super) fn dates(question: &str) -> Vec<String> {
    let trimmed = question
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_date = |word: &&str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let is_written = digits == 8 && word.len() == 10 && word.matches('-').count() == 2;
        is_written || DAYS.contains(&word.to_lowercase().as_str())
    };
    trimmed.filter(is_date).map(str::to_owned).collect()
}

/// The words of a question that have a digit: numbers of orders, rooms and flights.
pub(super) fn codes(question: &str) -> Vec<String> {
    let words = question.split_whitespace();
    let bare = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    bare.filter(|word| word.contains(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// True for a question that names something for sure: in quotation marks, with a capital letter, or
/// by a number.
pub(crate) fn is_named(question: &str) -> bool {
    !quotations(question).is_empty()
        || !capitalised(question).is_empty()
        || !codes(question).is_empty()
}

/// What a question may name: quotations first, then words with a capital letter, then what stands
/// behind a preposition. The first kind that is found counts alone.
pub(super) fn names(question: &str) -> Vec<String> {
    let quoted = quotations(question);
    if !quoted.is_empty() {
        return quoted;
    }
    let capitals = capitalised(question);
    if !capitals.is_empty() {
        return capitals;
    }
    behind_prepositions(question)
}

fn quotations(question: &str) -> Vec<String> {
    let parts: Vec<&str> = question.split(['"', '“', '”']).collect();
    let inner = parts.iter().skip(1).step_by(2);
    // An odd part at the end has no closing mark.
    let closed = inner.take(parts.len().saturating_sub(1) / 2);
    closed
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// Runs of words with a capital letter that do not begin a sentence.
fn capitalised(question: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    let mut begins_sentence = true;
    for word in question.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_name = bare.starts_with(char::is_uppercase)
            && !begins_sentence
            && bare != "I"
            && !bare.starts_with("I'");
        if is_name {
            run.push(bare);
        }
        let ends = word.ends_with([',', '.', '?', '!', ';', ':']);
        if (!is_name || ends) && !run.is_empty() {
            found.push(run.join(" "));
            run.clear();
        }
        begins_sentence = word.ends_with(['.', '?', '!', ':']);
    }
    if !run.is_empty() {
        found.push(run.join(" "));
    }
    found
}

fn behind_prepositions(question: &str) -> Vec<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if !BEFORE_NAMES.contains(&word.to_lowercase().as_str()) {
            continue;
        }
        let mut name: Vec<&str> = Vec::new();
        for next in words.iter().skip(index + 1) {
            let bare = next.trim_matches(|c: char| !c.is_alphanumeric());
            let lower = bare.to_lowercase();
            if AFTER_NAMES.contains(&lower.as_str()) {
                break;
            }
            if !(name.is_empty() && ["the", "a", "an", "my"].contains(&lower.as_str())) {
                name.push(bare);
            }
            if next.ends_with([',', '.', '?', '!', ';']) {
                break;
            }
        }
        if !name.is_empty() {
            found.push(name.join(" "));
        }
    }
    found
}

fn simple_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
