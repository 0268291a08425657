//! `haft ask`: a question in, the answer on stdout, the trace on stderr.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use futures_util::StreamExt;
use haft::schema::CompiledSchema;
use haft::{Agent, AgentOptions, Answer, Content, Event, Message, Outcome, WebSearch};
use serde_json::Value;

use crate::agent::WantedAgent;
use crate::approval::approver;
use crate::args::{AskArgs, Verbosity};
use crate::attempts::Recording;
use crate::bounded;
use crate::failure::{Exit, Failure};
use crate::interrupts::{Interrupted, Interrupts};
use crate::live::Live;
use crate::output::{print_json, print_text};
use crate::question;
use crate::settings::Settings;
use crate::trace::Trace;

pub(crate) async fn run(arguments: AskArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
    let settings = Settings::load(&arguments.model, arguments.tools.mcp.mcp.as_deref())?;
    let mut options = options(&arguments, &settings)?;
    let recording = Recording::begin(&settings, &mut options);
    let question = question::read(&arguments.query, &arguments.images)?;
    // From here on something may be under way that wants a clean end.
    let mut interrupts = Interrupts::listen()?;
    let mut trace = Trace::new(verbosity);

    trace.wait("looking for a model");
    let wanted = WantedAgent {
        settings: &settings,
        tools: Some(&arguments.tools).filter(|_| !arguments.no_tools),
        approve: approver(settings.approval(arguments.approve), &trace),
        record: arguments.record.clone(),
        options,
    };
    let preparing = wanted.open(&trace);
    let (agent, servers) = interrupts.unless(preparing).await??;
    trace.prompts(settings.system.value.as_deref(), &question);
    let watching = watch(&agent, question, &mut trace, &arguments);
    let watched = interrupts.unless(watching).await;
    trace.clear();
    // The next request to end does not wait for the servers.
    let ending = async { tokio::join!(recording.finish(&trace), servers.shutdown()) };
    let stopped = interrupts.unless(ending).await;
    match watched {
        Ok(outcome) => {
            stopped?;
            Ok(exit_of(outcome?))
        }
        Err(interrupted) => Err(told(interrupted, &trace)),
    }
}

/// The agent's options; what is wrong with the schema is said before anything is started.
fn options(arguments: &AskArgs, settings: &Settings) -> Result<AgentOptions, Failure> {
    let mut options = AgentOptions::default();
    options.max_rounds = arguments.max_rounds;
    options.system = settings.system.value.clone();
    options.timeout = settings.timeout.value;
    options.context = settings.context.value;
    options.selection = settings.selection().filter(|_| !arguments.all_tools);
    if arguments.search_tools {
        let selection = options.selection.get_or_insert_default();
        selection.search_tools = true;
    }
    let left_out = arguments.without.iter();
    options.recovery = left_out.fold(settings.rungs(), |rungs, rung| rungs.without(*rung));
    options.web_search = if arguments.no_tools {
        WebSearch::off()
    } else {
        let flags = (arguments.web_search, arguments.no_web_search);
        settings.web_search.with_flags(flags.0, flags.1).search()
    };
    options.response_schema = arguments.schema.as_deref().map(read_schema).transpose()?;
    Ok(options)
}

fn read_schema(path: &Path) -> Result<Arc<Value>, Failure> {
    let text = bounded::read_text(path)?;
    let name = path.display();
    let schema: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("{name} is not JSON: {error}")))?;
    CompiledSchema::new(&schema)
        .map_err(|error| Failure::new(format!("{name} is no usable schema: {error}")))?;
    Ok(Arc::new(schema))
}

/// Asks, shows what happens, and prints the answer.
async fn watch(
    agent: &Agent,
    question: Content,
    trace: &mut Trace,
    arguments: &AskArgs,
) -> Result<Outcome, Failure> {
    let streams = io::stdout().is_terminal() && !arguments.json && arguments.schema.is_none();
    let mut live = Live::new(streams);
    let mut events = agent.run(vec![Message::human(question)]);
    while let Some(event) = events.next().await {
        let event = event?;
        live.event(&event, trace)?;
        if let Event::Done(answer) = &event {
            trace.clear();
            print(answer, &live, arguments.json)?;
        }
        trace.event(&event);
        if let Event::Done(answer) = event {
            return Ok(answer.outcome);
        }
    }
    Err(Failure::new("The answer ended before it was complete"))
}

fn print(answer: &Answer, live: &Live, json: bool) -> Result<(), Failure> {
    match &answer.structured {
        _ if json => print_json(answer),
        Some(data) => print_text(&data.to_string()),
        None => live.finish(answer),
    }
}

fn exit_of(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Empty => Exit::Failure,
        _ => Exit::Success,
    }
}

/// What an interrupted user wants to know: whether anything was done already.
fn told(interrupted: Interrupted, trace: &Trace) -> Failure {
    Failure {
        message: trace.so_far(),
        ..interrupted.into()
    }
}
