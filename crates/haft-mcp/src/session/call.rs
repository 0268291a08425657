//! One call of a tool: sent, watched, and given up when its time is over.
//!
//! A call ends with its answer, with the connection, or with its time; dropping it ends it too.
//! Whoever gives up tells the server so. The executor above has shorter limits; these are for
//! callers without one.

use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotificationParam,
    ClientRequest, InputRequest, InputRequiredResult, InputResponses, RequestId,
};
use rmcp::service::{PeerRequestOptions, ServiceError};
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::session::connection::Connection;
use crate::session::elicitation;
use crate::session::lenient::{Reply, reply};
use haft_tools::report_progress;

/// How often a server may ask back before it answers, as the official libraries have it.
const MAX_ROUNDS: u32 = 10;

/// A server that asks to be called again, and says no more, is given a moment.
const NEXT_ROUND: Duration = Duration::from_millis(100);

/// How long a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallLimits {
    /// Without a sign of progress.
    pub(crate) silent: Duration,
    /// In all.
    pub(crate) total: Duration,
}

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The connection ended before the answer came, because of this where it is known.
    Ended(Option<String>),
    /// Nothing was heard for so long.
    Silent(Duration),
    /// It went on for so long.
    Endless(Duration),
    /// What came is no answer to a call.
    NotUnderstood(&'static str),
    Service(ServiceError),
}

/// Tells the server that nobody waits any more, unless the answer came.
struct CancelOnDrop<'a> {
    connection: &'a Connection,
    id: Option<RequestId>,
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let peer = self.connection.peer.clone();
        let notices = self.connection.notices.clone();
        notices.send_modify(|notices| *notices += 1);
        runtime.spawn(async move {
            let reason = Some("nobody waits for the result any more".to_owned());
            let notice = CancelledNotificationParam::new(Some(id), reason);
            // A connection that is gone needs no notice.
            let _ = peer.notify_cancelled(notice).await;
            notices.send_modify(|notices| *notices -= 1);
        });
    }
}

/// Calls a tool. Questions that come back are declined, but for forms that are filled in where those
/// are accepted.
pub(crate) async fn call(
    connection: &Connection,
    mut params: CallToolRequestParams,
    limits: CallLimits,
) -> Result<CallToolResult, CallError> {
    let end = Instant::now() + limits.total;
    for round in 0..MAX_ROUNDS {
        match ask(connection, params.clone(), limits, end).await? {
            Reply::Complete(result) => return Ok(result),
            Reply::InputRequired(question) => {
                if question.input_requests.iter().flatten().next().is_none() {
                    tokio::time::sleep(NEXT_ROUND * round).await;
                }
                params.request_state.clone_from(&question.request_state);
                params.input_responses = Some(answers(question, connection.accept_defaults)?);
            }
        }
    }
    Err(CallError::NotUnderstood("it asks back without end"))
}

async fn ask(
    connection: &Connection,
    params: CallToolRequestParams,
    limits: CallLimits,
    end: Instant,
) -> Result<Reply, CallError> {
    let peer = &connection.peer;
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let mut handle = peer
        .send_request_with_option(request, PeerRequestOptions::no_options())
        .await
        .map_err(CallError::Service)?;
    let progress = connection.progress.watch(handle.progress_token.clone());
    let mut unanswered = CancelOnDrop {
        connection,
        id: Some(handle.id.clone()),
    };
    let mut silent = Instant::now() + limits.silent;
    let answer = loop {
        tokio::select! {
            biased;
            answer = &mut handle.rx => break answer,
            () = connection.ended() => {
                unanswered.id = None;
                return Err(CallError::Ended(connection.trouble()));
            }
            () = progress.sign() => {
                silent = Instant::now() + limits.silent;
                report_progress();
            }
            () = sleep_until(end) => return Err(CallError::Endless(limits.total)),
            () = sleep_until(silent) => return Err(CallError::Silent(limits.silent)),
        }
    };
    unanswered.id = None;
    let result = answer
        .map_err(|_| CallError::Ended(connection.trouble()))?
        .map_err(CallError::Service)?;
    reply(result).ok_or(CallError::NotUnderstood("it answers with no result"))
}

/// What is said to everything that a server wants to know: mostly a polite no.
fn answers(
    question: InputRequiredResult,
    accept_defaults: bool,
) -> Result<InputResponses, CallError> {
    let requests = question.input_requests.unwrap_or_default();
    requests
        .into_iter()
        .map(|(key, request)| match request {
            InputRequest::Elicitation(request) => Ok((
                key,
                json!(elicitation::answer(&request.params, accept_defaults)),
            )),
            InputRequest::ListRoots(_) => Ok((key, json!({"roots": []}))),
            _ => Err(CallError::NotUnderstood(
                "it asks for a model, which is not offered",
            )),
        })
        .collect()
}
