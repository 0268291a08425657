//! Detects a reply that repeats itself, while it streams.
//!
//! Small models fall into loops: one sentence again and again until the token limit. The detector
//! counts words, because tokens differ from model to model.

/// The number of words in a row that must repeat what stood before them.
const REPEATED_WORDS: usize = 40;

/// The longest passage in words whose repetition is noticed.
const LONGEST_PASSAGE: usize = 60;

/// Watches the text of a reply.
///
/// A text repeats itself when its last [`REPEATED_WORDS`] words, and at least two whole passages,
/// are copies of the passage before them. The refrain of a song, which comes back after other
/// lines, is no loop.
#[derive(Debug, Default)]
pub(crate) struct RepetitionDetector {
    text: String,
    /// The end of the words that are already in `words`, in bytes of `text`.
    read: usize,
    words: Vec<Word>,
    /// For each length of a passage, how many of the last words repeat the word one passage back.
    repeated: Vec<usize>,
}

#[derive(Debug)]
struct Word {
    text: String,
    /// Where the word ends, in bytes of the text.
    end: usize,
}

impl RepetitionDetector {
    /// Reads more text. Once the text repeats itself, returns it up to the end of the first copy
    /// of the passage.
    pub(crate) fn push(&mut self, piece: &str) -> Option<String> {
        self.text.push_str(piece);
        while let Some(word) = self.next_word() {
            self.words.push(word);
            if let Some(passage) = self.repeating_passage() {
                return Some(self.without_copies(passage));
            }
        }
        None
    }

    /// The next word that is complete: the last one may still grow.
    fn next_word(&mut self) -> Option<Word> {
        let rest = self.text.get(self.read..)?;
        let start = rest.find(|c: char| !c.is_whitespace())?;
        let length = rest.get(start..)?.find(char::is_whitespace)?;
        let end = start + length;
        let text = rest.get(start..end)?.to_owned();
        self.read += end;
        Some(Word {
            text,
            end: self.read,
        })
    }

    /// The length of the passage that the text repeats, after each new word.
    fn repeating_passage(&mut self) -> Option<usize> {
        self.repeated.resize(LONGEST_PASSAGE + 1, 0);
        let last = self.words.len().checked_sub(1)?;
        let newest = &self.words.get(last)?.text;
        for (passage, count) in self.repeated.iter_mut().enumerate().skip(1) {
            let before = last.checked_sub(passage).and_then(|at| self.words.get(at));
            match before {
                Some(word) if word.text == *newest => *count += 1,
                _ => *count = 0,
            }
        }
        (1..=LONGEST_PASSAGE).find(|passage| {
            let wanted = REPEATED_WORDS.max(2 * passage);
            self.repeated
                .get(*passage)
                .is_some_and(|count| *count >= wanted)
        })
    }

    /// The text up to the end of the first copy.
    fn without_copies(&self, passage: usize) -> String {
        let copied = self.repeated.get(passage).copied().unwrap_or_default();
        let kept = self.words.len().saturating_sub(copied);
        let end = kept
            .checked_sub(1)
            .and_then(|last| self.words.get(last))
            .map_or(0, |word| word.end);
        self.text.get(..end).unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests;
