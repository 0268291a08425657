//! `haft ask`: a question in, the answer on stdout, the trace on stderr.
//!
//! [`run`] is the way of a question, and the other commands that ask a model follow it: read the
//! settings, the options and the question before anything is started, so that mistakes in them
//! cost nothing; open the model and the tools; read the agent's events until the answer; then shut
//! the servers down. `haft-agent` has the loop, `trace` shows its events, and `live` prints the
//! answer while it is still being written.
//!
//! From the moment something runs, [`Interrupts`] is asked around every wait: Ctrl-C ends the
//! command with a message that says whether a tool was under way.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use haft::models::Recorder;
use haft::schema::CompiledSchema;
use haft::{AgentError, AgentErrorKind, AgentOptions, Answer, Event, Message, Outcome, WebSearch};
use serde_json::Value;

use crate::agent::{OpenedAgent, Purpose, WantedAgent};
use crate::approval::approver;
use crate::args::{AskArgs, Verbosity};
use crate::attempts::Recording;
use crate::bounded;
use crate::failure::{Exit, Failure};
use crate::interrupts::{Interrupted, Interrupts, under_way};
use crate::live::{Display, Live};
use crate::output::{print_json, print_text};
use crate::question::{self, Asked};
use crate::sessions::{Continued, KeptTurn};
use crate::settings::Settings;
use crate::stdin::Stdin;
use crate::trace::Trace;
use crate::trust::Trust;

pub(crate) async fn run(
    mut arguments: AskArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let settings =
        Settings::load(&arguments.model, arguments.tools.mcp.mcp.as_deref(), trust).await?;
    let settings = settings.in_role(arguments.role.as_deref(), &mut arguments.tools)?;
    let continued = continued(&mut arguments)?;
    let mut options = options(&arguments, &settings)?;
    let recording = Recording::begin(&settings, &mut options, arguments.kept.address())?;
    let mut trace = Trace::new(verbosity);
    let stdin = Stdin {
        trace: &trace,
        timeout: settings.timeout.value,
    };
    let asked = Asked {
        words: &arguments.query,
        files: &arguments.files,
        images: &arguments.images,
    };
    let question = question::read(asked, stdin)?;
    let turn = KeptTurn::begin(&arguments.kept, &settings, continued, &trace).await?;
    // Report an unusable recording file before the model is asked.
    let recorder = arguments
        .record
        .as_ref()
        .map(Recorder::create)
        .transpose()?;
    // From here on, running work needs a clean shutdown.
    let mut interrupts = Interrupts::listen()?;

    trace.wait("looking for a model");
    let wanted = WantedAgent {
        settings: &settings,
        tools: Some(&arguments.tools).filter(|_| !arguments.no_tools),
        approve: approver(settings.approval(arguments.approve), &trace),
        record: recorder.clone(),
        options,
    };
    let opening = wanted.open(Purpose::OneQuestion, &trace);
    let OpenedAgent { agent, servers } = interrupts.unless(opening).await??;
    trace.prompts(settings.system.value.as_deref(), &question);
    let limit = settings.timeout.value;
    let events = agent.run(turn.with(Message::human(question)));
    let events = events.map(|event| event.map_err(|error| within(limit, error)));
    let watching = watch(events, &mut trace, &arguments);
    let watched = interrupts.unless(watching).await;
    trace.clear();
    // A second interrupt does not wait for the servers.
    let ending = async { tokio::join!(recording.finish(&trace), servers.shutdown()) };
    let stopped = interrupts.unless(ending).await;
    match watched {
        Ok(answer) => {
            stopped?;
            let answer = answer?;
            turn.save(&answer, &trace).await;
            let outcome = answer.outcome;
            if outcome == Outcome::Truncated {
                trace.cut_off();
            }
            // The answer is printed; a failed recording is still an error.
            recorder.map_or(Ok(()), |recorder| recorder.check())?;
            Ok(outcome.into())
        }
        Err(interrupted) => Err(interruption(interrupted, &trace)),
    }
}

/// The conversation of `--continue`. Its id may also be the first word of the question: no word
/// looks like one.
fn continued(arguments: &mut AskArgs) -> Result<Option<Continued>, Failure> {
    let first = arguments.query.first().and_then(|word| word.parse().ok());
    match (&arguments.continued, first) {
        (Some(None), Some(id)) => {
            arguments.query.remove(0);
            Ok(Some(Continued::Named(id)))
        }
        (flag, _) => Continued::of_flag(flag.as_ref()),
    }
}

/// The agent's options. Reports an invalid schema before anything is started.
fn options(arguments: &AskArgs, settings: &Settings) -> Result<AgentOptions, Failure> {
    let mut options = settings.agent_options();
    options.max_rounds = arguments.max_rounds;
    options.selection = options.selection.filter(|_| !arguments.all_tools);
    if arguments.search_tools {
        let selection = options.selection.get_or_insert_default();
        selection.search_tools = true;
    }
    let left_out = arguments.without.iter();
    options.recovery = left_out.fold(options.recovery, |steps, step| steps.without(*step));
    options.web_search = if arguments.no_tools {
        WebSearch::off()
    } else {
        // Clap refuses both at once.
        let flags = arguments.web_search || arguments.no_web_search;
        let enabled = flags.then_some(arguments.web_search);
        settings.web_search.with_flag(enabled).search()
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
        .map_err(|error| Failure::new(format!("{name} is not a usable schema: {error}")))?;
    Ok(Arc::new(schema))
}

/// Shows the trace and prints the answer.
async fn watch(
    events: impl Stream<Item = Result<Event, Failure>>,
    trace: &mut Trace,
    arguments: &AskArgs,
) -> Result<Box<Answer>, Failure> {
    let streams = io::stdout().is_terminal() && !arguments.json && arguments.schema.is_none();
    let mut live = Live::new(match streams {
        true => Display::Text,
        false => Display::Answer,
    });
    let mut events = pin!(events);
    while let Some(event) = events.next().await {
        let event = event?;
        live.event(&event, trace)?;
        if let Event::Done(answer) = &event {
            trace.clear();
            print(answer, &live, arguments.json)?;
        }
        trace.event(&event);
        if let Event::Done(answer) = event {
            return Ok(answer);
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

/// The error of an answer that exceeded `limit`. The agent only knows the time that remained after
/// the servers started.
fn within(limit: Option<Duration>, error: AgentError) -> Failure {
    let is_late = error.kind() == AgentErrorKind::Timeout;
    let under_way = under_way(error.under_way());
    let mut failure = Failure::from(error);
    if let Some(limit) = limit.filter(|_| is_late) {
        let seconds = limit.as_secs_f64();
        let late = format!("There was no answer within {seconds} seconds");
        let parts: Vec<_> = [Some(late), under_way].into_iter().flatten().collect();
        failure.message = parts.join("; ");
    }
    failure
}

/// The message after an interrupt: whether any tool call was executed.
fn interruption(interrupted: Interrupted, trace: &Trace) -> Failure {
    Failure {
        message: trace.so_far(interrupted.under_way()),
        ..interrupted.into()
    }
}
