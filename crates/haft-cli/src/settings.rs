//! The effective settings: flags override the environment, then the file, then defaults.
//!
//! `file` reads `haft.toml`, `guarded` decides which of its settings require trust, `mcp` reads the
//! file of MCP servers. Every [`Setting`] keeps the source of its value, for the trace of `haft
//! ask` and for `haft config show`.

mod environment;
mod file;
mod gateway;
mod guarded;
mod mcp;
mod mqtt;
pub(crate) mod renamed;
mod roles;
mod row;
mod rows;
mod setting;
mod tool_groups;
mod upstreams;
mod values;
mod voice;
mod web_search;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use haft::extract::Format;
use haft::models::{BareCalls, ModelSettings, ServerKind, ToolMode};
use haft::select::ToolGroups;
use haft::tools::{ApprovalMode, ExecutorOptions, Synonym};
use haft::{AgentOptions, RecoveryStep, RecoverySteps, Routing, ToolSelection};

use self::environment::environment;
use self::file::Found;
use self::gateway::GatewaySection;
use crate::args::ModelArgs;
use crate::failure::Failure;
use crate::nearest::nearest;
use crate::trust::Trust;

pub(crate) use self::file::{check, own_path};
pub(crate) use self::mqtt::MqttSettings;
pub(crate) use self::roles::Role;
pub(crate) use self::row::Row;
pub(crate) use self::setting::{Setting, Source};
pub(crate) use self::upstreams::UpstreamSettings;
pub(crate) use self::voice::{VoiceFlags, VoiceSettings};
pub(crate) use self::web_search::WebSearchSettings;

/// The file with MCP servers that is used if it exists and no other is named.
const MCP_FILE: &str = ".mcp.json";

#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The settings file that was read.
    pub(crate) file: Option<PathBuf>,
    /// The trust policy for files of the current folder.
    pub(crate) trust: Trust,
    /// The model's name.
    pub(crate) model: Setting<String>,
    pub(crate) temperature: Setting<f64>,
    pub(crate) system: Setting<String>,
    pub(crate) tool_mode: Setting<ToolMode>,
    /// The name of a format, known or not.
    pub(crate) format: Setting<String>,
    /// The timeout of a whole question.
    pub(crate) timeout: Setting<Duration>,
    /// Whether the command engine reads questions before the model.
    pub(crate) route: Setting<Routing>,
    /// The context size in tokens.
    pub(crate) context: Setting<u32>,
    pub(crate) ollama_host: Setting<String>,
    pub(crate) ollama_api_key: Setting<String>,
    pub(crate) openai_base_url: Setting<String>,
    pub(crate) openai_api_key: Setting<String>,
    pub(crate) anthropic_base_url: Setting<String>,
    pub(crate) anthropic_api_key: Setting<String>,
    /// The token that clients of the gateway must send.
    pub(crate) token: Setting<String>,
    /// The file with MCP servers.
    pub(crate) mcp: Setting<PathBuf>,
    /// The timeout of one call.
    pub(crate) tool_timeout: Setting<Duration>,
    /// The maximum length of a result in characters.
    pub(crate) max_output: Setting<usize>,
    pub(crate) synonyms: Setting<Vec<Synonym>>,
    pub(crate) bare_calls: Setting<BareCalls>,
    /// Whether calls at the end of a closed thought count, for tools that only read.
    pub(crate) thought_calls: Setting<bool>,
    pub(crate) approve: Setting<ApprovalMode>,
    /// Whether tools are chosen by question.
    pub(crate) select: Setting<bool>,
    pub(crate) search_tools: Setting<bool>,
    pub(crate) tool_groups: Setting<ToolGroups>,
    /// Whether each recovery step is enabled, in order.
    pub(crate) recovery: Vec<(RecoveryStep, Setting<bool>)>,
    pub(crate) web_search: WebSearchSettings,
    /// The model servers behind the gateway.
    pub(crate) upstreams: Setting<Vec<UpstreamSettings>>,
    /// Whether attempts are recorded.
    pub(crate) attempts: Setting<bool>,
    /// Whether conversations are kept.
    pub(crate) sessions: Setting<bool>,
    /// Named system prompts with a model and tools.
    pub(crate) roles: Setting<Vec<Role>>,
    pub(crate) gateway: Setting<GatewaySection>,
    pub(crate) mqtt: MqttSettings,
    /// The settings of speech-to-text and text-to-speech.
    pub(crate) voice: VoiceSettings,
    pub(crate) log: Setting<String>,
    pub(crate) no_color: Setting<String>,
}

