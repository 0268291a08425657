//! What is said of one answer: sentence by sentence, and no more than anybody listens to.

use crate::sentences::Sentences;
use crate::speakable::speakable;

/// Said where nothing of an answer can be read aloud, such as a program.
const UNSPEAKABLE: &str = "I have an answer, but it cannot be read aloud.";

/// Words of somebody who wants to hear more than the gist.
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

/// Asked for more, an answer may be so many times as long: about two minutes of speech.
const LONGER: usize = 7;

/// What was said of an answer so far.
#[derive(Debug)]
pub(crate) struct Spoken {
    sentences: Sentences,
    said: Vec<String>,
    /// In characters.
    room: usize,
    is_full: bool,
    /// Something was said of the reply that comes now.
    is_begun: bool,
    /// Where the reply that comes now is, as long as it repeats the one before it word for word.
    repeats: Option<usize>,
}

impl Spoken {
    /// An answer to `question` of at most so many characters, or more if that is asked for.
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

    /// Another reply begins.
    pub(crate) fn begin(&mut self) {
        self.sentences = Sentences::default();
        self.is_begun = false;
        self.repeats = Some(0);
    }

    pub(crate) fn push(&mut self, text: &str) -> Vec<String> {
        let sentences = self.sentences.push(text);
        self.admit(sentences)
    }

    /// True when the model need only pause for a sentence to be complete.
    pub(crate) fn awaits_pause(&self) -> bool {
        !self.is_full && self.sentences.may_be_complete()
    }

    pub(crate) fn pause(&mut self) -> Vec<String> {
        let sentence = self.sentences.pause();
        self.admit(sentence)
    }

    /// The reply is complete.
    pub(crate) fn finish(&mut self) -> Vec<String> {
        let sentences = self.sentences.finish();
        self.admit(sentences)
    }

    /// The answer is `text`: what is still to be said of it.
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

    /// All that was said.
    pub(crate) fn text(&self) -> String {
        self.said.join(" ")
    }

    /// True for a sentence with which the reply only repeats what was said of the one before it.
    fn is_said(&mut self, sentence: &String) -> bool {
        self.repeats = self
            .repeats
            .filter(|at| self.said.get(*at) == Some(sentence))
            .map(|at| at + 1);
        self.repeats.is_some()
    }

    /// Those of the sentences for which there is room.
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

/// As many whole words of `sentence` as there is room for, at best up to a comma.
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
