//! `haft serve`: the gateway in front of the model servers.
//!
//! `upstreams` finds the model servers. `wyoming` runs a server for Home Assistant instead.

mod upstreams;
mod wyoming;

use haft::gateway::{
    Gateway, GatewayError, GatewayOptions, Overrides, TlsFiles, Upstream, Upstreams,
};
use haft::{RecoverySteps, WebSearch};

use self::upstreams::Models;
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
    let mcp = arguments.tools.mcp.mcp.as_deref();
    let model = ModelArgs {
        bare_calls: arguments.model.bare_calls,
        route: arguments.model.route,
        ..ModelArgs::default()
    };
    let settings = Settings::load(&model, mcp, trust).await?;
    let mut interrupts = Interrupts::listen()?;
    let trace = Trace::new(verbosity);
    let found = interrupts
        .unless(upstreams::find(&arguments, &settings))
        .await??;
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
    allow_many_files();
    let mut options = GatewayOptions::default();
    options.listen = arguments.listen;
    set_switches(&mut options, &arguments, &settings);
    options.token = arguments.token.clone().or(settings.token.value.clone());
    options.tls = tls(&arguments);
    options.allowed_origins.clone_from(&arguments.allow_origin);
    options.keys = Some(super::keys::store()?);
    options.admin = arguments.admin;
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
    let gateway_section = settings.gateway.value.as_ref();
    let waiting = gateway_section.and_then(|section| section.limits.waiting);
    let upstreams = match waiting {
        Some(waiting) => Upstreams::with_queue(found, waiting)?,
        None => Upstreams::new(found)?,
    };
    let is_tls = options.tls.is_some();
    let gateway = Gateway::bind(upstreams, options).await?;
    let address = gateway.address()?;
    let scheme = if is_tls { "https" } else { "http" };
    trace.note(
        "listens",
        &format!("{scheme}://{address} (Ollama, Anthropic)"),
    );
    trace.note("", &format!("{scheme}://{address}/v1 (OpenAI)"));
    let ending = || trace.note("ending", "as soon as what is under way is answered");
    let served = interrupts.end_well(|end| gateway.serve(end), ending).await;
    toolbox.servers.shutdown().await;
    served?;
    Ok(Exit::Success)
}

/// The gateway's options; flags override `haft.toml`.
fn set_switches(options: &mut GatewayOptions, arguments: &ServeArgs, settings: &Settings) {
    let file = settings.gateway.value.clone().unwrap_or_default();
    let steps = settings.steps();
    let flags = Overrides {
        repair: arguments.no_repair.then_some(false),
        recovery: arguments.no_repair.then(RecoverySteps::none),
        select: arguments.select.then_some(true),
        server_tools: None,
    };
    let below = Overrides {
        recovery: (steps != RecoverySteps::all()).then_some(steps),
        ..Overrides::default()
    };
    options.overrides = flags.or(file.overrides).or(below);
    options.models = file.models;
    file.limits.apply(&mut options.limits);
    options.routing = settings.route.value.unwrap_or_default();
    if let Some(selection) = settings.selection() {
        options.selection = selection;
    }
}

fn tls(arguments: &ServeArgs) -> Option<TlsFiles> {
    Some(TlsFiles {
        certificates: arguments.tls_cert.clone()?,
        key: arguments.tls_key.clone()?,
    })
}

/// Lets this process open as many files as the system permits, for as many connections. Programs
/// that use `select` need the low limit that a shell sets; this one does not.
#[cfg(unix)]
fn allow_many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Nofile).maximum;
    let raised = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: maximum,
            maximum,
        },
    );
    if let Err(error) = raised {
        tracing::debug!(%error, "the limit on open files stays as it is");
    }
}

#[cfg(not(unix))]
fn allow_many_files() {}

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
        Err(error) => format!("{} does not answer: {error}", upstream.server),
    }
}
