//! Records the interventions in one reply, which are reported to the client and counted by the
//! metrics.

use std::collections::BTreeMap;

use axum::http::HeaderValue;
use haft_core::{CallRepair, ChatChunk, Event, QuotedCall, Recovery};
use serde::Serialize;
use serde_json::Value;

/// The maximum number of listed interventions of one kind. A reply with more is not usable anyway.
const MAX_LISTED: usize = 64;

/// The interventions in a reply.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Interventions {
    /// Repairs of its calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) repaired: Vec<CallRepair>,
    /// Recovery steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) recovery: Vec<Recovery>,
    /// Calls that the model only quoted from a text: they were sent as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) quoted: Vec<QuotedCall>,
    /// Tools of the client that the model was not offered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools_left_out: Vec<String>,
    /// Parts of the conversation that were omitted or shortened for the model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    /// The names of the tools that ran at the gateway.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ran: Vec<String>,
}

impl Interventions {
    /// Records the intervention in an event, if there is one.
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::Chunk(ChatChunk::Repaired(repair)) => self.repair(repair),
            Event::CallAccepted { repairs, .. } => {
                repairs.iter().for_each(|repair| self.repair(repair));
            }
            Event::QuotedCall(quoted) if self.quoted.len() < MAX_LISTED => {
                self.quoted.push(quoted.clone());
            }
            Event::RecoveryFinished(report) => self.recovery.push(*report),
            Event::ToolsChosen { left_out, .. } => self.tools_left_out.clone_from(left_out),
            Event::LeftOut(what) => self.left_out.extend(what.iter().cloned()),
            Event::ToolFinished(report) if self.ran.len() < MAX_LISTED => {
                self.ran.push(report.call.name.clone());
            }
            _ => {}
        }
    }

    fn repair(&mut self, repair: &CallRepair) {
        if self.repaired.len() < MAX_LISTED {
            self.repaired.push(repair.clone());
        }
    }

    /// The report as data; `None` without interventions.
    pub(crate) fn report(&self) -> Option<Value> {
        let report = serde_json::to_value(self).ok()?;
        Some(report).filter(|report| report.as_object().is_some_and(|fields| !fields.is_empty()))
    }

    /// The report as the value of a header: each kind with its number.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let mut words = BTreeMap::new();
        let kinds = self.repaired.iter().map(|repair| repair.kind.clone());
        let steps = self.recovery.iter().map(|report| {
            let outcome = if report.recovered {
                "helped"
            } else {
                "in_vain"
            };
            format!("{}:{outcome}", report.step)
        });
        let rest = [
            ("quoted", self.quoted.len()),
            ("tools_left_out", self.tools_left_out.len()),
            ("left_out", self.left_out.len()),
            ("ran", self.ran.len()),
        ];
        for word in kinds.chain(steps) {
            *words.entry(word).or_insert(0) += 1;
        }
        let rest = rest.into_iter().filter(|(_, count)| *count > 0);
        words.extend(rest.map(|(word, count)| (word.to_owned(), count)));
        let words = words.iter().map(|(word, count)| format!("{word}={count}"));
        let line = words.collect::<Vec<_>>().join(", ");
        Some(line)
            .filter(|line| !line.is_empty())
            .and_then(|line| HeaderValue::from_str(&line).ok())
    }
}
