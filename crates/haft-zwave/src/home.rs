//! The smart-home backend behind the tools: simulated, or a Z-Wave JS server.
//!
//! The tools ask a [`Home`] for its devices and pass it commands; no tool knows the variants of
//! `Backend`.

use std::path::PathBuf;
use std::sync::Arc;

use crate::demo::DemoHome;
use crate::device::{Command, Device, Health};
use crate::error::ZwaveError;
use crate::server::ServerHome;

/// A smart-home backend with its devices. Clones share it.
///
/// ```
/// use haft_zwave::Home;
///
/// assert_eq!(Home::demo().label(), "demo home (simulated)");
/// ```
#[derive(Clone, Debug)]
pub struct Home {
    backend: Backend,
}

#[derive(Clone, Debug)]
enum Backend {
    Demo(Arc<DemoHome>),
    Server(Arc<ServerHome>),
}

impl Home {
    /// The simulated home. Its state lives as long as its last handle.
    #[must_use]
    pub fn demo() -> Self {
        Self::over(Backend::Demo(Arc::new(DemoHome::in_memory())))
    }

    /// The simulated home, with its state in a JSON file. A missing file is created with the
    /// default rooms and devices. It may be edited by hand, also while the home is in use, and
    /// several homes and processes may share it.
    ///
    /// Each device has a `name`, a `location` and a `type`. A `switch` may have `on`; a `dimmer`
    /// `on` and `level` (1 to 99 percent); a `thermostat` `on`, `target`, `value` and `unit`; a
    /// `sensor` needs a `value` (a number or a text) and may have `unit` and `quantity`, such as
    /// "temperature"; a `lock` may have `locked`. All may have `online`, `lastSeen` (RFC 3339)
    /// and `reportSeconds`, the seconds between two reports (60 if absent).
    ///
    /// ```
    /// use haft_zwave::Home;
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("home.json");
    /// let own_home = r#"{"devices": [
    ///     {"name": "Desk Lamp", "location": "Study", "type": "dimmer", "on": true, "level": 80},
    ///     {"name": "Study Air", "location": "Study", "type": "sensor",
    ///      "quantity": "temperature", "value": 20.5, "unit": "°C"},
    ///     {"name": "Shed Door", "location": "Garden", "type": "lock", "locked": true}
    /// ]}"#;
    /// std::fs::write(&path, own_home).unwrap();
    /// assert!(Home::demo_file(&path).is_ok());
    /// std::fs::write(&path, own_home.replace("dimmer", "lantern")).unwrap();
    /// assert!(Home::demo_file(&path).unwrap_err().to_string().contains("line 2"));
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidFile`](crate::ZwaveErrorKind::InvalidFile) when the file does not describe a
    /// home, and [`Io`](crate::ZwaveErrorKind::Io) when it can neither be read nor created.
    pub fn demo_file(path: impl Into<PathBuf>) -> Result<Self, ZwaveError> {
        let demo = DemoHome::in_file(path.into())?;
        Ok(Self::over(Backend::Demo(Arc::new(demo))))
    }

    /// The home behind a [Z-Wave JS server](https://github.com/zwave-js/zwave-js-server), such as
    /// `ws://127.0.0.1:3000`; `wss://` for TLS. Every home hub that is built on Z-Wave JS has one.
    ///
    /// The connection is opened when a tool first needs it, and opened again after a failure. The
    /// result of a command is the state that the device reports afterwards, not the state that was
    /// requested.
    ///
    /// ```
    /// use haft_zwave::{Home, ZwaveErrorKind};
    ///
    /// assert_eq!(Home::server("ws://127.0.0.1:3000").unwrap().label(), "Z-Wave network");
    /// let error = Home::server("127.0.0.1:3000").unwrap_err();
    /// assert_eq!(error.kind(), ZwaveErrorKind::InvalidAddress);
    /// assert_eq!(error.hint(), "Write it like ws://127.0.0.1:3000.");
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidAddress`](crate::ZwaveErrorKind::InvalidAddress) when `url` is not a WebSocket
    /// address, or contains a user name.
    pub fn server(url: &str) -> Result<Self, ZwaveError> {
        Ok(Self::over(Backend::Server(Arc::new(ServerHome::new(url)?))))
    }

    /// Checks whether the home answers.
    ///
    /// ```
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # runtime.block_on(async {
    /// let health = haft_zwave::Home::demo().check().await.unwrap();
    /// assert_eq!((health.devices, health.online), (14, 13));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// A [`ZwaveError`] when the home does not answer.
    pub async fn check(&self) -> Result<Health, ZwaveError> {
        self.health().await
    }

    fn over(backend: Backend) -> Self {
        Self { backend }
    }

    /// The kind of home, for traces and answers: `demo home (simulated)` or `Z-Wave network`.
    #[must_use]
    pub fn label(&self) -> &str {
        match &self.backend {
            Backend::Demo(_) => "demo home (simulated)",
            Backend::Server(_) => "Z-Wave network",
        }
    }

    /// All devices, sorted by name, as last reported.
    pub(crate) async fn devices(&self) -> Result<Vec<Device>, ZwaveError> {
        let mut devices = match &self.backend {
            Backend::Demo(demo) => demo.devices().await?,
            Backend::Server(server) => server.devices().await?,
        };
        devices.sort_by_cached_key(|device| (device.name.to_lowercase(), device.location.clone()));
        Ok(devices)
    }

    /// Executes `command` and returns the device with the state that it reports afterwards.
    pub(crate) async fn set(
        &self,
        device: &Device,
        command: Command,
    ) -> Result<Device, ZwaveError> {
        match &self.backend {
            Backend::Demo(demo) => demo.set(&device.name, command).await,
            Backend::Server(server) => server.set(device, command).await,
        }
    }

    /// Reads the current state of one device.
    pub(crate) async fn read(&self, device: &Device) -> Result<Device, ZwaveError> {
        match &self.backend {
            Backend::Demo(demo) => demo.read(&device.name).await,
            Backend::Server(server) => server.read(device).await,
        }
    }

    /// Whether the home answers at all.
    pub(crate) async fn health(&self) -> Result<Health, ZwaveError> {
        match &self.backend {
            Backend::Demo(demo) => Ok(Health::of(&demo.devices().await?)),
            Backend::Server(server) => server.health().await,
        }
    }
}

#[cfg(test)]
mod tests;
