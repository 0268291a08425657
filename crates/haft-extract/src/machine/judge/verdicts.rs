//! What becomes of each candidate that is held back, seen with the texts around it.

use super::held::Segment;
use super::{FOLLOW, Judge, last};
use crate::ToolSet;
use crate::mention::{self, Mention, Situation};
use crate::scan::near;

impl Judge {
    /// What each of the segments is, if it is no call.
    pub(super) fn verdicts(
        &self,
        segments: &[Segment],
        tools: &ToolSet,
        is_over: bool,
    ) -> Vec<Option<Mention>> {
        let texts = texts_around(last(&self.lead), segments);
        let is_alone = !self.has_said_more && hold_no_more_than_a_lead_in(&texts);
        let closing = texts.last().filter(|_| is_over).map_or("", String::as_str);
        let mut place = 0;
        let verdicts = segments.iter().map(|segment| {
            let candidate = segment.with_calls()?;
            place += 1;
            let (before, behind) = texts.split_at_checked(place)?;
            mention::judge(&Situation {
                setting: self.setting,
                placement: candidate.placement,
                is_alone,
                is_cut: self.is_cut,
                is_only: !self.has_said_more && texts.len() == 2,
                calls: &candidate.calls,
                is_destructive: candidate.is_destructive(tools),
                // Calls with nothing between them share their texts.
                lead: nearest(before.iter().rev()),
                source: &candidate.source,
                follow: near(nearest(behind.iter()), FOLLOW),
                closing: near(closing, FOLLOW),
            })
        });
        verdicts.collect()
    }
}

/// The texts around the candidates that hold calls: one before each, and one behind the last.
fn texts_around(lead: &str, segments: &[Segment]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut last = lead.to_owned();
    for segment in segments {
        match segment {
            Segment::Text(text) => last.push_str(text),
            segment if segment.with_calls().is_some() => texts.push(std::mem::take(&mut last)),
            _ => {}
        }
    }
    texts.push(last);
    texts
}

/// True where the reply says nothing beside its calls but that they come.
fn hold_no_more_than_a_lead_in(texts: &[String]) -> bool {
    texts.split_first().is_none_or(|(lead, others)| {
        let is_lead_in = lead.trim().is_empty() || mention::is_plain_lead_in(lead);
        is_lead_in && others.iter().all(|text| text.trim().is_empty())
    })
}

/// The first text that says something.
fn nearest<'t>(mut texts: impl Iterator<Item = &'t String>) -> &'t str {
    texts
        .find(|text| !mention::only_connects(text))
        .map_or("", String::as_str)
}
