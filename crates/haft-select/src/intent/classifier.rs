//! The intent classifier: rules first, then the learned model, applied to the whole text and its
//! clauses.

use super::classification::{Classification, Flags, OpenReason, Scores};
use super::label::{Intent, IntentSet};
use super::rules::{Heard, Rule};
use super::weights::{CLASSES, Weights};
use super::words::Words;
use super::{clauses, language, rules};

/// The probability from which on the tools of an intent are kept, in the order of [`Intent::ALL`].
/// Chosen by cross-validation on training texts, so that 99 of 100 queries keep their tools;
/// `docs/intents.md` has the curve. General questions and small talk have no tools.
const KEEP: [f32; CLASSES] = [0.02, 0.02, 0.05, 1.0, 1.0, 0.05];

/// The thresholds if the label needs no tools: a missed command is usually mistaken for one of
/// another tool, rarely for a question or small talk.
const KEEP_BESIDE_TALK: [f32; CLASSES] = [0.06, 0.06, 0.15, 1.0, 1.0, 0.15];

/// Below this probability of the label no tools are withheld.
const SURE: f32 = 0.5;

/// The minimum probability of a clause's label to count in addition to that of the whole text.
const SURE_CLAUSE: f32 = 0.6;

/// The weight of the learned scores if a rule decides.
const DOUBT: f32 = 0.05;

/// Classifies queries by intent. English only: for other languages no tools are withheld.
///
/// Classifying allocates nothing. At most about 150 words of a text are read.
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
    /// A classifier with custom weights.
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
            heard.rule.is_some()
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
        // The parts of a compound query share the certain probability.
        let mut certain = hearing.certain;
        certain.insert(label);
        let sure: f32 = certain.iter().map(|intent| scores.of(intent)).sum();
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
            rule: hearing.rule.map(Rule::name),
            flags: hearing.flags,
        }
    }

    /// Adds the intents of the parts of a compound query. Returns true if rules decided all of
    /// them.
    fn hear_clauses(&self, text: &str, hearing: &mut Hearing) -> bool {
        let mut is_settled = true;
        for clause in clauses::of(text) {
            let words = Words::of(clause);
            let scores = Scores::new(self.weights.probabilities(&words));
            let label = scores.top();
            let heard = heard(&words);
            is_settled &= heard.rule.is_some();
            // A part with fewer words is a name before a comma, or the end of "rock and roll".
            let sure = words.len() > 2 && scores.of(label) >= SURE_CLAUSE;
            if sure {
                hearing.kept.insert(label);
            }
            // "As of the current date" does not ask for the date.
            if heard.rule.is_some() || (sure && label == Intent::Device) {
                hearing.take(&heard, label);
            }
        }
        is_settled
    }
}

/// The intermediate result.
#[derive(Debug, Default)]
struct Hearing {
    certain: IntentSet,
    rule: Option<Rule>,
    kept: IntentSet,
    flags: Flags,
}

impl Hearing {
    /// Adds a clause; `label` is the label from the learned model.
    fn take(&mut self, heard: &Heard, label: Intent) {
        self.kept = self.kept.union(heard.possible);
        if let Some(rule) = heard.rule {
            self.certain.insert(rule.intent());
            self.kept.insert(rule.intent());
            self.rule = self.rule.or(Some(rule));
        }
        match heard.rule.map_or(label, Rule::intent) {
            Intent::Device if heard.volume => {}
            Intent::Device if heard.asks => self.flags.device_query = true,
            Intent::Device => self.flags.device_control = true,
            Intent::Datetime => self.flags.datetime = true,
            _ => {}
        }
    }
}

/// The result of the rules for these words.
fn heard(words: &Words) -> Heard {
    // Longer texts are not commands.
    let mut list = [""; 32];
    let mut count = 0;
    for (place, word) in list.iter_mut().zip(words.iter()) {
        *place = word;
        count += 1;
    }
    rules::apply(list.get(..count).unwrap_or_default())
}

/// The learned probabilities, adjusted by the certain intents.
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
