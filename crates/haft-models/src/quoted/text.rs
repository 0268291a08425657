//! A text as words of letters and digits only, so that different spellings of a value are equal.

/// The maximum number of letters of a value that are compared. This bounds the work for each word
/// of a text.
pub(super) const MAX_LETTERS: usize = 64;

/// A word of a text: letters and digits in lower case.
#[derive(Debug)]
struct Word {
    text: String,
    /// The characters between it and the previous word.
    before: String,
}

/// A text split into words.
#[derive(Debug)]
pub(super) struct Words {
    words: Vec<Word>,
    /// The characters after the last word.
    behind: String,
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let mut words: Vec<Word> = Vec::new();
        let mut between = String::new();
        let mut follows = false;
        for character in text.chars() {
            if !character.is_alphanumeric() {
                between.push(character);
                follows = false;
                continue;
            }
            let lower = character.to_lowercase();
            let stands_alone = is_sign(character);
            match words.last_mut().filter(|_| follows && !stands_alone) {
                Some(word) => word.text.extend(lower),
                None => words.push(Word {
                    text: lower.collect(),
                    before: std::mem::take(&mut between),
                }),
            }
            follows = !stands_alone;
        }
        Self {
            words,
            behind: between,
        }
    }

    /// The word at this index.
    pub(super) fn word(&self, place: usize) -> Option<&str> {
        self.words.get(place).map(|word| word.text.as_str())
    }

    /// The characters before the word at this index, or after the last word.
    pub(super) fn before(&self, place: usize) -> &str {
        let word = self.words.get(place);
        word.map_or(self.behind.as_str(), |word| word.before.as_str())
    }

    /// The number of words from `place` on that form `letters`, ignoring the characters in between.
    pub(super) fn spelled(&self, place: usize, letters: &str) -> Option<usize> {
        let is_beginning = letters.chars().count() >= MAX_LETTERS;
        let mut rest = letters;
        let mut count = 0;
        while !rest.is_empty() {
            let word = self.word(place + count)?;
            rest = match rest.strip_prefix(word) {
                Some(rest) => rest,
                None if is_beginning && word.starts_with(rest) => "",
                None => return None,
            };
            count += 1;
        }
        (count > 0).then_some(count)
    }

    /// Whether the text contains these letters, at word boundaries.
    pub(super) fn hold(&self, letters: &str) -> bool {
        (0..self.words.len()).any(|place| self.spelled(place, letters).is_some())
    }

    /// Whether a word equals this one or an inflected form of it: `lights` for `light`.
    pub(super) fn hold_form_of(&self, word: &str) -> bool {
        self.words.iter().any(|other| is_form(&other.text, word))
    }

    /// Whether the first words, apart from these, include a form of `word`.
    pub(super) fn begin_with_form_of(&self, word: &str, apart: &[&str]) -> bool {
        let mut words = self.words.iter().map(|word| word.text.as_str());
        let first = words.find(|first| !is_one_of(first, apart));
        first.is_some_and(|first| is_form(first, word))
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.text.as_str())
    }
}

/// Scripts without spaces: each character is a word, so that a value is found in a sentence.
fn is_sign(character: char) -> bool {
    matches!(u32::from(character), 0x2E80..=0xA4CF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn is_form(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short == long || (short.len() >= 4 && long.starts_with(short) && long.len() - short.len() <= 3)
}

/// Letters and digits in lower case, without other characters.
pub(super) fn all_letters(text: &str) -> impl Iterator<Item = char> {
    let letters = text.chars().filter(|character| character.is_alphanumeric());
    letters.flat_map(char::to_lowercase)
}

/// The first letters, up to the maximum.
pub(super) fn letters(text: &str) -> String {
    all_letters(text).take(MAX_LETTERS).collect()
}

/// Whether a word is in one of these lists, whose words are separated by `|`.
pub(super) fn is_one_of(word: &str, lists: &[&str]) -> bool {
    let mut words = lists.iter().flat_map(|list| list.split('|'));
    words.any(|known| known == word)
}
