//! Trace lines for spoken questions.

use haft::Event;
use haft::voice::{Responder, UtteranceId, VoiceEvent};

use super::{BAD, CAUTION, LABEL, TEXT_LIMIT, Trace, took};
use crate::text::one_line;

impl Trace {
    /// Shows an event of an utterance.
    pub(crate) fn voice(&mut self, id: UtteranceId, event: &VoiceEvent) {
        match event {
            VoiceEvent::Dropped(reason) => {
                let text = format!("utterance {}: {reason}", id.number());
                self.line("dropped", LABEL, &text);
            }
            VoiceEvent::Transcription { text, took: time } => {
                let text = one_line(text, TEXT_LIMIT);
                let time = match time.as_millis() {
                    0 => String::new(),
                    _ => format!(" {LABEL}{}{LABEL:#}", took(*time)),
                };
                self.line("heard", LABEL, &format!("{text}{time}"));
            }
            VoiceEvent::Intent { about, by, reason } => {
                let label = about.label();
                let percent = about.confidence() * 100.0;
                let who = match by {
                    Responder::Local => "carried out here",
                    Responder::Model => "given to the model",
                };
                let text = format!("{label} {percent:.0} %, {who}: {reason}");
                self.line("intent", LABEL, &text);
                self.wait("thinking");
            }
            VoiceEvent::ToolStarted(call) => {
                self.event(&Event::ToolStarted { call: call.clone() });
            }
            VoiceEvent::ToolFinished(report) => {
                self.event(&Event::ToolFinished(report.as_ref().clone()));
            }
            VoiceEvent::Sentence(sentence) if self.verbosity.verbose => {
                self.line("says", LABEL, &one_line(sentence, TEXT_LIMIT));
            }
            VoiceEvent::Answer {
                model,
                took: time,
                is_truncated,
                ..
            } => {
                let time = took(*time);
                let text = format!("by {model} {LABEL}{time}{LABEL:#}");
                self.line("answer", LABEL, &text);
                if *is_truncated {
                    self.cut_off();
                }
            }
            VoiceEvent::Cancelled => self.line("ended", CAUTION, "by a newer utterance"),
            VoiceEvent::Error(error) => {
                self.line("failed", BAD, &one_line(&error.to_string(), TEXT_LIMIT));
                if let Some(hint) = error.hint() {
                    self.hint(&one_line(hint, TEXT_LIMIT));
                }
            }
            _ => {}
        }
    }
}
