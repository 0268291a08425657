//! `haft serve`: the gateway in front of a model server.

use haft::gateway::{Gateway, GatewayError, GatewayOptions};
use haft::models::ModelServer;

use crate::args::{ModelArgs, ServeArgs, Verbosity};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::output::print_text;
use crate::settings::Settings;
use crate::trace::Trace;

impl From<GatewayError> for Failure {
    fn from(error: GatewayError) -> Self {
        let failure = Self::new(error.to_string());
        match error.hint() {
            Some(hint) => failure.with_hint(hint.to_owned()),
            None => failure,
        }
    }
}

pub(crate) async fn run(arguments: ServeArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
    let settings = Settings::load(&ModelArgs::default(), None)?;
    let mut interrupts = Interrupts::listen()?;
    let trace = Trace::new(verbosity);
    let server = interrupts.unless(upstream(&arguments, &settings)).await??;
    let models = interrupts.unless(server.models()).await??;
    trace.note("upstream", &format!("{server}, {} models", models.len()));
    if arguments.check {
        print_text(&format!("{server} has {}", models.join(", ")))?;
        return Ok(Exit::Success);
    }
    let mut options = GatewayOptions::default();
    options.listen = arguments.listen;
    options.token = arguments.token.or(settings.token.value);
    options.repair = !arguments.no_repair;
    let gateway = Gateway::bind(server, options).await?;
    let address = gateway.address()?;
    trace.note("listens", &format!("http://{address} (Ollama, Anthropic)"));
    trace.note("", &format!("http://{address}/v1 (OpenAI)"));
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let mut serving = Box::pin(gateway.serve(async {
        let _ = ended.await;
    }));
    match interrupts.unless(&mut serving).await {
        Ok(served) => served?,
        Err(interrupted) => {
            trace.note("ending", "as soon as what is under way is answered");
            drop(end);
            // A second request to end does not wait.
            match interrupts.unless(serving).await {
                Ok(served) => served?,
                Err(_) => return Err(interrupted.into()),
            }
        }
    }
    Ok(Exit::Success)
}

/// The model server that is named, else Ollama, else the OpenAI-compatible one of the settings.
async fn upstream(arguments: &ServeArgs, settings: &Settings) -> Result<ModelServer, Failure> {
    let mut model_settings = settings.for_models();
    if let Some(patience) = arguments.patience {
        model_settings.limits.first_byte = patience;
        model_settings.limits.idle = patience;
    }
    if let Some(url) = &arguments.upstream {
        return Ok(ModelServer::detect(url, &model_settings).await?);
    }
    let ollama = ModelServer::detect(&model_settings.ollama_host, &model_settings).await;
    match (ollama, &model_settings.openai_base_url) {
        (Ok(server), _) => Ok(server),
        (Err(_), Some(url)) => Ok(ModelServer::detect(url, &model_settings).await?),
        (Err(error), None) => Err(Failure::from(error)
            .with_hint("start a model server (https://ollama.com), or name one with --upstream")),
    }
}
