//! Six tools with which a language model reads and controls a Z-Wave home.
//!
//! # Brief overview
//!
//! A [`Home`] is the backend of the tools: a Z-Wave JS server with real devices, or a simulated
//! home, labelled as such. [`zwave_tools`] returns the six tools for it, each a [`haft_core::Tool`]
//! like any other. Their answers are plain sentences that can be read aloud; the artifact of each
//! answer contains the same facts as JSON. Devices are found by the words a person uses for them
//! ("the light in the kitchen"), and a name that could mean two devices is never guessed.
//!
//! ```
//! use haft_core::ToolInput;
//! use haft_zwave::{Home, zwave_tools};
//! use serde_json::json;
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let tools = zwave_tools(Home::demo());
//! let control = tools.iter().find(|tool| tool.name() == "control_zwave_device").unwrap();
//! let arguments = json!({"deviceName": "the kitchen lights", "action": "on"});
//! let input = ToolInput::from(arguments.as_object().unwrap().clone());
//! let output = control.invoke(input).await.unwrap();
//! assert_eq!(output.value, "Kitchen Light is now on.");
//! # });
//! ```
//!
//! # Map
//!
//! A call passes through these modules:
//!
//! * `tools` has one file per tool. It reads the arguments and does not know which backend is used.
//! * `names` finds the device that the user named; `device` is the type of devices and commands.
//! * `home` forwards reads and commands to a backend: `server` (Z-Wave JS) or `demo` (simulated).
//! * `speech` writes times and lists as words for the answer.
//!
//! `haft-tools` validates the arguments of a call before it runs a tool.

mod demo;
mod device;
mod error;
mod home;
mod names;
mod server;
mod speech;
mod tools;

pub use device::Health;
pub use error::{ZwaveError, ZwaveErrorKind};
pub use home::Home;
pub use tools::zwave_tools;
