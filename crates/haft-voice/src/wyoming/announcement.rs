//! Telling the house where a Wyoming server is, by zeroconf: DNS-SD (RFC 6763) over multicast DNS
//! (RFC 6762), which Home Assistant listens to.
//!
//! It is announced only where clients can connect. What is on an address of the network is announced there,
//! by a library; what is on loopback to this machine alone, by `machine`.

mod machine;

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use mdns_sd::{IfKind, ServiceDaemon, ServiceInfo};
use tokio::time::{sleep, timeout};

use self::machine::OnMachine;
use crate::{VoiceError, VoiceErrorKind};

/// What servers of the protocol are announced as, and what Home Assistant looks for (`zeroconf` in
/// the manifest of its Wyoming integration).
const SERVICE: &str = "_wyoming._tcp.local.";
/// Between looks for addresses that came or went, in seconds.
const ADDRESSES: u32 = 30;
/// The library says goodbye twice, 120 ms apart.
const GOODBYE: Duration = Duration::from_millis(200);
/// How long each step of the end may take.
const STEP: Duration = Duration::from_secs(1);
/// A part of a name has at most 63 bytes (RFC 1035, 2.3.4); the rest is for what stands around it.
const MAX_MACHINE: usize = 40;

/// A server that is announced until this is withdrawn or dropped.
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

/// How it is announced.
#[derive(Debug)]
enum Way {
    Machine(OnMachine),
    Network(Daemon),
}

/// The thread of the library, which ends with this, and what it announces.
struct Daemon {
    told: ServiceDaemon,
    full_name: String,
}

impl Announcement {
    /// Announces the server that listens at `address`, as `haft on MACHINE:PORT`.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when the system gives no socket or thread for it.
    pub fn begin(address: SocketAddr) -> Result<Self, VoiceError> {
        let machine = machine_name();
        let port = address.port();
        let name = format!("haft on {machine}:{port}");
        // A name of its own: that of the machine belongs to the responder of the whole machine.
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

    /// What it is announced as. Where somebody else in the network has the name already, a number
    /// is added.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Says goodbye, so that listeners forget the server.
    pub async fn withdraw(self) {
        match self.way {
            Way::Machine(told) => told.withdraw(),
            Way::Network(daemon) => daemon.withdraw().await,
        }
    }
}

impl Daemon {
    /// On the interface that has the address; where that is any, on all but loopback.
    fn begin(name: &str, host: &str, address: SocketAddr) -> mdns_sd::Result<Self> {
        let told = ServiceDaemon::new()?;
        let (ip, port) = (address.ip(), address.port());
        let nothing: &[(&str, &str)] = &[];
        told.set_ip_check_interval(ADDRESSES)?;
        let service = if ip.is_unspecified() {
            let left_out = match ip {
                IpAddr::V4(_) => vec![IfKind::LoopbackV4, IfKind::IPv6],
                IpAddr::V6(_) => vec![IfKind::LoopbackV4, IfKind::LoopbackV6],
            };
            told.disable_interface(left_out)?;
            ServiceInfo::new(SERVICE, name, host, "", port, nothing)?.enable_addr_auto()
        } else {
            told.disable_interface(IfKind::All)?;
            told.enable_interface(ip)?;
            ServiceInfo::new(SERVICE, name, host, ip, port, nothing)?
        };
        let full_name = service.get_fullname().to_owned();
        told.register(service)?;
        Ok(Self { told, full_name })
    }

    async fn withdraw(self) {
        // Nobody can be told if it fails.
        if let Ok(done) = self.told.unregister(&self.full_name) {
            let _ = timeout(STEP, done.recv_async()).await;
            sleep(GOODBYE).await;
        }
        if let Ok(done) = self.told.shutdown() {
            let _ = timeout(STEP, done.recv_async()).await;
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.told.shutdown();
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

/// What this machine is called, as a part of a host's name.
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
