//! One call of a tool: sent, watched, and cancelled at its time limit.
//!
//! A call ends with its answer, with the connection, or at its time limit; dropping it cancels it
//! too. In each case of cancellation the server is notified. The executor has shorter limits; these
//! are for callers without one.

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

/// The maximum number of times that a server may ask for input before it answers, as in the
/// official libraries.
const MAX_ROUNDS: u32 = 10;

/// The pause before a call is repeated because the server requested it without asking for input.
const NEXT_ROUND: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallLimits {
    /// Without progress.
    pub(crate) silent: Duration,
    /// In total.
    pub(crate) total: Duration,
}

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The connection ended before the answer came; with the reason, if known.
    Ended(Option<String>),
    /// Nothing was received for this time.
    Silent(Duration),
    /// The total time limit was reached.
    Endless(Duration),
    /// The response is not an answer to a call.
    NotUnderstood(&'static str),
    Service(ServiceError),
}

/// Sends a cancellation notice when dropped, unless the answer came.
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
            // A closed connection needs no notice.
            let _ = peer.notify_cancelled(notice).await;
            notices.send_modify(|notices| *notices -= 1);
        });
    }
}

/// Calls a tool. Requests for input are declined, except for forms that are accepted with their
/// defaults.
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

/// The answers to a server's requests for input; most are declined.
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
