//! Answers a conversation: receives the request, takes one turn with the model, and replies in the
//! client's dialect.

use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::response::Response;
use haft_agent::{
    Agent, AgentError, AgentOptions, ClientTurn, EventStream, RecoverySteps, Routing,
};
use haft_core::{QueueShare, RequestContext, Tool};
use haft_models::ClientRequest;
use haft_select::SearchTools;
use haft_tools::{ExecutorOptions, ToolExecutor, ToolManager, refuse};

use crate::agents::Wanted;
use crate::content_encoding::decoded;
use crate::dialects::writer::ReplyWriter;
use crate::overrides::Overrides;
use crate::proxy;
use crate::receive::receive;
use crate::reply::{CallDelivery, Reply};
use crate::request_log::RequestLog;
use crate::respond::{self, Refusal};
use crate::scheduler::WantedModel;
use crate::shared::Shared;

/// The message for the model about a call that would need approval.
const REMEDY: &str = "The gateway has nobody to ask. Whoever runs it can allow calls like this \
    one with haft serve --approve never.";

/// Answers a request.
pub(crate) async fn answer(mut log: Box<RequestLog>, request: Request) -> Response {
    if !log.take_room() {
        return log.refused(&Refusal::new(503, "Too many requests are being answered"));
    }
    let mut overrides = match Overrides::of(request.headers()) {
        Ok(overrides) => overrides,
        Err(message) => return log.refused(&Refusal::new(400, message)),
    };
    if !log.caller.may_use_server_tools() {
        overrides.server_tools = Some(false);
    }
    let (head, body) = request.into_parts();
    let headers = head.headers;
    let received = receive(body).await;
    let body = match received.and_then(|body| log.work(|| decoded(&headers, body))) {
        Ok(body) => body,
        Err(refusal) => return log.refused(&refusal),
    };
    log.shared.activity.keep(&log.exchange, &body);
    #[cfg(feature = "durable")]
    let log = match crate::dialects::begin_or_recall(log, &body).await {
        ControlFlow::Break(response) => return response,
        ControlFlow::Continue(log) => log,
    };
    match proxy::conversation(log, &body, overrides).await {
        ControlFlow::Break(response) => response,
        ControlFlow::Continue(log) => {
            let asked = Asked {
                headers,
                body,
                overrides,
            };
            // On the heap, so that requests that pass through do not move its state.
            Box::pin(read_and_answer(log, asked)).await
        }
    }
}

/// A request that cannot be passed through.
struct Asked {
    headers: HeaderMap,
    body: Bytes,
    overrides: Overrides,
}

/// Answers a request that cannot be passed through.
async fn read_and_answer(mut log: Box<RequestLog>, asked: Asked) -> Response {
    let Asked {
        headers,
        body,
        overrides,
    } = asked;
    let (shared, dialect) = (log.shared.clone(), log.dialect);
    let read = log.work(|| dialect.read(&body, &shared.kept_replies));
    let received = match read {
        Ok(received) => received,
        Err(error) => {
            let refusal = Refusal::from(&error);
            log.status = refusal.status;
            log.exchange.fail(&refusal.message);
            return respond::error(log.status, &dialect.rejection(&error));
        }
    };
    drop(body);
    let mut request = dialect.with_headers(received.request, &headers);
    log.model.clone_from(&request.model);
    log.stream = request.stream;
    if let Err(refusal) = log.admit().await {
        return log.refused(&refusal);
    }
    let messages = mem::take(&mut request.messages);
    request.messages = shared.hidden_rounds.restored(messages);
    let overrides = shared.live.overrides_for(&request.model, overrides);
    let client = Client {
        share: log.caller.queue_share(),
        context: log.trace.context.clone(),
    };
    let turn = match log.work(|| turn(&shared, &request, overrides, client)) {
        Ok(turn) => turn,
        Err(error) => return log.failed(&error),
    };
    let writer = ReplyWriter::new(received.reply, dialect.call_prefix(), &request.messages);
    let reply = Reply::new(&request, log, writer, turn).without(received.dropped);
    reply.response().await
}

/// A running turn of the model.
pub(crate) struct Turn {
    pub(crate) events: EventStream,
    pub(crate) calls: CallDelivery,
}

/// Whose turn it is.
struct Client {
    share: Option<QueueShare>,
    context: Arc<RequestContext>,
}

/// Starts the turn of the requested model, with the tools of the client and of the gateway. Its
/// calls may be streamed in pieces if they are not repaired.
fn turn(
    shared: &Shared,
    request: &ClientRequest,
    overrides: Overrides,
    client: Client,
) -> Result<Turn, AgentError> {
    let mut turn = ClientTurn::default();
    turn.queue_share = client.share;
    turn.context = Some(client.context);
    turn.tool_choice = request.options.tool_choice.clone();
    turn.checks = overrides.repairs();
    turn.parallel_calls = request.parallel_calls;
    turn.document.clone_from(&request.options.client_document);
    let own = own_tools(shared, request, overrides);
    turn.runs_here = own.iter().map(|tool| tool.name().to_owned()).collect();
    if overrides.select == Some(true) && shared.selection.search_tools {
        turn.runs_here.insert(SearchTools::NAME.to_owned());
    }
    let wanted = Wanted::of(request, overrides, &own);
    let agent = (shared.agents).get(wanted, || agent(shared, request, overrides, &own))?;
    let is_untouched = !turn.checks
        && request.parallel_calls
        && overrides.steps() == RecoverySteps::none()
        && turn.runs_here.is_empty();
    Ok(Turn {
        events: agent.turn(request.messages.clone(), turn),
        calls: if is_untouched {
            CallDelivery::InPieces
        } else {
            CallDelivery::Complete
        },
    })
}

/// The tools of the gateway that are offered to the model. A tool of the client replaces one of the
/// gateway with the same name.
fn own_tools(shared: &Shared, request: &ClientRequest, overrides: Overrides) -> Vec<Arc<dyn Tool>> {
    if overrides.server_tools == Some(false) {
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
    overrides: Overrides,
    own: &[Arc<dyn Tool>],
) -> Result<Agent, AgentError> {
    let mut tools = ToolManager::new();
    for tool in request.tools.iter().chain(own) {
        tools.add(tool.clone())?;
    }
    let mut options = AgentOptions::default();
    // The client's tools are all offered unless tool selection is switched on.
    options.selection = None;
    if overrides.select == Some(true) {
        options.selection = Some(shared.selection.clone());
    } else {
        // With tool selection, the selection also detects the need for a tool.
        options.tool_need = Some(shared.tool_need.clone());
    }
    options.generation = request.options.generation.clone();
    options.response_schema = request.options.response_schema.clone();
    options.recovery = overrides.steps();
    options.attempts.clone_from(&shared.attempts);
    options.routing = if overrides.repairs() {
        shared.routing
    } else {
        Routing::Never
    };
    let model = shared.upstreams.model(&WantedModel {
        name: &request.model,
        is_streamed: request.stream,
        stable_prefix: overrides.stable_prefix,
    })?;
    let refusing = Some(refuse(REMEDY)).filter(|_| !own.is_empty());
    let approve = refusing.and_then(|refuse| shared.approval.approver(refuse));
    let executor = ToolExecutor::with_options(tools, ExecutorOptions::default(), approve);
    Agent::new(model, executor, options)
}
