//! The classifier: rules in front, what was learned behind them, over the whole text and over its
//! clauses.

use super::classification::{Classification, Flags, OpenReason, Scores};
use super::label::{Intent, IntentSet};
use super::rules::Heard;
use super::weights::{CLASSES, Weights};
use super::words::Words;
use super::{clauses, language, rules};

/// How probable an intent must be for its tools to stay, in the order of [`Intent::ALL`]. Chosen
/// on training texts that were left out in turn, so that 99 of 100 queries keep their tools;
/// `docs/intents.md` has the curve. General questions and small talk have no tools.
const KEEP: [f32; CLASSES] = [0.02, 0.02, 0.05, 1.0, 1.0, 0.05];

/// The thresholds where the best label needs no tools: a missed command is nearly always taken for
/// another tool's, seldom for a question or for small talk.
const KEEP_BESIDE_TALK: [f32; CLASSES] = [0.06, 0.06, 0.15, 1.0, 1.0, 0.15];

/// Below this probability of the label nothing is withheld.
const SURE: f32 = 0.5;

/// How probable the label of a clause must be to count beside that of the whole.
const SURE_CLAUSE: f32 = 0.6;

/// What is left to the learned scores when a rule decides.
const DOUBT: f32 = 0.05;

/// Says what a query is about. English only: other languages are told apart, and open.
///
/// Nothing is loaded or allocated for a query. A text is read up to about 150 words.
///
/// ```
/// use haft_select::{Intent, IntentClassifier};
///
/// let classifier = IntentClassifier::default();
/// let light = classifier.classify("Turn the hall lamp off");
/// assert_eq!(light.label(), Intent::Device);
/// assert!(light.is_device_control_query() && light.open().is_none());
///
/// let silver = classifier.classify("As of the current date, what is the price of silver?");
/// assert!(!silver.is_datetime_query());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IntentClassifier<'a> {
    weights: &'a Weights,
}

impl Default for IntentClassifier<'static> {
    fn default() -> Self {
        Self {
            weights: Weights::embedded(),
        }
    }
}

impl<'a> IntentClassifier<'a> {
    /// A classifier with other weights.
    #[must_use]
    pub const fn with_weights(weights: &'a Weights) -> Self {
        Self { weights }
    }

    /// Classifies a query.
    #[must_use]
    pub fn classify(&self, text: &str) -> Classification {
        let text = clauses::without_remark(text.trim_start());
        let words = Words::of(text);
        if words.len() == 0 {
            return Classification {
                scores: Scores::default(),
                kept: IntentSet::default(),
                open: Some(OpenReason::Blank),
                rule: None,
                flags: Flags::default(),
            };
        }
        let mut hearing = Hearing::default();
        let learned = self.weights.probabilities(&words);
        let heard = heard(&words);
        hearing.take(&heard, Scores::new(learned).top());
        let is_compound = !words.is_cut() && clauses::of(text).nth(1).is_some();
        let is_settled = if is_compound {
            self.hear_clauses(text, &mut hearing)
        } else {
            heard.certain.is_some()
        };
        let scores = Scores::new(with_rules(learned, hearing.certain));
        let label = scores.top();
        let mut kept = hearing.kept;
        kept.insert(label);
        let keep = match label {
            Intent::General | Intent::Chitchat => KEEP_BESIDE_TALK,
            _ => KEEP,
        };
        for (intent, (score, keep)) in Intent::ALL.into_iter().zip(learned.into_iter().zip(keep)) {
            if score >= keep && !is_settled {
                kept.insert(intent);
            }
        }
        // The parts of a compound query share what is certain.
        let mut told = hearing.certain;
        told.insert(label);
        let sure: f32 = told.iter().map(|intent| scores.of(intent)).sum();
        let open = if words.is_cut() {
            Some(OpenReason::Long)
        } else if language::is_foreign(&words, self.weights) {
            Some(OpenReason::NotEnglish)
        } else if sure < SURE {
            Some(OpenReason::Unsure)
        } else {
            None
        };
        hearing.flags.datetime |= label == Intent::Datetime;
        Classification {
            scores,
            kept,
            open,
            rule: hearing.rule,
            flags: hearing.flags,
        }
    }

    /// Adds what the parts of a compound query are about. True when rules decided all of them.
    fn hear_clauses(&self, text: &str, hearing: &mut Hearing) -> bool {
        let mut is_settled = true;
        for clause in clauses::of(text) {
            let words = Words::of(clause);
            let scores = Scores::new(self.weights.probabilities(&words));
            let label = scores.top();
            let heard = heard(&words);
            is_settled &= heard.certain.is_some();
            // Fewer words are a name that has a comma after it, or the end of "rock and roll".
            let sure = words.len() > 2 && scores.of(label) >= SURE_CLAUSE;
            if sure {
                hearing.kept.insert(label);
            }
            // "As of the current date" is no question for the date.
            if heard.certain.is_some() || (sure && label == Intent::Device) {
                hearing.take(&heard, label);
            }
        }
        is_settled
    }
}

/// What was found so far.
#[derive(Debug, Default)]
struct Hearing {
    certain: IntentSet,
    rule: Option<&'static str>,
    kept: IntentSet,
    flags: Flags,
}

impl Hearing {
    /// Takes in a clause; `label` is what was learned about it.
    fn take(&mut self, heard: &Heard, label: Intent) {
        self.kept = self.kept.union(heard.possible);
        if let Some((intent, rule)) = heard.certain {
            self.certain.insert(intent);
            self.kept.insert(intent);
            self.rule = self.rule.or(Some(rule));
        }
        match heard.certain.map_or(label, |(intent, _)| intent) {
            Intent::Device if heard.volume => {}
            Intent::Device if heard.asks => self.flags.device_query = true,
            Intent::Device => self.flags.device_control = true,
            Intent::Datetime => self.flags.datetime = true,
            _ => {}
        }
    }
}

/// What the rules say about these words.
fn heard(words: &Words) -> Heard {
    // Longer ones are no command.
    let mut list = [""; 32];
    let mut count = 0;
    for (place, word) in list.iter_mut().zip(words.iter()) {
        *place = word;
        count += 1;
    }
    rules::apply(list.get(..count).unwrap_or_default())
}

/// The learned probabilities, moved towards what a rule is certain of.
fn with_rules(learned: [f32; CLASSES], certain: IntentSet) -> [f32; CLASSES] {
    let count = certain.iter().count();
    if count == 0 {
        return learned;
    }
    let share = (1.0 - DOUBT) / f32::from(u8::try_from(count).unwrap_or(1));
    let mut scores = learned.map(|score| score * DOUBT);
    for (intent, score) in Intent::ALL.into_iter().zip(&mut scores) {
        if certain.contains(intent) {
            *score += share;
        }
    }
    scores
}

#[cfg(test)]
mod tests;
