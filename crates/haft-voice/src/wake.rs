//! The wake phrase at the beginning of an utterance.

/// A phrase such as "hey haft", compared by its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WakePhrase(Vec<String>);

impl WakePhrase {
    /// A wake phrase; `None` if `phrase` contains no word.
    #[must_use]
    pub fn new(phrase: &str) -> Option<Self> {
        let words: Vec<String> = words(phrase).map(|(word, _)| word.to_lowercase()).collect();
        (!words.is_empty()).then_some(Self(words))
    }

    /// The text after the phrase at the beginning of `text`; `None` if it does not begin with the
    /// phrase.
    ///
    /// ```
    /// use haft_voice::WakePhrase;
    ///
    /// let phrase = WakePhrase::new("hey haft").unwrap();
    /// assert_eq!(phrase.strip("Hey, Haft! What time is it?"), Some("What time is it?"));
    /// assert_eq!(phrase.strip("What time is it?"), None);
    /// ```
    #[must_use]
    pub fn strip<'a>(&self, text: &'a str) -> Option<&'a str> {
        let mut said = words(text);
        let mut end = 0;
        for wanted in &self.0 {
            let (word, behind) = said.next()?;
            if word.to_lowercase() != *wanted {
                return None;
            }
            end = behind;
        }
        let rest = text.get(end..)?;
        Some(rest.trim_start_matches(|character: char| !character.is_alphanumeric()))
    }
}

/// The words of `text`, with the end of each in bytes.
fn words(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut at = 0;
    text.split(|character: char| !character.is_alphanumeric() && character != '\'')
        .filter_map(move |word| {
            let begin = at + text.get(at..)?.find(word)?;
            at = begin + word.len();
            (!word.is_empty()).then_some((word, at))
        })
}
