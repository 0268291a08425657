//! Announces a Wyoming server in the local network with zeroconf: DNS-SD (RFC 6763) over multicast
//! DNS (RFC 6762), which Home Assistant listens to.
//!
//! A server is announced only where clients can connect to it. If it listens on a network address,
//! a library announces it in that network; if it listens on loopback, `machine` announces it to
//! this machine only.

mod machine;

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use mdns_sd::{IfKind, ServiceDaemon, ServiceInfo};
use tokio::time::{sleep, timeout};

use self::machine::OnMachine;
use crate::{VoiceError, VoiceErrorKind};

/// The service type of the protocol, which Home Assistant looks for (`zeroconf` in the manifest of
/// its Wyoming integration).
const SERVICE: &str = "_wyoming._tcp.local.";
/// The interval in which the library checks for new and removed IP addresses, in seconds.
const ADDRESSES: u32 = 30;
/// The library sends its goodbye twice, 120 ms apart.
const GOODBYE: Duration = Duration::from_millis(200);
/// The timeout of each step of the shutdown.
const STEP: Duration = Duration::from_secs(1);
/// The maximum length of the machine's name in bytes. A label has at most 63 bytes (RFC 1035,
/// 2.3.4); the rest of it is needed for the other words.
const MAX_MACHINE: usize = 40;

/// Announces a server until this is withdrawn or dropped.
///
/// ```
/// use haft_voice::wyoming::Announcement;
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let announcement = Announcement::begin("127.0.0.1:10400".parse()?)?;
/// assert!(announcement.name().starts_with("haft on "));
/// assert!(announcement.name().ends_with(":10400"));
/// announcement.withdraw().await;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct Announcement {
    name: String,
    way: Way,
}

/// The way in which the server is announced.
#[derive(Debug)]
enum Way {
    Machine(OnMachine),
    Network(Daemon),
}

/// The library's thread, which ends with this value, and the announced name.
struct Daemon {
    daemon: ServiceDaemon,
    full_name: String,
}

impl Announcement {
    /// Announces the server that listens at `address`, as `haft on MACHINE:PORT`.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when the system provides no socket or thread for it.
    pub fn begin(address: SocketAddr) -> Result<Self, VoiceError> {
        let machine = machine_name();
        let port = address.port();
        let name = format!("haft on {machine}:{port}");
        // A separate host name, because the machine's own name belongs to its mDNS responder.
        let host = format!("haft-{machine}-{port}.local.");
        let way = match address.ip().is_loopback() {
            true => Way::Machine(OnMachine::begin(&name, &host, address)),
            false => Way::Network(Daemon::begin(&name, &host, address).map_err(|error| {
                let message = "The server cannot be announced by zeroconf";
                VoiceError::new(VoiceErrorKind::Configuration, message)
                    .with_detail(error.to_string())
            })?),
        };
        Ok(Self { name, way })
    }

    /// The announced name. If another server in the network has the same name, a number is added.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sends a goodbye, so that clients forget the server.
    pub async fn withdraw(self) {
        match self.way {
            Way::Machine(daemon) => daemon.withdraw(),
            Way::Network(daemon) => daemon.withdraw().await,
        }
    }
}

impl Daemon {
    /// Announces on the interface with the server's address; for the unspecified address, on all
    /// but loopback.
    fn begin(name: &str, host: &str, address: SocketAddr) -> mdns_sd::Result<Self> {
        let daemon = ServiceDaemon::new()?;
        let (ip, port) = (address.ip(), address.port());
        let nothing: &[(&str, &str)] = &[];
        daemon.set_ip_check_interval(ADDRESSES)?;
        let service = if ip.is_unspecified() {
            let left_out = match ip {
                IpAddr::V4(_) => vec![IfKind::LoopbackV4, IfKind::IPv6],
                IpAddr::V6(_) => vec![IfKind::LoopbackV4, IfKind::LoopbackV6],
            };
            daemon.disable_interface(left_out)?;
            ServiceInfo::new(SERVICE, name, host, "", port, nothing)?.enable_addr_auto()
        } else {
            daemon.disable_interface(IfKind::All)?;
            daemon.enable_interface(ip)?;
            ServiceInfo::new(SERVICE, name, host, ip, port, nothing)?
        };
        let full_name = service.get_fullname().to_owned();
        daemon.register(service)?;
        Ok(Self { daemon, full_name })
    }

    async fn withdraw(self) {
        // The goodbye is best effort: an error has no remedy.
        if let Ok(done) = self.daemon.unregister(&self.full_name) {
            let _ = timeout(STEP, done.recv_async()).await;
            sleep(GOODBYE).await;
        }
        if let Ok(done) = self.daemon.shutdown() {
            let _ = timeout(STEP, done.recv_async()).await;
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ = self.daemon.shutdown();
    }
}

impl std::fmt::Debug for Daemon {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Daemon")
            .field("full_name", &self.full_name)
            .finish_non_exhaustive()
    }
}

/// The name of this machine, as a label of a host name.
fn machine_name() -> String {
    let known = system_name().unwrap_or_default();
    let first = known.split('.').next().unwrap_or_default();
    let plain = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
    let name: String = first.chars().filter(plain).take(MAX_MACHINE).collect();
    match name.is_empty() {
        true => "localhost".to_owned(),
        false => name,
    }
}

#[cfg(unix)]
fn system_name() -> Option<String> {
    let system = rustix::system::uname();
    system.nodename().to_str().ok().map(str::to_owned)
}

#[cfg(not(unix))]
fn system_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

#[cfg(test)]
mod tests;
