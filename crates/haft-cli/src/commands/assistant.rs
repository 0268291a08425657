//! Who answers what is said: the model, the tools and the guidance of the settings.

use std::sync::Arc;

use haft::tools::{ApprovalMode, McpServers, refuse};
use haft::voice::mqtt::{Mqtt, MqttOptions};
use haft::voice::{Assistant, AssistantOptions, SPOKEN_GUIDANCE};
use haft::{Agent, AgentOptions};

use crate::args::{MqttArgs, ToolArgs};
use crate::attempts::Recording;
use crate::failure::Failure;
use crate::model::{self, CONNECT_HINT};
use crate::settings::Settings;
use crate::toolbox::Toolbox;
use crate::trace::Trace;

/// What can be done about a call that nobody is asked about.
const REMEDY: &str = "Nobody can be asked here. Calls like this one can be allowed with \
    --approve never.";

/// Who answers, and what has to end behind it.
pub(crate) struct Opened {
    pub(crate) assistant: Assistant,
    pub(crate) servers: McpServers,
    pub(crate) recording: Recording,
}

/// Opens the model and gathers the tools, and says which.
pub(crate) async fn open(
    tools: &ToolArgs,
    approve: Option<ApprovalMode>,
    settings: &Settings,
    trace: &Trace,
) -> Result<Opened, Failure> {
    let mut options = AgentOptions::default();
    let guidance = || SPOKEN_GUIDANCE.to_owned();
    options.system = Some(settings.system.value.clone().unwrap_or_else(guidance));
    options.timeout = settings.timeout.value;
    options.context = settings.context.value;
    options.selection = settings.selection();
    options.recovery = settings.rungs();
    options.web_search = settings.web_search.search();
    let recording = Recording::begin(settings, &mut options);
    trace.wait("looking for a model");
    let opened = model::open(settings, None).await?;
    trace.clear();
    if let Err(problem) = settings.format() {
        trace.warning(&problem);
    }
    trace.model(opened.model.id(), &opened.reason);
    let toolbox = Toolbox::gather(tools, settings, &options.web_search, trace).await?;
    options.browser = toolbox.browser.clone();
    if let Some(home) = &toolbox.home {
        trace.home(home);
    }
    trace.tools(&toolbox.names());
    if opened.is_last_resort {
        trace.hint(CONNECT_HINT);
    }
    let approve = settings.approval(approve).approver(refuse(REMEDY));
    let executor = toolbox.executor(settings, approve)?;
    let agent = Agent::new(opened.model, executor, options)?;
    Ok(Opened {
        assistant: Assistant::new(agent, AssistantOptions::default())?,
        servers: toolbox.servers,
        recording,
    })
}

/// The broker that is told, if one is named.
pub(crate) fn mqtt(
    arguments: &MqttArgs,
    settings: &Settings,
    trace: &Trace,
) -> Result<Option<Arc<Mqtt>>, Failure> {
    let section = &settings.mqtt;
    let Some(broker) = arguments.mqtt.as_ref().or(section.broker.value.as_ref()) else {
        return Ok(None);
    };
    let mut options = MqttOptions::parse(broker)?;
    if let Some(password) = &section.password.value {
        options.password = Some(password.clone());
    }
    for (topic, set) in [
        (&mut options.transcription_topic, &section.transcription),
        (&mut options.answer_topic, &section.answer),
    ] {
        if let Some(set) = &set.value {
            MqttOptions::check_topic(set)?;
            topic.clone_from(set);
        }
    }
    trace.note("mqtt", &options.to_string());
    Ok(Some(Arc::new(Mqtt::start(options))))
}
