//! The same call again: name and arguments as the tool gets them are equal, and nothing was
//! changed in between.
//!
//! A tool that only reads is not run again: its result is known. Any other runs, because twice
//! may be what is wanted, and the model is told that it did. When a whole round is the third of
//! its kind, and the results stay the same, the next turn goes without tools: it would go on
//! like that. Results that differ show that something moves (the volume, a page), which is no
//! endless loop. Equal calls within one reply are meant as they are.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use haft_core::{AiMessage, Event, Rung, ToolCall, ToolMessage, ToolReport, ToolStatus};
use serde_json::Value;

use super::{Checked, noted};
use crate::run::Run;

const KNOWN: &str = "(The same call was made before and nothing has changed since: this is its result again. \
     Answer with it.)";

const RAN_AGAIN: &str = "(The same call was made before. It has run again; do not repeat it unless it must run once \
     more.)";

const FAILED_AGAIN: &str =
    "(The same call was made before. Do not repeat it unchanged; answer with what there is.)";

/// The time at which a round is one too many.
const TOO_OFTEN: u32 = 3;

/// The calls of one question.
#[derive(Debug, Default)]
pub(super) struct CallHistory {
    made: HashMap<String, Made>,
    /// How many calls ran so far of tools that do not only read.
    changes: u64,
}

#[derive(Debug)]
struct Made {
    times: u32,
    result: ToolMessage,
    /// [`CallHistory::changes`] when it had run.
    changes: u64,
}

/// A valid call of the current round.
#[derive(Debug)]
struct Current {
    key: String,
    read_only: bool,
    /// How often it was made before, with nothing changed since.
    before: u32,
}

impl CallHistory {
    fn before(&self, key: &str) -> u32 {
        let made = self.made.get(key);
        made.filter(|made| made.changes == self.changes)
            .map_or(0, |made| made.times)
    }

    /// The result that stands for a call which need not run.
    fn known(&self, call: &Current) -> Option<&ToolMessage> {
        let made = self.made.get(&call.key)?;
        let known = call.read_only && call.before > 0;
        (known && made.result.status == ToolStatus::Success).then_some(&made.result)
    }

    /// Takes in how a round went; true when all of it was made too often.
    fn learn(&mut self, round: Vec<(Current, ToolMessage)>) -> bool {
        let changed = round.iter().filter(|(call, _)| !call.read_only).count();
        self.changes += u64::try_from(changed).unwrap_or(u64::MAX);
        let mut too_often = !round.is_empty();
        for (call, result) in round {
            let is_same = |made: &Made| made.result.content == result.content;
            let moved = !self.made.get(&call.key).is_some_and(is_same);
            let times = if moved { 1 } else { call.before + 1 };
            too_often &= times >= TOO_OFTEN;
            let made = Made {
                times,
                result,
                changes: self.changes,
            };
            self.made.insert(call.key, made);
        }
        too_often
    }
}

impl Run {
    /// Runs the calls that must run and answers all of them.
    pub(super) async fn run_calls(
        &mut self,
        reply: &AiMessage,
        checked: &[Checked],
    ) -> Vec<ToolMessage> {
        let round: Vec<Option<Current>> = checked.iter().map(|call| self.current(call)).collect();
        let repeats = round.iter().flatten().any(|call| call.before > 0);
        let helps = repeats && self.sees(Rung::RepeatedCalls);
        let before = |call: &Option<Current>| call.as_ref().map_or(0, |call| call.before);
        let befores: Vec<u32> = round.iter().map(before).collect();
        // What one call of the round changes, another may read.
        let changes = round.iter().flatten().any(|call| !call.read_only);
        let known: Vec<Option<ToolMessage>> = round
            .iter()
            .map(|call| self.ladder.history.known(call.as_ref()?).cloned())
            .map(|known| known.filter(|_| helps && !changes))
            .collect();

        let mut running = reply.clone();
        let mut is_unknown = known.iter().map(Option::is_none);
        running
            .tool_calls
            .retain(|_| is_unknown.next().unwrap_or(true));
        let mut fresh = self
            .tooling
            .executor
            .run_round(&running, &self.events)
            .await
            .into_iter();
        let results: Vec<ToolMessage> = known
            .iter()
            .filter_map(|known| known.clone().or_else(|| fresh.next()))
            .collect();

        let mut answers = haft_tools::answer_calls(reply, results.into_iter().map(Some));
        let pairs = round.into_iter().zip(&answers);
        let learnt: Vec<_> = pairs
            .filter_map(|(call, answer)| Some((call?, answer.clone())))
            .collect();
        let too_often = self.ladder.history.learn(learnt);
        if !helps {
            return answers;
        }
        for ((answer, before), known) in answers.iter_mut().zip(befores).zip(&known) {
            match known {
                Some(_) => *answer = noted(answer.clone(), KNOWN),
                None if before > 0 && answer.status == ToolStatus::Error => {
                    *answer = noted(answer.clone(), FAILED_AGAIN);
                }
                None if before > 0 => *answer = noted(answer.clone(), RAN_AGAIN),
                None => {}
            }
        }
        self.tell_known(reply, &answers, &known).await;
        self.note_repeats(too_often).await;
        answers
    }

    /// True for a reply whose calls were all made before.
    pub(super) fn repeats(&self, reply: &AiMessage) -> bool {
        let executor = &self.tooling.executor;
        let is_known = |call: &ToolCall| {
            let call = self.current(&executor.check(call));
            call.is_some_and(|call| call.before > 0)
        };
        reply.has_calls() && reply.tool_calls.iter().all(is_known)
    }

    fn current(&self, call: &Checked) -> Option<Current> {
        let call = call.as_ref().ok()?;
        let tool = self.tooling.executor.tools().find(&call.name)?;
        let key = key_of(call);
        Some(Current {
            read_only: tool.annotations().read_only,
            before: self.ladder.history.before(&key),
            key,
        })
    }

    /// Tells whoever watches of the calls that did not have to run.
    async fn tell_known(
        &self,
        reply: &AiMessage,
        answers: &[ToolMessage],
        known: &[Option<ToolMessage>],
    ) {
        for ((call, answer), known) in reply.tool_calls.iter().zip(answers).zip(known) {
            if known.is_some() {
                let report = ToolReport {
                    call: call.clone(),
                    message: answer.clone(),
                    duration: Duration::ZERO,
                    coercions: Vec::new(),
                };
                self.events.emit(Event::ToolFinished(report)).await;
            }
        }
    }

    async fn note_repeats(&mut self, too_often: bool) {
        let reason = if too_often {
            self.ladder.withheld = Some(Rung::RepeatedCalls);
            "the same call for the third time, so the next turn goes without tools"
        } else {
            "the same call again"
        };
        self.begin_pending(Rung::RepeatedCalls, reason).await;
    }
}

/// Name and arguments as text, whatever the order in which the model wrote them.
fn key_of(call: &ToolCall) -> String {
    let args = sorted(&Value::Object(call.args.clone()));
    format!("{} {args}", call.name)
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields: BTreeMap<_, _> = fields.iter().collect();
            let fields = fields.into_iter();
            Value::Object(
                fields
                    .map(|(key, value)| (key.clone(), sorted(value)))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}
