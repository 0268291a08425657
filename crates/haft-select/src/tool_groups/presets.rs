//! Known tools by name, and their groups.

use super::{ToolGroup, ToolPattern};
use crate::intent::{Intent, IntentSet};

/// A family of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// The clock, web search, the volume of a speaker.
    Common,
    /// The six Z-Wave tools.
    Zwave,
    /// The tools of Home Assistant's MCP server: its intents, and what it adds for models
    /// (`home-assistant/core: homeassistant/helpers/llm.py`).
    HomeAssistant,
    /// The browser tools of Playwright's MCP server, a way to the web of last resort.
    Playwright,
}

/// A group, the intents and words that need it, and its tools in each preset.
struct Row {
    name: &'static str,
    intents: &'static [Intent],
    words: &'static [&'static str],
    tools: &'static [(Preset, &'static [&'static str])],
}

/// A tool belongs to the first group that has it.
const ROWS: [Row; 5] = [
    Row {
        name: "volume",
        intents: &[Intent::Device, Intent::Action],
        words: &[
            "volume", "mute", "unmute", "muted", "loud", "louder", "quiet", "quieter", "silence",
            "silent", "sound", "speaker", "speakers", "audio", "hear",
        ],
        tools: &[
            (
                Preset::Common,
                &["control_speaker_volume", "set_volume", "get_volume"],
            ),
            (
                Preset::HomeAssistant,
                &[
                    "HassSetVolume*",
                    "HassMediaPlayerMute",
                    "HassMediaPlayerUnmute",
                ],
            ),
        ],
    },
    Row {
        name: "device",
        intents: &[Intent::Device],
        words: &[],
        tools: &[
            (
                Preset::Zwave,
                &[
                    "list_devices",
                    "verify_device",
                    "control_device",
                    "get_device_sensor_data",
                    "check_zwave_health",
                    "*zwave_device*",
                ],
            ),
            (
                Preset::HomeAssistant,
                &[
                    "HassTurnOn",
                    "HassTurnOff",
                    "HassToggle",
                    "HassGetState",
                    "HassLightSet",
                    "HassClimate*",
                    "HassHumidifier*",
                    "HassFan*",
                    "HassVacuum*",
                    "HassLawnMower*",
                    "HassSetPosition",
                    "HassStopMoving",
                    "HassOpenCover",
                    "HassCloseCover",
                    "GetLiveContext",
                ],
            ),
        ],
    },
    Row {
        name: "datetime",
        intents: &[Intent::Datetime],
        words: &[],
        tools: &[
            (
                Preset::Common,
                &[
                    "get_current_datetime",
                    "get_current_time",
                    "get_current_date",
                    "convert_time",
                ],
            ),
            (
                Preset::HomeAssistant,
                &["HassGetCurrentTime", "HassGetCurrentDate", "GetDateTime"],
            ),
        ],
    },
    Row {
        name: "web",
        intents: &[Intent::Web],
        words: &[],
        tools: &[
            (
                Preset::Common,
                &["search_web", "web_search", "*_web_search"],
            ),
            (Preset::HomeAssistant, &["HassGetWeather"]),
        ],
    },
    // Only for queries that mention a browser; otherwise a browser is only used when everything
    // else has failed.
    Row {
        name: "browser",
        intents: &[Intent::Web, Intent::Action],
        words: &[
            "browser",
            "browse",
            "website",
            "webpage",
            "page",
            "site",
            "click",
            "screenshot",
            "url",
            "tab",
            "http",
            "https",
            "www",
            "com",
            "org",
        ],
        tools: &[(Preset::Playwright, &["browser_*"])],
    },
];

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 4] = [
        Self::Common,
        Self::Zwave,
        Self::HomeAssistant,
        Self::Playwright,
    ];

    /// The name, as in configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Zwave => "zwave",
            Self::HomeAssistant => "home-assistant",
            Self::Playwright => "playwright",
        }
    }
}

/// The groups of some presets; groups without tools are omitted.
pub(super) fn tool_groups(presets: &[Preset]) -> Vec<ToolGroup> {
    let mut tool_groups = Vec::new();
    for row in &ROWS {
        let tools = row
            .tools
            .iter()
            .filter(|(preset, _)| presets.contains(preset));
        let names = tools.flat_map(|(_, names)| *names);
        let tools: Vec<_> = names.map(|name| ToolPattern::name(*name)).collect();
        if !tools.is_empty() {
            tool_groups.push(ToolGroup {
                name: row.name.to_owned(),
                intents: row.intents.iter().copied().collect::<IntentSet>(),
                words: row.words.iter().map(|word| (*word).to_owned()).collect(),
                tools,
            });
        }
    }
    tool_groups
}
