//! `haft serve`: the gateway in front of the model servers.
//!
//! `upstreams` finds the model servers, `options` are the gateway's options from flags and settings,
//! and `reload` reads them again at a SIGHUP. `wyoming` runs a server for Home Assistant instead.

mod options;
#[cfg(unix)]
mod reload;
mod upstreams;
mod wyoming;

use std::net::SocketAddr;

use haft::gateway::{Gateway, GatewayError, Upstream};
use haft::{AttemptStore, WebSearch};

use self::upstreams::{Models, is_loading};
use crate::args::{ModelArgs, ServeArgs, Verbosity};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::output::print_text;
use crate::settings::Settings;
use crate::toolbox::Toolbox;
use crate::trace::Trace;
use crate::trust::Trust;

impl From<GatewayError> for Failure {
    fn from(error: GatewayError) -> Self {
        let failure = Self::new(error.to_string());
        match error.hint() {
            Some(hint) => failure.with_hint(hint.to_owned()),
            None => failure,
        }
    }
}

pub(crate) async fn run(
    arguments: ServeArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    if let Some(listen) = arguments.wyoming {
        return wyoming::run(arguments, listen, verbosity, trust).await;
    }
    if arguments.mqtt.mqtt.is_some() || arguments.model.is_given() {
        let message = "A gateway takes the model that its clients name, and hears nothing";
        return Err(Failure::usage(message)
            .with_hint("add --wyoming, or leave out --mqtt and the flags of the model"));
    }
    let settings = settings_for(&arguments, trust).await?;
    let mut interrupts = Interrupts::listen()?;
    let trace = Trace::new(verbosity);
    let found = interrupts
        .unless(upstreams::find(&arguments, &settings))
        .await??;
    let upstreams = options::queued(found.clone(), &settings)?;
    let seen = interrupts.unless(upstreams::look(&found)).await?;
    if arguments.check {
        return check(&found, &seen);
    }
    for (upstream, models) in found.iter().zip(&seen) {
        trace.note("upstream", &said(upstream, models));
    }
    // An unreachable upstream may come back; if all are unreachable, there is another problem.
    if let Some(error) = upstreams::failure(seen) {
        return Err(error.into());
    }
    options::allow_many_files();
    let mut options = options::of(&arguments, &settings);
    let keys = super::keys::store(arguments.store.store.as_deref());
    options.keys = Some(interrupts.unless(keys).await??);
    if let (Some(address), true) = (
        &arguments.store.store,
        settings.attempts.value != Some(false),
    ) {
        options.attempts = Some(AttemptStore::connect(address)?);
    }
    #[cfg(feature = "durable")]
    {
        let runs = crate::store::open_named(&arguments.store);
        options.runs = interrupts.unless(runs).await??;
    }
    let toolbox = if arguments.server_tools {
        let search = WebSearch::default();
        let gathering = Toolbox::gather(&arguments.tools, &settings, &search, &trace);
        interrupts.unless(gathering).await??
    } else {
        Toolbox::default()
    };
    options.tools = toolbox.manager()?;
    options.approval = settings.approval(arguments.approve);
    if arguments.server_tools {
        trace.tools(&toolbox.names());
    }
    let is_tls = options.tls.is_some();
    let gateway = Gateway::bind(upstreams, options).await?;
    tell_address(&trace, gateway.address()?, is_tls);
    #[cfg(unix)]
    if let Some(hangups) = interrupts.reloads() {
        let live = gateway.live_settings();
        tokio::spawn(reload::on_each(hangups, live, arguments, trust));
    }
    let ending = || trace.note("ending", "as soon as what is under way is answered");
    let served = interrupts.end_well(|end| gateway.serve(end), ending).await;
    toolbox.servers.shutdown().await;
    served?;
    Ok(Exit::Success)
}

async fn settings_for(arguments: &ServeArgs, trust: Trust) -> Result<Settings, Failure> {
    let mcp = arguments.tools.mcp.mcp.as_deref();
    let model = ModelArgs {
        bare_calls: arguments.model.bare_calls,
        route: arguments.model.route,
        ..ModelArgs::default()
    };
    Settings::load(&model, mcp, trust).await
}

/// Prints where clients find the gateway.
fn tell_address(trace: &Trace, address: SocketAddr, is_tls: bool) {
    let scheme = if is_tls { "https" } else { "http" };
    let base = format!("{scheme}://{address}");
    trace.note("listens", &format!("{base} (Ollama, Anthropic)"));
    trace.note("", &format!("{base}/v1 (OpenAI)"));
    trace.note(
        "page",
        &format!("{base}/ (requests as they run, for a browser)"),
    );
}

/// Reports the models or the error of every upstream.
fn check(found: &[Upstream], seen: &[Models]) -> Result<Exit, Failure> {
    let mut exit = Exit::Success;
    for (upstream, models) in found.iter().zip(seen) {
        match models {
            Ok(models) => print_text(&format!("{} has {}", upstream.server, models.join(", ")))?,
            Err(error) => {
                exit = Exit::Failure;
                print_text(&format!("{} does not answer: {error}", upstream.server))?;
            }
        }
    }
    Ok(exit)
}

fn said(upstream: &Upstream, models: &Models) -> String {
    match models {
        Ok(models) => format!("{}, {} models", upstream.server, models.len()),
        Err(error) if is_loading(error) => format!("{} is not ready: {error}", upstream.server),
        Err(error) => format!("{} does not answer: {error}", upstream.server),
    }
}
