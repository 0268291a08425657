//! Normalises text for comparing words: removes accents and invisible characters.

use haft_tools::is_unseen;
use icu_normalizer::DecomposingNormalizerBorrowed;

/// `text` in lower case and Unicode compatibility form, without accents and invisible characters.
pub(super) fn fold(text: &str) -> String {
    plain(text).to_lowercase()
}

/// The visible text with its upper case, which shows where words begin.
pub(super) fn plain(text: &str) -> String {
    let seen: String = text.chars().filter(|letter| !is_unseen(*letter)).collect();
    let normal = DecomposingNormalizerBorrowed::new_nfkd().normalize(&seen);
    let is_accent = |letter: &char| matches!(letter, '\u{300}'..='\u{36f}');
    let letters = normal.chars().filter(|letter| !is_accent(letter));
    let mut text = String::with_capacity(normal.len());
    for letter in letters {
        match whole(letter) {
            Some(latin) => text.push_str(latin),
            None => text.push(letter),
        }
    }
    text
}

/// Latin letters with a stroke or ligatures, which Unicode does not decompose.
fn whole(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' | 'ẞ' => "ss",
        'ł' | 'Ł' => "l",
        'ø' | 'Ø' => "o",
        'đ' | 'Đ' | 'ð' => "d",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'þ' => "th",
        _ => return None,
    })
}
