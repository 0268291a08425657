//! What was done to one reply: reported to its client, and counted by the metrics.

use std::collections::BTreeMap;

use axum::http::HeaderValue;
use haft_core::{CallRepair, ChatChunk, Event, QuotedCall, Recovery};
use serde::Serialize;
use serde_json::Value;

/// The maximum number of things of one kind that are listed. A reply with more is hopeless anyway.
const TOLD: usize = 64;

/// What was done to a reply.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Interventions {
    /// Repairs of its calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) repaired: Vec<CallRepair>,
    /// What was asked again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) recovery: Vec<Recovery>,
    /// Calls that the model only repeated from a text: they went out as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) quoted: Vec<QuotedCall>,
    /// Tools of the client that the model was not offered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools_left_out: Vec<String>,
    /// What of the conversation the model was not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    /// Calls of tools that ran at the gateway.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ran: Vec<String>,
}

impl Interventions {
    /// Records what an event says was done.
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::Chunk(ChatChunk::Repaired(repair)) => self.repair(repair),
            Event::CallAccepted { repairs, .. } => {
                repairs.iter().for_each(|repair| self.repair(repair));
            }
            Event::QuotedCall(quoted) if self.quoted.len() < TOLD => {
                self.quoted.push(quoted.clone());
            }
            Event::RecoveryFinished(report) => self.recovery.push(*report),
            Event::ToolsChosen { left_out, .. } => self.tools_left_out.clone_from(left_out),
            Event::LeftOut(what) => self.left_out.extend(what.iter().cloned()),
            Event::ToolFinished(report) if self.ran.len() < TOLD => {
                self.ran.push(report.call.name.clone());
            }
            _ => {}
        }
    }

    fn repair(&mut self, repair: &CallRepair) {
        if self.repaired.len() < TOLD {
            self.repaired.push(repair.clone());
        }
    }

    /// The report as data; `None` if nothing was done.
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
        let rest = rest
            .into_iter()
            .map(|(word, count)| (word.to_owned(), count));
        words.extend(rest.filter(|(_, count)| *count > 0));
        let words = words.iter().map(|(word, count)| format!("{word}={count}"));
        let line = words.collect::<Vec<_>>().join(", ");
        Some(line)
            .filter(|line| !line.is_empty())
            .and_then(|line| HeaderValue::from_str(&line).ok())
    }
}
