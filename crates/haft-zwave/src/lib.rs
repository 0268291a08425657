//! Six tools with which a language model reads and controls a Z-Wave home.
//!
//! # Brief overview
//!
//! A [`Home`] is the house behind the tools: a Z-Wave JS server with real devices, or a simulated
//! one, labelled as such.
//! [`zwave_tools`] gives the six tools over it, each a [`haft_core::Tool`] like any other. Their
//! answers are plain sentences that can be read aloud; the artifact beside each sentence carries
//! the same facts as JSON. Devices are found by the words a person uses for them ("the light in
//! the kitchen"), and a name that could mean two devices is never guessed.
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
//! let input = ToolInput { input: arguments.as_object().unwrap().clone() };
//! let output = control.invoke(input).await.unwrap();
//! assert_eq!(output.value, "Kitchen Light is now on.");
//! # });
//! ```
//!
//! # Map
//!
//! `tools` holds one file per tool and knows no backend; `home` is the seam to the backends;
//! `server` is the real one and `demo` the simulated one; `device` is what they all speak of; `names` finds a device by
//! name; `speech` puts times and lists into words. `haft-tools` runs the tools and checks their
//! arguments first.

mod demo;
mod device;
mod error;
mod home;
mod names;
mod server;
mod speech;
mod tools;

pub use error::{ZwaveError, ZwaveErrorKind};
pub use home::Home;
pub use tools::zwave_tools;
