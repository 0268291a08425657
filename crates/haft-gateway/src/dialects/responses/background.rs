//! Replies in the background (OpenAI's guide "Background mode"): a worker makes the reply in a
//! durable run, with its own tools, and the client asks for it by its id at any gateway of the store.
//!
//! The id of the reply is that of its run. What the reply repeats of its request, and the items
//! before it, are the note of the run.

mod question;

use std::ops::ControlFlow;

use axum::http::{HeaderValue, Uri};
use axum::response::Response;
use haft_core::{AiMessage, ServerFields, Usage};
use haft_durable::{RunOptions, RunState, RunSummary};
use haft_models::PassThroughApi;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use self::question::Question;
use super::super::format::ReplyHead;
use super::background_events::{Events, stream};
use super::object::{State, response};
use super::reply::Keep;
use super::request;
use crate::kept_replies::{KeptReply, Stored, secret_id};
use crate::request_log::RequestLog;
use crate::respond::{self, DROPPED, Refusal};
use crate::run_visitor::{MAX_BODY, Visitor, refusal};

/// The fields of a request that have no effect on a worker.
const WITHOUT_EFFECT: [&str; 6] = [
    "max_output_tokens",
    "parallel_tool_calls",
    "reasoning",
    "temperature",
    "tool_choice",
    "top_p",
];

/// The fields that decide whether a request has to do with the background.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RequestStart {
    background: Option<bool>,
    previous_response_id: Option<String>,
}

/// What a run keeps of its request.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    model: String,
    /// The fields that the reply repeats.
    request: Map<String, Value>,
    /// The items of the conversation before the reply.
    input: Vec<Value>,
}

/// A reply as it is now.
#[derive(Debug)]
pub(super) struct BackgroundReply {
    run: RunSummary,
    note: Note,
    usage: Usage,
}

/// Begins a reply if the request wants it in the background. Otherwise reads the reply that the
/// request continues, if it is from the background or of another gateway.
pub(crate) async fn begin_or_recall(
    mut log: Box<RequestLog>,
    body: &[u8],
) -> ControlFlow<Response, Box<RequestLog>> {
    if log.dialect.pass_through() != Some(PassThroughApi::Responses) {
        return ControlFlow::Continue(log);
    }
    // What cannot be read is refused later, with the reason.
    let start: RequestStart = serde_json::from_slice(body).unwrap_or_default();
    let is_wanted = start.background == Some(true);
    if !is_wanted && (start.previous_response_id.is_none() || log.shared.runs.is_none()) {
        return ControlFlow::Continue(log);
    }
    if log.shared.runs.is_none() {
        let message = "`background` is not supported here: leave it out and read the reply as a \
            stream, or give the gateway a store with haft serve --store";
        return ControlFlow::Break(log.refused(&Refusal::new(400, message)));
    }
    let answer = async {
        let visitor = Visitor::new(&log.shared, log.caller.clone())?;
        if let Some(previous) = &start.previous_response_id {
            recall(&log, &visitor, previous).await?;
        }
        match is_wanted {
            true => begin(&mut log, &visitor, body).await.map(Some),
            false => Ok(None),
        }
    };
    // On the heap, as other requests would carry its state.
    match Box::pin(answer).await {
        Ok(Some(response)) => ControlFlow::Break(response),
        Ok(None) => ControlFlow::Continue(log),
        Err(refusal) => ControlFlow::Break(log.refused(&refusal)),
    }
}

/// Keeps a reply from the background, or of another gateway, where requests find the replies that
/// they continue.
async fn recall(log: &RequestLog, visitor: &Visitor, id: &str) -> Result<(), Refusal> {
    let kept = &log.shared.kept_replies;
    if kept.stored(id).is_some() {
        return Ok(());
    }
    let Some(reply) = BackgroundReply::find(visitor, id).await? else {
        kept.await_shared(id).await;
        return Ok(());
    };
    if !matches!(reply.run.state, RunState::Answered { .. }) {
        let message = format!("The reply \"{id}\" of `previous_response_id` is not complete");
        return Err(Refusal::new(400, message));
    }
    kept.keep(KeptReply {
        id: id.to_owned(),
        output: reply.items(),
        stored: Some(Stored {
            response: reply.object(),
            input: reply.note.input,
        }),
    });
    Ok(())
}