impl Settings {
    /// The effective settings for these flags, the environment and the settings files, as far as
    /// they are trusted.
    pub(crate) async fn load(
        model: &ModelArgs,
        mcp: Option<&Path>,
        trust: Trust,
    ) -> Result<Self, Failure> {
        let found = file::find(trust).await?;
        Ok(Self::of(model, mcp, found).with_trust(trust))
    }

    fn with_trust(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }

    fn of(model: &ModelArgs, mcp: Option<&Path>, found: Found) -> Self {
        let source = |path: &Option<PathBuf>| path.clone().map_or(Source::Default, Source::File);
        let file = found.settings;
        let from_file = || source(&found.path);
        let from_guarded = || source(&found.guarded);
        let defaults = ExecutorOptions::default();
        Self {
            model: Setting::unset()
                .or(model.model.clone(), Source::Flag("--model"))
                .or_environment("HAFT_MODEL")
                .or(file.model.name, source(&found.model)),
            temperature: Setting::unset()
                .or(model.temperature, Source::Flag("--temperature"))
                .or(file.model.temperature, from_file()),
            system: Setting::unset()
                .or(model.system.clone(), Source::Flag("--system"))
                .or(file.model.system, from_guarded()),
            tool_mode: Setting::unset()
                .or(model.tool_mode, Source::Flag("--tool-mode"))
                .or(file.model.tool_mode, from_file())
                .or_default(ToolMode::Auto),
            format: Setting::unset()
                .or(model.format.clone(), Source::Flag("--format"))
                .or(file.model.format, from_file())
                .or_default(Format::Auto.name().to_owned()),
            timeout: Setting::unset()
                .or(model.timeout, Source::Flag("--timeout"))
                .or(file.model.timeout, from_file()),
            route: route(model.route, file.model.route, from_file()),
            context: Setting::unset().or(file.model.context, from_file()),
            ollama_host: Setting::unset()
                .or_environment("OLLAMA_HOST")
                .or(file.model.ollama_host, from_guarded())
                .or_default(ModelSettings::default().url(ServerKind::Ollama).to_owned()),
            ollama_api_key: Setting::unset().or_environment("OLLAMA_API_KEY"),
            openai_base_url: Setting::unset()
                .or_environment("OPENAI_BASE_URL")
                .or(file.model.openai_base_url, from_guarded()),
            openai_api_key: Setting::unset().or_environment("OPENAI_API_KEY"),
            anthropic_base_url: Setting::unset().or_environment("ANTHROPIC_BASE_URL"),
            anthropic_api_key: Setting::unset().or_environment("ANTHROPIC_API_KEY"),
            token: Setting::unset().or_environment("HAFT_TOKEN"),
            mcp: Setting::unset()
                .or(mcp.map(Path::to_owned), Source::Flag("--mcp"))
                .or(file.tools.mcp, from_guarded())
                .or(mcp_file_here(), Source::Default),
            tool_timeout: Setting::unset()
                .or(file.tools.timeout, from_file())
                .or_default(defaults.timeout),
            max_output: Setting::unset()
                .or(file.tools.max_output, from_file())
                .or_default(defaults.max_output),
            synonyms: Setting::unset().or(file.tools.synonyms, from_file()),
            bare_calls: Setting::unset()
                .or(model.bare_calls, Source::Flag("--bare-calls"))
                .or(file.tools.bare_calls, from_guarded())
                .or_default(BareCalls::default()),
            thought_calls: Setting::switch(file.tools.thought_calls, from_guarded(), false),
            approve: Setting::approval(file.tools.approve, from_guarded()),
            select: Setting::switch(file.tool_groups.enabled, from_file(), true),
            search_tools: Setting::switch(file.tool_groups.search_tools, from_file(), false),
            tool_groups: Setting::unset()
                .or(file.tool_groups.tool_groups, from_file())
                .or_default(ToolGroups::default()),
            recovery: steps(&file.recovery, from_file),
            web_search: WebSearchSettings::of(file.web_search, from_file, from_guarded),
            upstreams: Setting::unset().or(file.upstream, from_guarded()),
            attempts: Setting::switch(file.store.attempts, from_file(), true),
            sessions: Setting::switch(file.store.sessions, from_guarded(), true),
            roles: Setting::unset().or(file.role, from_guarded()),
            gateway: Setting::unset().or(file.gateway, from_guarded()),
            mqtt: MqttSettings::of(file.mqtt, from_guarded),
            voice: VoiceSettings::of(file.voice, from_file, from_guarded),
            log: Setting::unset().or_environment("HAFT_LOG"),
            no_color: Setting::unset().or_environment("NO_COLOR"),
            trust: Trust::Known,
            file: found.path.clone(),
        }
    }

