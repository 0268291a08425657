//! Limits a spoken answer: sentence by sentence, up to a length that a listener accepts.

use crate::sentences::Sentences;
use crate::speakable::speakable;

/// Spoken if an answer has no speakable text, such as a program.
const UNSPEAKABLE: &str = "I have an answer, but it cannot be read aloud.";

/// Phrases with which a user asks for a longer answer.
const MORE: [&str; 16] = [
    "detail",
    "details",
    "detailed",
    "explain",
    "long",
    "longer",
    "story",
    "everything",
    "full",
    "recipe",
    "steps",
    "poem",
    "list",
    "elaborate",
    "read",
    "summarize",
];

/// The factor by which an answer may be longer if the user asked for more: about two minutes of
/// speech.
const LONGER: usize = 7;

/// The spoken part of an answer so far.
#[derive(Debug)]
pub(crate) struct Spoken {
    sentences: Sentences,
    said: Vec<String>,
    /// The remaining length in characters.
    room: usize,
    is_full: bool,
    /// A sentence of the current reply was spoken.
    is_begun: bool,
    /// The position in the previous reply while the current reply repeats it word for word.
    repeats: Option<usize>,
}

impl Spoken {
    /// An answer to `question` of at most `longest` characters, or more if the question asks for
    /// it.
    pub(crate) fn new(question: &str, longest: usize) -> Self {
        let mut words = question.split(|character: char| !character.is_alphanumeric());
        let asks_for_more = words
            .any(|word| MORE.iter().any(|more| word.eq_ignore_ascii_case(more)))
            || question.to_lowercase().contains("tell me more");
        Self {
            sentences: Sentences::default(),
            said: Vec::new(),
            room: if asks_for_more {
                longest.saturating_mul(LONGER)
            } else {
                longest
            },
            is_full: false,
            is_begun: false,
            repeats: None,
        }
    }

    /// Another reply of the model begins.
    pub(crate) fn begin(&mut self) {
        self.sentences = Sentences::default();
        self.is_begun = false;
        self.repeats = Some(0);
    }

    pub(crate) fn push(&mut self, text: &str) -> Vec<String> {
        let sentences = self.sentences.push(text);
        self.admit(sentences)
    }

    /// True if a pause of the model would complete a sentence.
    pub(crate) fn awaits_pause(&self) -> bool {
        !self.is_full && self.sentences.may_be_complete()
    }

    pub(crate) fn pause(&mut self) -> Vec<String> {
        let sentence = self.sentences.pause();
        self.admit(sentence)
    }

    /// Returns the last sentences of a complete reply.
    pub(crate) fn finish(&mut self) -> Vec<String> {
        let sentences = self.sentences.finish();
        self.admit(sentences)
    }

    /// The complete answer is `text`: returns the sentences that were not spoken yet.
    pub(crate) fn conclude(&mut self, text: &str) -> Vec<String> {
        let mut said = self.finish();
        if !self.is_begun {
            said.extend(self.push(text));
            said.extend(self.finish());
        }
        if self.said.is_empty() {
            said.extend(self.admit([UNSPEAKABLE.to_owned()]));
        }
        said
    }

    /// All spoken sentences.
    pub(crate) fn text(&self) -> String {
        self.said.join(" ")
    }

    /// True for a sentence that repeats the spoken text of the previous reply.
    fn is_said(&mut self, sentence: &String) -> bool {
        self.repeats = self
            .repeats
            .filter(|at| self.said.get(*at) == Some(sentence))
            .map(|at| at + 1);
        self.repeats.is_some()
    }

    /// The sentences that are within the length limit.
    fn admit(&mut self, sentences: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut admitted = Vec::new();
        for sentence in sentences {
            self.is_begun = true;
            if self.is_said(&sentence) {
                continue;
            }
            if self.is_full {
                break;
            }
            let length = sentence.chars().count();
            let sentence = if length <= self.room {
                self.room = self.room.saturating_sub(length + 1);
                sentence
            } else {
                self.is_full = true;
                if !self.said.is_empty() {
                    break;
                }
                shortened(&sentence, self.room)
            };
            self.said.push(sentence.clone());
            admitted.push(sentence);
        }
        admitted
    }
}

/// As many whole words of `sentence` as the limit allows, preferably up to a comma.
fn shortened(sentence: &str, room: usize) -> String {
    let end = sentence
        .char_indices()
        .nth(room.saturating_sub(1))
        .map_or(sentence.len(), |(at, _)| at);
    let begin = sentence.get(..end).unwrap_or_default();
    let at_comma = begin
        .rfind([',', ';', ':', '–'])
        .filter(|at| *at > begin.len() / 2);
    let cut = at_comma.or_else(|| begin.rfind(' ')).unwrap_or(begin.len());
    let mut text = speakable(begin.get(..cut).unwrap_or_default());
    text.push('.');
    text
}

#[cfg(test)]
mod tests;
