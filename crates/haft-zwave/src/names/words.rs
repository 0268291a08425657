//! Splits a name into normalised words, without case, accents, plurals, articles and punctuation.

/// Words that do not help to identify a device.
const FILLERS: [&str; 18] = [
    "the", "a", "an", "my", "our", "your", "this", "that", "these", "those", "in", "of", "at",
    "on", "for", "to", "please", "device",
];

/// Lower case without accents, so that "KÜCHE" and "Kuche" compare equal, however the accent is
/// encoded.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            // Combining marks, the second part of a decomposed letter.
            '\u{300}'..='\u{36f}' => {}
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            letter => folded.push(without_accent(letter)),
        }
    }
    folded
}

/// The words of a text that identify a device, in order.
pub(super) fn words(text: &str) -> Vec<String> {
    let folded = fold(text).replace(['\'', '’'], "");
    folded
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty() && !FILLERS.contains(word))
        .map(singular)
        .collect()
}

/// Replaces synonyms and plurals by one common word.
pub(super) fn canonical(word: String) -> String {
    let same = match word.as_str() {
        "lamp" | "bulb" => "light",
        "socket" | "outlet" => "plug",
        "heater" | "heating" => "thermostat",
        "temp" => "temperature",
        "movement" => "motion",
        _ => return word,
    };
    same.to_owned()
}

fn singular(word: &str) -> String {
    const ES: [&str; 4] = ["ches", "shes", "xes", "sses"];
    let stem = if ES.iter().any(|ending| word.ends_with(ending)) {
        word.strip_suffix("es")
    } else if word.ends_with("ss") || word.chars().count() <= 3 {
        None
    } else {
        word.strip_suffix('s')
    };
    stem.unwrap_or(word).to_owned()
}

/// Removes the accent of Latin letters of European languages; other characters are unchanged.
fn without_accent(letter: char) -> char {
    match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ì'..='ï' | 'ī' | 'į' | 'ı' => 'i',
        'ķ' => 'k',
        'ł' | 'ĺ' | 'ļ' | 'ľ' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ŕ' | 'ř' => 'r',
        'ś' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ț' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}