/// Begins a run for a request.
async fn begin(log: &mut RequestLog, visitor: &Visitor, body: &[u8]) -> Result<Response, Refusal> {
    if body.len() > MAX_BODY {
        return Err(Refusal::new(413, "The request is larger than 1 MiB"));
    }
    let read = request::read(body, &log.shared.kept_replies);
    let read = read.map_err(|error| Refusal::from(&error))?;
    let asked = read.request;
    log.model.clone_from(&asked.model);
    log.stream = asked.stream;
    if !asked.tools.is_empty() {
        return Err(unsupported(
            "`tools`: a reply in the background uses the tools of its worker",
        ));
    }
    if asked.options.response_schema.is_some() {
        return Err(unsupported("`text.format`: a worker answers in text"));
    }
    let question = Question::of(asked.messages).map_err(|error| Refusal::from(&error))?;
    log.admit().await?;
    let mut dropped = read.left_out;
    let fields = &read.basis.repeated;
    let without_effect = WITHOUT_EFFECT.iter().filter(|name| {
        let value = fields.get(**name);
        value.is_some_and(|value| !value.is_null())
    });
    dropped.extend(without_effect.map(|name| (*name).to_owned()));
    let Some(Keep {
        input: Some(input), ..
    }) = read.basis.keep
    else {
        return Err(unsupported("`store: false` together with `background`"));
    };
    let mut request = read.basis.repeated;
    request.insert("store".to_owned(), true.into());
    let note = Note {
        model: asked.model.clone(),
        request,
        input,
    };
    let mut options = RunOptions::default();
    options.id = Some(secret_id("resp_"));
    options.owner = visitor.owner();
    options.messages = question.before;
    options.model = Some(asked.model);
    options.note = Some(json!(note));
    let begun = visitor.store.submit_with(question.text, options).await;
    let id = begun.map_err(|error| refusal(&error))?;
    let run = visitor.run(&id).await?;
    let usage = Usage::default();
    let reply = BackgroundReply { run, note, usage };
    log.status = 200;
    let mut response = match asked.stream {
        true => stream(visitor.clone(), &reply, Events::default(), &log.shared),
        false => respond::json(&reply.object()),
    };
    if let Ok(names) = HeaderValue::from_str(&dropped.join(", "))
        && !dropped.is_empty()
    {
        response.headers_mut().insert(DROPPED, names);
    }
    Ok(response)
}

fn unsupported(what: &str) -> Refusal {
    Refusal::new(400, format!("Not supported in the background: {what}"))
}

impl BackgroundReply {
    /// The reply with this id, if there is one that the caller may see.
    pub(super) async fn find(visitor: &Visitor, id: &str) -> Result<Option<Self>, Refusal> {
        let run = match visitor.run(id).await {
            Ok(run) => run,
            Err(refusal) if refusal.status == 404 => return Ok(None),
            Err(refusal) => return Err(refusal),
        };
        let note = visitor.store.note(id).await;
        let note = note.map_err(|error| refusal(&error))?;
        // Other runs have no note of this form.
        let Some(note) = note.and_then(|note| serde_json::from_value(note).ok()) else {
            return Ok(None);
        };
        let mut usage = Usage::default();
        if run.state.has_ended() {
            let steps = visitor.store.steps(id).await;
            for step in steps.map_err(|error| refusal(&error))? {
                usage += step.usage().unwrap_or_default();
            }
        }
        Ok(Some(Self { run, note, usage }))
    }

    pub(super) fn id(&self) -> &str {
        &self.run.id
    }

    pub(super) fn run_state(&self) -> &RunState {
        &self.run.state
    }

    pub(super) fn input(self) -> Vec<Value> {
        self.note.input
    }

    /// The items of the reply.
    pub(super) fn items(&self) -> Vec<Value> {
        let RunState::Answered { text } = &self.run.state else {
            return Vec::new();
        };
        let id = self.run.id.strip_prefix("resp_").unwrap_or(&self.run.id);
        let part = json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []});
        vec![json!({
            "id": format!("msg_{id}"), "type": "message", "role": "assistant",
            "status": "completed", "content": [part],
        })]
    }

    /// The reply as an object.
    pub(super) fn object(&self) -> Value {
        match &self.run.state {
            RunState::Queued | RunState::Delayed { .. } => self.object_in(&State::Queued),
            RunState::Answered { text } => {
                let mut reply = AiMessage::new(text.as_str());
                reply.usage = Some(self.usage);
                self.object_in(&State::Ended(&reply))
            }
            RunState::Failed { error } => {
                self.object_in(&State::Failed(&Refusal::new(500, error.clone())))
            }
            RunState::Cancelled => self.object_in(&State::Cancelled),
            _ => self.object_in(&State::InProgress),
        }
    }

    /// The reply as an object in one of the states through which it goes.
    pub(super) fn object_in(&self, state: &State<'_>) -> Value {
        let head = ReplyHead {
            id: self.run.id.clone(),
            model: self.note.model.clone(),
            created: self.run.asked.parse().unwrap_or_default(),
            wants_usage: true,
            report: None,
            fields: ServerFields::default(),
        };
        let items = match state {
            State::Ended(_) => self.items(),
            _ => Vec::new(),
        };
        response(&head, &self.note.request, state, items)
    }
}

/// Whether the query of an address asks for the events of a reply, and after which one.
pub(super) fn wanted_events(address: &Uri) -> Option<Events> {
    let queries = address.query().unwrap_or_default().split('&');
    let value = |name: &str| {
        let mut pairs = queries.clone().filter_map(|query| query.split_once('='));
        pairs.find(|(own, _)| *own == name).map(|(_, value)| value)
    };
    if value("stream") != Some("true") {
        return None;
    }
    let after = value("starting_after").and_then(|number| number.parse().ok());
    Some(Events::after(after))
}
