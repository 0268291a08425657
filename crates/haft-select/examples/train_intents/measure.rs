//! Measures a classifier on examples.

use haft_select::{Classification, Intent, IntentClassifier};

use crate::data::Example;
use crate::fit::CLASSES;

/// Examples with the results of the classifier.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    pub(crate) said: Vec<(Option<Intent>, String, Classification)>,
}

impl Measured {
    pub(crate) fn of(classifier: &IntentClassifier<'_>, examples: &[Example]) -> Self {
        let said = examples.iter().map(|example| {
            let classification = classifier.classify(&example.text);
            (example.intent, example.source.clone(), classification)
        });
        Self {
            said: said.collect(),
        }
    }

    pub(crate) fn of_source(&self, source: &str) -> Self {
        let said = self.said.iter().filter(|(_, from, _)| from == source);
        Self {
            said: said.cloned().collect(),
        }
    }

    /// The confusion matrix: rows are the true intents, columns the labels.
    pub(crate) fn confusion(&self) -> [[usize; CLASSES]; CLASSES] {
        let mut counts = [[0; CLASSES]; CLASSES];
        for (truth, _, said) in &self.said {
            if let Some(truth) = truth {
                counts[*truth as usize][said.label() as usize] += 1;
            }
        }
        counts
    }

    /// The accuracy in percent.
    pub(crate) fn accuracy(&self) -> f64 {
        percent(
            self.said
                .iter()
                .map(|(truth, _, said)| *truth == Some(said.label())),
        )
    }

    /// Precision and recall of an intent in percent.
    pub(crate) fn precision_and_recall(&self, intent: Intent) -> (f64, f64) {
        let counts = self.confusion();
        let class = intent as usize;
        let right = counts[class][class] as f64;
        let labelled: usize = counts.iter().map(|row| row[class]).sum();
        let truly: usize = counts[class].iter().sum();
        let part = |of: usize| 100.0 * right / of.max(1) as f64;
        (part(labelled), part(truly))
    }

    /// The macro-averaged F1 score in percent.
    pub(crate) fn macro_f1(&self) -> f64 {
        let f1 = Intent::ALL.map(|intent| {
            let (precision, recall) = self.precision_and_recall(intent);
            2.0 * precision * recall / (precision + recall).max(1e-9)
        });
        f1.iter().sum::<f64>() / CLASSES as f64
    }

    /// The share of queries with one of these labels in percent.
    pub(crate) fn labelled(&self, intents: &[Intent]) -> f64 {
        percent(
            self.said
                .iter()
                .map(|(_, _, said)| intents.contains(&said.label())),
        )
    }

    /// The share of queries of the intent that keep its tools, and the share of other queries that
    /// do, in percent.
    pub(crate) fn kept(&self, intent: Intent) -> (f64, f64) {
        let keeps =
            |said: &Classification| said.open().is_some() || said.intents().contains(intent);
        self.shares(intent, keeps)
    }

    /// The shares of kept and offered questions for the learned scores alone, at a threshold.
    pub(crate) fn kept_at(&self, intent: Intent, threshold: f32) -> (f64, f64) {
        self.shares(intent, |said| said.scores().of(intent) >= threshold)
    }

    fn shares(&self, intent: Intent, keeps: impl Fn(&Classification) -> bool) -> (f64, f64) {
        let share = |own: bool| {
            let chosen = self
                .said
                .iter()
                .filter(|(truth, ..)| (*truth == Some(intent)) == own);
            percent(chosen.map(|(_, _, said)| keeps(said)))
        };
        (share(true), share(false))
    }

    /// The share of queries for which no tools are withheld, in percent.
    pub(crate) fn open(&self) -> f64 {
        percent(self.said.iter().map(|(_, _, said)| said.open().is_some()))
    }
}

fn percent(of: impl Iterator<Item = bool>) -> f64 {
    let (mut count, mut all) = (0_usize, 0_usize);
    for yes in of {
        all += 1;
        count += usize::from(yes);
    }
    100.0 * count as f64 / all.max(1) as f64
}
