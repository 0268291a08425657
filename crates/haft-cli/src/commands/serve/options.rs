//! The options of the gateway, from flags and `haft.toml`.

use haft::RecoverySteps;
use haft::gateway::{GatewayError, GatewayOptions, Overrides, TlsFiles, Upstream, Upstreams};

use crate::args::ServeArgs;
use crate::settings::Settings;

/// The options that need no model server and no tools; flags override `haft.toml`.
pub(super) fn of(arguments: &ServeArgs, settings: &Settings) -> GatewayOptions {
    let mut options = GatewayOptions::default();
    options.listen = arguments.listen;
    options.token = arguments.token.clone().or(settings.token.value.clone());
    options.tls = tls(arguments);
    options.allowed_origins.clone_from(&arguments.allow_origin);
    options.admin = arguments.admin;
    set_switches(&mut options, arguments, settings);
    options
}

/// The model servers with the queue of the settings.
pub(super) fn queued(found: Vec<Upstream>, settings: &Settings) -> Result<Upstreams, GatewayError> {
    let section = settings.gateway.value.as_ref();
    match section.and_then(|section| section.limits.waiting) {
        Some(waiting) => Upstreams::with_queue(found, waiting),
        None => Upstreams::new(found),
    }
}

fn set_switches(options: &mut GatewayOptions, arguments: &ServeArgs, settings: &Settings) {
    let file = settings.gateway.value.clone().unwrap_or_default();
    let steps = settings.steps();
    let flags = Overrides {
        repair: arguments.no_repair.then_some(false),
        recovery: arguments.no_repair.then(RecoverySteps::none),
        select: arguments.select.then_some(true),
        server_tools: None,
        stable_prefix: None,
    };
    let below = Overrides {
        recovery: (steps != RecoverySteps::all()).then_some(steps),
        ..Overrides::default()
    };
    options.overrides = flags.or(file.overrides).or(below);
    options.models = file.models;
    options.page_content = file.page_content;
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
pub(super) fn allow_many_files() {
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
pub(super) fn allow_many_files() {}
