//! The flags for the model, which several commands have.

use std::time::Duration;

use clap::Args;
use haft::Routing;
use haft::models::{BareCalls, ToolMode};

use super::values;

/// The flags for the model.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArgs {
    /// ollama:NAME, openai:NAME[@BASE_URL], anthropic:NAME, local:FILE, builtin or replay:FILE;
    /// without it a local model is chosen [env: HAFT_MODEL]
    #[arg(short, long)]
    pub(crate) model: Option<String>,

    /// The sampling temperature, from 0 to 2
    #[arg(long, value_name = "NUMBER", value_parser = values::temperature)]
    pub(crate) temperature: Option<f64>,

    /// The system prompt
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,

    /// How tools are passed to the model: native, text (for models without tools) or auto
    #[arg(long, value_name = "MODE")]
    pub(crate) tool_mode: Option<ToolMode>,

    /// The format in which the model writes calls into its text, if it is not detected
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<String>,

    /// Whether calls in the text without a marker count: always, never, or judged by the words
    /// around them [default: judged]
    #[arg(long, value_name = "WHEN")]
    pub(crate) bare_calls: Option<BareCalls>,

    /// Whether the local command engine reads a question before the model: auto (for very small
    /// models), always or never; without a value, always
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    pub(crate) route: Option<Routing>,

    /// How long the whole question may take: seconds, or like 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) timeout: Option<Duration>,
}

impl ModelArgs {
    /// True when a flag is set that a gateway cannot use, because its clients choose the model.
    pub(crate) fn is_given(&self) -> bool {
        let Self {
            model,
            temperature,
            system,
            tool_mode,
            format,
            bare_calls: _,
            route: _,
            timeout,
        } = self;
        let texts = [model, system, format];
        texts.into_iter().any(Option::is_some)
            || temperature.is_some()
            || tool_mode.is_some()
            || timeout.is_some()
    }
}
