//! Five-fold cross-validation: a model that was trained on four folds is measured on the fifth.

use std::collections::HashMap;

use haft_select::selector::training::Learned;

use crate::data::{Case, Data, Definition, normal};
use crate::learn::Lessons;
use crate::weigh::Lesson;
use crate::{selector_of, unweighed};

const PARTS: usize = 5;

/// The fold of each question.
pub(crate) struct Folds(Vec<usize>);

impl Folds {
    /// Folds without common questions or common sets of offered tools.
    pub(crate) fn by_question(data: &Data) -> Self {
        Self::by(data, |case| {
            let mut marks = vec![normal(&case.query)];
            if case.live {
                let mut shown: Vec<_> = case
                    .shown
                    .iter()
                    .map(|key| key.split('#').next().unwrap_or_default())
                    .collect();
                shown.sort_unstable();
                marks.push(format!("shown {}", shown.join(" ")));
            }
            marks
        })
    }

    /// Folds that have no common right tools either.
    pub(crate) fn by_tool(data: &Data) -> Self {
        Self::by(data, |case| {
            let tools = case.gold.iter().map(|tool| format!("tool {tool}"));
            tools.chain([normal(&case.query)]).collect()
        })
    }

    /// Puts questions with a common mark into the same fold.
    fn by(data: &Data, marks: impl Fn(&Case) -> Vec<String>) -> Self {
        let mut groups: Vec<usize> = (0..data.cases.len()).collect();
        let mut first: HashMap<String, usize> = HashMap::new();
        for (at, case) in data.cases.iter().enumerate() {
            for mark in marks(case) {
                let other = *first.entry(mark).or_insert(at);
                let (from, to) = (groups[at], groups[other]);
                for group in &mut groups {
                    if *group == from {
                        *group = to;
                    }
                }
            }
        }
        let mut lot = fastrand::Rng::with_seed(5);
        let mut parts = HashMap::new();
        Self(
            groups
                .iter()
                .map(|group| *parts.entry(*group).or_insert_with(|| lot.usize(..PARTS)))
                .collect(),
        )
    }

    /// For each fold, a model trained on the others.
    pub(crate) fn learned(&self, lessons: &Lessons) -> Vec<Learned> {
        (0..PARTS)
            .map(|part| {
                let others: Vec<usize> =
                    (0..self.0.len()).filter(|at| self.0[*at] != part).collect();
                lessons.learn(&others, unweighed())
            })
            .collect()
    }

    pub(crate) fn part(&self, case: usize) -> usize {
        self.0[case]
    }

    /// The features of every question, from vectors that were not trained on it.
    pub(crate) fn weighed(&self, data: &Data, lessons: &Lessons) -> Vec<Lesson> {
        let selectors: Vec<_> = self
            .learned(lessons)
            .into_iter()
            .map(|learned| selector_of(data.pool(0).into_iter().map(Definition::text), learned))
            .collect();
        data.cases
            .iter()
            .enumerate()
            .map(|(at, case)| Lesson::of(&selectors[self.0[at]], case))
            .collect()
    }
}
