//! What the engine says at the end of a turn: a sentence for each step, from the results that are
//! there.

use haft_core::{StopReason, ToolStatus};

use super::Builtin;
use crate::answer::{self, Clocks};
use crate::conversation::Progress;
use crate::device;
use crate::group::Group;
use crate::plan::{self, Step};
use crate::report::{self, Done};

/// What the engine says at the end.
#[derive(Debug, PartialEq)]
pub(crate) struct Spoken {
    pub(crate) text: String,
    /// [`StopReason::Declined`] if nothing was found out or done.
    pub(super) stop_reason: StopReason,
}

impl Builtin {
    /// The group that a step is about, once the listing is there.
    pub(super) fn group(&self, step: &Step, turn: &Progress) -> Group {
        let Step::Each {
            listing,
            action,
            target,
        } = step
        else {
            return Group::default();
        };
        let devices = turn.result(listing).map(device::listed).unwrap_or_default();
        Group::of(devices, *action, target)
    }

    /// The answer, as far as results are there.
    pub(crate) fn say(&self, steps: &[Step], turn: &Progress) -> Spoken {
        let is_declined = !steps.is_empty() && steps.iter().all(|step| self.declines(step, turn));
        Spoken {
            text: self.text(steps, turn),
            stop_reason: match is_declined {
                true => StopReason::Declined,
                false => StopReason::EndTurn,
            },
        }
    }

    /// True when a step ends without a call that answers it.
    fn declines(&self, step: &Step, turn: &Progress) -> bool {
        match step {
            Step::Say(_) => false,
            Step::Each { .. } => {
                let group = self.group(step, turn);
                let mut calls = group.calls(self.catalog());
                !calls.any(|(_, call)| turn.result(&call).is_some())
            }
            _ => !has_begun(step, turn),
        }
    }

    fn text(&self, steps: &[Step], turn: &Progress) -> String {
        let mut sentences: Vec<String> = Vec::new();
        for step in steps {
            let sentence = self.sentence(step, turn);
            if !sentence.is_empty() && !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
        let is_read = steps.iter().any(|step| has_begun(step, turn));
        // Results of calls that cannot be planned again, as when the tools are no longer bound.
        if !is_read && turn.results().next().is_some() {
            sentences = turn.results().map(answer::failure).collect();
        }
        if sentences.is_empty() {
            return plan::introduction(self.catalog());
        }
        sentences.join(" ")
    }

    fn sentence(&self, step: &Step, turn: &Progress) -> String {
        let unanswered = || "I have no result for that.".to_owned();
        match step {
            Step::Say(sentence) | Step::Decline(sentence) | Step::Missing(sentence) => {
                sentence.clone()
            }
            Step::Beyond => plan::beyond(self.catalog()),
            Step::Ask { wanted, reading } => turn
                .result(wanted)
                .map_or_else(unanswered, |result| answer::sentence(reading, result)),
            Step::Compare {
                there,
                here,
                place,
                from,
            } => match (turn.result(there), turn.result(here)) {
                (Some(there), Some(here)) => answer::difference(&Clocks {
                    there,
                    here,
                    place,
                    from: from.as_deref(),
                }),
                _ => unanswered(),
            },
            Step::Tell {
                listing,
                about,
                target,
            } => turn.result(listing).map_or_else(unanswered, |result| {
                let said = report::telling(result, *about, target);
                report::with_left_out(said, result)
            }),
            Step::Inquire { listing, inquiry } => turn
                .result(listing)
                .map_or_else(unanswered, |result| answer::inquired(result, inquiry)),
            Step::Each {
                listing,
                action,
                target,
            } => {
                let Some(list) = turn.result(listing) else {
                    return unanswered();
                };
                if list.status == ToolStatus::Error {
                    return answer::failure(list);
                }
                let group = self.group(step, turn);
                let results: Vec<_> = group
                    .calls(self.catalog())
                    .filter_map(|(member, call)| {
                        Some(Done {
                            name: &member.name,
                            action: member.action,
                            result: turn.result(&call)?,
                        })
                    })
                    .collect();
                let mut said = report::summary(&results);
                if results.is_empty() {
                    said = report::nothing_done(&group, *action, target);
                } else if !group.offline.is_empty() {
                    said = format!("{said} {}", report::offline(&group.offline));
                }
                report::with_left_out(said, list)
            }
        }
    }
}

/// True when the first call of a step has its result.
fn has_begun(step: &Step, turn: &Progress) -> bool {
    match step {
        Step::Ask { wanted: call, .. }
        | Step::Compare { there: call, .. }
        | Step::Tell { listing: call, .. }
        | Step::Inquire { listing: call, .. }
        | Step::Each { listing: call, .. } => turn.result(call).is_some(),
        Step::Say(_) | Step::Decline(_) | Step::Missing(_) | Step::Beyond => false,
    }
}
