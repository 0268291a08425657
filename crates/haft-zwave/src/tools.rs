//! The six tools: their names, their order, and their common implementation of [`Tool`]. Each
//! tool's behaviour is in a file of its own.
//!
//! `arguments` parses the arguments of a call, `devices` finds the device that a call names. No
//! tool knows which backend is behind the [`Home`].

mod arguments;
mod check_zwave_health;
mod control_zwave_device;
mod devices;
mod effects;
mod get_device_sensor_data;
mod list_devices;
mod list_zwave_devices;
mod verify_device;

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{Tool, ToolAnnotations, ToolError, ToolInput, ToolOutput};
use serde_json::{Value, json};

use self::arguments::InputReader;
use crate::home::Home;

/// The six tools for `home`: `list_zwave_devices`, `list_devices`, `verify_device`,
/// `control_zwave_device`, `get_device_sensor_data`, `check_zwave_health`.
///
/// Names and parameters are those of the Z-Wave MCP server in `jrgleason/mqtt-ollama-presentation:
/// apps/zwave-mcp-server/src/index.js`, so that models and prompts made for that server work here
/// as well.
///
/// ```
/// use haft_zwave::{Home, zwave_tools};
///
/// let tools = zwave_tools(Home::demo());
/// assert_eq!(tools[3].name(), "control_zwave_device");
/// assert_eq!(tools[3].schema()["required"], serde_json::json!(["deviceName", "action"]));
/// ```
#[must_use]
pub fn zwave_tools(home: Home) -> Vec<Arc<dyn Tool>> {
    let names = [
        ToolName::ListZwaveDevices,
        ToolName::ListDevices,
        ToolName::VerifyDevice,
        ToolName::ControlZwaveDevice,
        ToolName::GetDeviceSensorData,
        ToolName::CheckZwaveHealth,
    ];
    let homes = std::iter::repeat_n(home, names.len());
    let tool = |(name, home): (ToolName, Home)| -> Arc<dyn Tool> {
        Arc::new(ZwaveTool {
            name,
            schema: name.schema(),
            home,
        })
    };
    names.into_iter().zip(homes).map(tool).collect()
}

#[derive(Debug)]
struct ZwaveTool {
    name: ToolName,
    schema: Value,
    home: Home,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ToolName {
    ListZwaveDevices,
    ListDevices,
    VerifyDevice,
    ControlZwaveDevice,
    GetDeviceSensorData,
    CheckZwaveHealth,
}

impl ToolName {
    fn schema(self) -> Value {
        match self {
            Self::ListZwaveDevices => list_zwave_devices::schema(),
            Self::ListDevices => list_devices::schema(),
            Self::VerifyDevice => verify_device::schema(),
            Self::ControlZwaveDevice => control_zwave_device::schema(),
            Self::GetDeviceSensorData => get_device_sensor_data::schema(),
            Self::CheckZwaveHealth => json!({"type": "object", "properties": {}}),
        }
    }
}

#[async_trait]
impl Tool for ZwaveTool {
    fn name(&self) -> &str {
        match self.name {
            ToolName::ListZwaveDevices => "list_zwave_devices",
            ToolName::ListDevices => "list_devices",
            ToolName::VerifyDevice => "verify_device",
            ToolName::ControlZwaveDevice => "control_zwave_device",
            ToolName::GetDeviceSensorData => "get_device_sensor_data",
            ToolName::CheckZwaveHealth => "check_zwave_health",
        }
    }

    fn description(&self) -> &str {
        match self.name {
            ToolName::ListZwaveDevices => list_zwave_devices::DESCRIPTION,
            ToolName::ListDevices => list_devices::DESCRIPTION,
            ToolName::VerifyDevice => verify_device::DESCRIPTION,
            ToolName::ControlZwaveDevice => control_zwave_device::DESCRIPTION,
            ToolName::GetDeviceSensorData => get_device_sensor_data::DESCRIPTION,
            ToolName::CheckZwaveHealth => check_zwave_health::DESCRIPTION,
        }
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    /// The control tool as a whole can open a lock, so a host that only knows these annotations
    /// must treat it as destructive. A light is harmless, and an approval for each lamp would teach
    /// users to approve the lock without reading: `annotations_of` distinguishes them.
    fn annotations(&self) -> ToolAnnotations {
        let controls = self.name == ToolName::ControlZwaveDevice;
        ToolAnnotations {
            read_only: !controls,
            destructive: controls,
            // A level is absolute, not a step.
            idempotent: true,
            ..ToolAnnotations::default()
        }
    }

    async fn annotations_of(&self, input: &ToolInput) -> Result<ToolAnnotations, ToolError> {
        let input = InputReader::new(input);
        Ok(ToolAnnotations {
            destructive: self.name == ToolName::ControlZwaveDevice
                && effects::is_high_impact(&self.home, &input).await?,
            ..self.annotations()
        })
    }

    async fn effect_of(&self, input: &ToolInput) -> Option<String> {
        match self.name {
            ToolName::ControlZwaveDevice => {
                control_zwave_device::effect(&self.home, &InputReader::new(input)).await
            }
            _ => None,
        }
    }

    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        let input = InputReader::new(&input);
        match self.name {
            ToolName::ListZwaveDevices => list_zwave_devices::run(&self.home, &input).await,
            ToolName::ListDevices => list_devices::run(&self.home, &input).await,
            ToolName::VerifyDevice => verify_device::run(&self.home, &input).await,
            ToolName::ControlZwaveDevice => control_zwave_device::run(&self.home, &input).await,
            ToolName::GetDeviceSensorData => get_device_sensor_data::run(&self.home, &input).await,
            ToolName::CheckZwaveHealth => Ok(check_zwave_health::run(&self.home).await),
        }
    }
}

#[cfg(test)]
mod tests;
