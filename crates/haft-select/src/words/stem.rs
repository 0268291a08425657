//! Removes the endings of English words, so that "flights" matches "flight", and "calculation"
//! matches "calculate". Simpler than Porter's algorithm: the stems need only be consistent, not
//! readable.

/// Endings with their replacements; a longer ending comes before a shorter one that it contains.
const ENDINGS: &[(&str, &str)] = &[
    ("ization", "ize"),
    ("ational", "ate"),
    ("fulness", "ful"),
    ("ication", "y"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("ition", "it"),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("ment", ""),
    ("ly", ""),
    ("er", ""),
    ("or", ""),
    ("ion", ""),
    ("able", ""),
    ("al", ""),
    ("ity", ""),
    ("ive", ""),
    ("ic", ""),
];

/// The stem of a word in lower case. Words in other scripts are unchanged.
pub(crate) fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    if word.len() < 4 || !word.is_ascii() {
        return stem;
    }
    take_plural(&mut stem);
    for (ending, instead) in ENDINGS {
        let Some(rest) = stem.strip_suffix(ending) else {
            continue;
        };
        if rest.len() < 3 || !rest.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
            continue;
        }
        // "apply", "multiply", "reply" have no ending.
        if *ending == "ly" && rest.ends_with('p') {
            continue;
        }
        let kept = rest.len();
        stem.truncate(kept);
        stem.push_str(instead);
        undouble(&mut stem);
        break;
    }
    if stem.len() > 3 {
        if stem.ends_with('e') {
            stem.pop();
        } else if stem.ends_with('y') {
            stem.pop();
            stem.push('i');
        }
    }
    stem
}

fn take_plural(word: &mut String) {
    if word.len() > 4 && word.ends_with("ies") {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if word.ends_with("sses") {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        word.pop();
    }
}

/// Changes "stopp" to "stop", but not "call".
fn undouble(word: &mut String) {
    let mut last = word.chars().rev();
    let (last, before) = (last.next(), last.next());
    if word.len() > 3 && last == before && !matches!(last, Some('l' | 's' | 'z')) {
        word.pop();
    }
}