    /// The effective format, or the error in the configured one.
    pub(crate) fn format(&self) -> Result<Format, String> {
        let name = self.format.value.as_deref().unwrap_or_default();
        Format::named(name).ok_or_else(|| {
            let near = nearest(name, Format::all().map(Format::name));
            let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let source = &self.format.source;
            format!("{source}: there is no format \"{name}\", so all are recognised{near}")
        })
    }

    /// The enabled recovery steps.
    pub(crate) fn steps(&self) -> RecoverySteps {
        let off = self
            .recovery
            .iter()
            .filter(|(_, in_use)| in_use.value == Some(false));
        off.fold(RecoverySteps::all(), |steps, (step, _)| {
            steps.without(*step)
        })
    }

    /// The agent's options, before flags: everything but the web search and the limit on rounds.
    pub(crate) fn agent_options(&self) -> AgentOptions {
        let mut options = AgentOptions::default();
        options.system = self.system.value.clone();
        options.timeout = self.timeout.value;
        options.context = self.context.value;
        options.routing = self.route.value.unwrap_or_default();
        options.selection = self.selection();
        options.recovery = self.steps();
        options
    }

    /// How the tools for a question are selected, if they are.
    pub(crate) fn selection(&self) -> Option<ToolSelection> {
        let mut selection = ToolSelection::default();
        if let Some(tool_groups) = &self.tool_groups.value {
            selection.tool_groups = tool_groups.clone();
        }
        selection.search_tools = self.search_tools.value == Some(true);
        Some(selection).filter(|_| self.select.value == Some(true))
    }

    /// Which calls need approval; a flag has priority.
    pub(crate) fn approval(&self, flag: Option<ApprovalMode>) -> ApprovalMode {
        flag.or(self.approve.value).unwrap_or_default()
    }

    /// The executor's limits.
    pub(crate) fn executor_options(&self) -> ExecutorOptions {
        let mut options = ExecutorOptions::default();
        if let Some(timeout) = self.tool_timeout.value {
            options.timeout = timeout;
        }
        if let Some(max_output) = self.max_output.value {
            options.max_output = max_output;
        }
        options
    }
}

/// Each recovery step, in order, as set in the file.
fn steps(
    set: &BTreeMap<RecoveryStep, bool>,
    from_file: impl Fn() -> Source,
) -> Vec<(RecoveryStep, Setting<bool>)> {
    let setting = |step: RecoveryStep| {
        let set = set.get(&step).copied();
        let setting = Setting::unset().or(set, from_file());
        (step, setting.or_default(RecoverySteps::default().has(step)))
    };
    RecoveryStep::ALL.map(setting).into()
}

/// Whether the command engine reads questions first: the flag, else the file, else the default.
fn route(flag: Option<Routing>, file: Option<Routing>, from_file: Source) -> Setting<Routing> {
    Setting::unset()
        .or(flag, Source::Flag("--route"))
        .or(file, from_file)
        .or_default(Routing::default())
}

/// The file with MCP servers in the current folder, if there is one.
fn mcp_file_here() -> Option<PathBuf> {
    let file = PathBuf::from(MCP_FILE);
    file.is_file().then_some(file)
}
