//! A conversation: read, taken one turn further, and answered in the client's words.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use haft_agent::{Agent, AgentError, AgentErrorKind, AgentOptions, EventStream, Rungs, Turn};
use haft_core::{AiMessage, Content, Tool};
use haft_models::{ClientRequest, Dialect, status_of};
use haft_select::SearchTools;
use haft_tools::{ExecutorOptions, ToolExecutor, ToolManager, refuse};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::account::Account;
use crate::agents::Wanted;
use crate::gateway::Shared;
use crate::relayed;
use crate::reply::{self, Reply};
use crate::routes::{refused, told_no};
use crate::switches::Switches;

/// 64 MiB: a conversation with pictures; more than any model takes.
pub(crate) const MAX_BODY: usize = 64 * 1024 * 1024;

/// How long a request may take to arrive: a minute, for pictures over a slow network.
pub(crate) const RECEIVING: Duration = Duration::from_secs(60);

/// What the model reads of a call that a person would have to allow.
const REMEDY: &str = "The gateway has nobody to ask. Whoever runs it can allow calls like this \
    one with haft serve --approve never.";

/// Answers a request of this dialect.
pub(crate) async fn answer(shared: Arc<Shared>, dialect: Dialect, request: Request) -> Response {
    let mut account = Account::open(shared.clone(), dialect);
    let refuse = |account: &mut Account, status, message: &str| {
        account.status = status;
        refused(dialect, status, message)
    };
    let Ok(room) = shared.room.clone().try_acquire_owned() else {
        return refuse(&mut account, 503, "Too many requests are being answered");
    };
    let switches = match Switches::of(request.headers()) {
        Ok(switches) => switches,
        Err(message) => return refuse(&mut account, 400, &message),
    };
    let receiving = timeout(RECEIVING, to_bytes(request.into_body(), MAX_BODY));
    let body = match receiving.await {
        Ok(Ok(body)) => body,
        Err(_) => return refuse(&mut account, 408, "The request takes too long to arrive"),
        Ok(Err(error)) => {
            let message = format!("The request cannot be received: {error}");
            return refuse(&mut account, 413, &message);
        }
    };
    let mut held = Some((account, room));
    if let Some(request) = relayed::passable(&shared, dialect, &body, switches)
        && let Some(response) = relayed::answer(dialect, request, &mut held).await
    {
        return response;
    }
    // The larger part of the work, which needs no room where it is not done.
    Box::pin(read_and_answered(dialect, body, (switches, held))).await
}

/// Answers a request that has to be read.
async fn read_and_answered(
    dialect: Dialect,
    body: Bytes,
    (switches, held): (Switches, Option<(Account, OwnedSemaphorePermit)>),
) -> Response {
    let Some((mut account, room)) = held else {
        return refused(dialect, 500, "The request was lost");
    };
    let shared = account.shared.clone();
    let mut request = match account.work(|| dialect.read(&body)) {
        Ok(request) => request,
        Err(error) => {
            account.status = status_of(error.kind());
            return told_no(account.status, &dialect.refusal(&error));
        }
    };
    drop(body);
    account.model.clone_from(&request.model);
    account.stream = request.stream;
    request.messages = shared.kept.restored(std::mem::take(&mut request.messages));
    let switches = shared.switches_for(&request.model, switches);
    let (events, flows) = match account.work(|| events(&shared, &request, switches)) {
        Ok(events) => events,
        Err(error) => return reply::failed(dialect, &error, &mut account),
    };
    let reply = Reply {
        dialect,
        events,
        _room: room,
        account,
        writer: dialect.writer(&request),
        is_streamed: request.stream,
        is_data: request.options.response_schema.is_some(),
        asked: request.messages.len(),
        sent: AiMessage::new(Content::Blocks(Vec::new())),
        has_begun: false,
        flows,
        flowed: Vec::new(),
        renamed: Vec::new(),
        end: None,
    };
    if request.stream {
        reply::streamed(dialect, reply).await
    } else {
        reply::whole(dialect, reply).await
    }
}

/// The turn of the model of the request, with the client's tools and those that run here; and
/// whether its calls may go out before their end: where nothing is done to them.
fn events(
    shared: &Shared,
    request: &ClientRequest,
    switches: Switches,
) -> Result<(EventStream, bool), AgentError> {
    let mut turn = Turn::default();
    turn.tool_choice = request.options.tool_choice.clone();
    turn.checks = switches.repairs();
    let own = own_tools(shared, request, switches);
    turn.runs_here = own.iter().map(|tool| tool.name().to_owned()).collect();
    if switches.select == Some(true) && shared.selection.search_tools {
        turn.runs_here.insert(SearchTools::NAME.to_owned());
    }
    let wanted = Wanted::of(request, switches, &own);
    let agent = (shared.agents).get(wanted, || agent(shared, request, switches, &own))?;
    let flows = !turn.checks && switches.rungs() == Rungs::none() && turn.runs_here.is_empty();
    Ok((agent.turn(request.messages.clone(), turn), flows))
}

/// The tools of the gateway that the model is offered. A tool of the client's by the same name is
/// the one that the client means.
fn own_tools(shared: &Shared, request: &ClientRequest, switches: Switches) -> Vec<Arc<dyn Tool>> {
    if switches.server_tools == Some(false) {
        return Vec::new();
    }
    let is_clients = |name: &str| request.tools.iter().any(|tool| tool.name() == name);
    let mut tools = shared.tools();
    tools.retain(|tool| !is_clients(tool.name()));
    tools
}

/// The agent that answers such requests.
fn agent(
    shared: &Shared,
    request: &ClientRequest,
    switches: Switches,
    own: &[Arc<dyn Tool>],
) -> Result<Agent, AgentError> {
    let mut tools = ToolManager::new();
    for tool in request.tools.iter().chain(own) {
        tools.add(tool.clone())?;
    }
    let mut options = AgentOptions::default();
    // What the client offers is what it wants offered, unless it says otherwise.
    options.selection = None;
    if switches.select == Some(true) {
        options.selection = Some(shared.selection.clone());
    } else {
        // Where tools are chosen, the same choice tells.
        options.call_due = Some(shared.call_due.clone());
    }
    options.generation = request.options.generation.clone();
    options.response_schema = request.options.response_schema.clone();
    options.recovery = switches.rungs();
    let model = shared.upstreams.model(&request.model, request.stream)?;
    let refusing = Some(refuse(REMEDY)).filter(|_| !own.is_empty());
    let approve = refusing.and_then(|refuse| shared.approval.approver(refuse));
    let executor = ToolExecutor::with_options(tools, ExecutorOptions::default(), approve);
    Agent::new(model, executor, options)
}

/// The status that says what went wrong.
pub(crate) fn status(error: &AgentError) -> u16 {
    match error.kind() {
        AgentErrorKind::Model(kind) => status_of(kind),
        AgentErrorKind::Tools(_) | AgentErrorKind::Configuration => 400,
        AgentErrorKind::Timeout => 504,
        _ => 502,
    }
}

/// The sentence for the client, with what can be done about it.
pub(crate) fn told(error: &AgentError) -> String {
    match error.hint() {
        Some(hint) => format!("{error} (hint: {hint})"),
        None => error.to_string(),
    }
}
