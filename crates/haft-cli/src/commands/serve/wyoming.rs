//! `haft serve --wyoming`: a conversation agent for Home Assistant.

use std::net::SocketAddr;
use std::sync::Arc;

use haft::tools::refuse;
use haft::types::ToolStatus;
use haft::voice::mqtt::Mqtt;
use haft::voice::wyoming::{Announcement, Observer, WyomingServer, WyomingServerOptions};
use haft::voice::{Assistant, VoiceEvent};

use crate::agent::{OpenedAgent, Purpose, WantedAgent};
use crate::args::{ServeArgs, Verbosity};
use crate::attempts::Recording;
use crate::commands::assistant;
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::settings::Settings;
use crate::trace::Trace;
use crate::trust::Trust;

/// The hint for a refused call, as approval is not possible.
const REMEDY: &str = "Nobody can be asked here. Calls like this one can be allowed with \
    --approve never.";

pub(super) async fn run(
    arguments: ServeArgs,
    listen: SocketAddr,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let settings =
        Settings::load(&arguments.model, arguments.tools.mcp.mcp.as_deref(), trust).await?;
    let mut interrupts = Interrupts::listen()?;
    let trace = Arc::new(Trace::new(verbosity));
    let mut agent_options = assistant::options(&settings);
    let recording = Recording::begin(
        &settings,
        &mut agent_options,
        arguments.store.store.as_deref(),
    )?;
    let wanted = WantedAgent {
        settings: &settings,
        tools: Some(&arguments.tools),
        approve: settings
            .approval(arguments.approve)
            .approver(refuse(REMEDY)),
        record: None,
        options: agent_options,
    };
    trace.wait("looking for a model");
    let opening = wanted.open(Purpose::Session, &trace);
    let OpenedAgent { agent, servers } = interrupts.unless(opening).await??;
    let mqtt = assistant::mqtt(&arguments.mqtt, &settings, &trace)?;
    let mut options = WyomingServerOptions::default();
    options.listen = listen;
    options.observer = Some(observer(Arc::clone(&trace), mqtt.clone()));
    let assistant = Assistant::new(agent, assistant::spoken_options(&settings.voice))?;
    let server = WyomingServer::bind(assistant, options).await?;
    let address = server.address()?;
    trace.note("listens", &format!("{address} (Wyoming)"));
    if !address.ip().is_loopback() {
        trace.warning(
            "anyone who can reach this address can control the home: Wyoming has no authentication",
        );
    }
    let wanted = !arguments.no_announce && settings.voice.announce.value != Some(false);
    let announcement = wanted.then(|| announce(address, &trace)).flatten();
    let ending = || trace.note("ending", "as soon as what is under way is answered");
    let served = interrupts.end_well(|end| server.serve(end), ending).await;
    if let Some(announcement) = announcement {
        announcement.withdraw().await;
    }
    servers.shutdown().await;
    recording.finish(&trace).await;
    if let Some(mqtt) = mqtt.and_then(Arc::into_inner) {
        mqtt.finish().await;
    }
    served?;
    Ok(Exit::Success)
}

/// Announces the server by zeroconf. A failure is only a warning.
fn announce(address: SocketAddr, trace: &Trace) -> Option<Announcement> {
    match Announcement::begin(address) {
        Ok(announcement) => {
            let whom = match address.ip().is_loopback() {
                true => "this machine alone",
                false => "the network",
            };
            trace.note(
                "mdns",
                &format!("\"{}\" is announced to {whom}", announcement.name()),
            );
            Some(announcement)
        }
        Err(error) => {
            trace.warning(&error.to_string());
            None
        }
    }
}

/// Reports questions and answers to the trace and the MQTT broker.
fn observer(trace: Arc<Trace>, mqtt: Option<Arc<Mqtt>>) -> Observer {
    Arc::new(move |event| {
        if let Some(mqtt) = &mqtt {
            mqtt.publish_event(event);
        }
        match event {
            VoiceEvent::Transcription { text, .. } => trace.note("heard", text),
            VoiceEvent::ToolFinished(report) => {
                let failed = report.message.status == ToolStatus::Error;
                let outcome = if failed { "failed" } else { "done" };
                trace.note("tool", &format!("{} {outcome}", report.call.name));
            }
            VoiceEvent::Answer {
                text, model, took, ..
            } => {
                let time = took.as_millis();
                trace.note("answer", &format!("{text} ({model}, {time} ms)"));
            }
            VoiceEvent::Error(error) => trace.warning(&error.to_string()),
            _ => {}
        }
    })
}
