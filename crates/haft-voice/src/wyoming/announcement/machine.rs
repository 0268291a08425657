//! An announcement that does not leave the machine: multicast with a time to live of zero, which
//! the system delivers to listeners on this machine and sends nowhere (RFC 1112, 6.1).
//!
//! It goes out by every interface, because that is where programs listen: Home Assistant hears
//! none on loopback. Questions are not waited for; the announcement is repeated in a while instead, which
//! disturbs no other listener. `mdns-sd` has nothing for this.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};
use std::time::Duration;

use socket2::{Domain, Protocol, SockAddr, Socket, Type};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::SERVICE;

/// Where multicast DNS is spoken (RFC 6762, 3).
const GROUP: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(224, 0, 0, 251), 5353);
/// Who begins to listen later hears it within that time.
const AGAIN: Duration = Duration::from_secs(20);
/// In seconds: how long it is believed of a server that was killed.
const BELIEVED: u32 = 120;
/// An authoritative answer (RFC 6762, 18).
const ANSWER: u16 = 0x8400;
/// The class Internet, and the bit of a record that only one host can have (RFC 6762, 10.2).
const INTERNET: u16 = 1;
const ONLY: u16 = 0x8000;

/// A server that is announced to this machine.
#[derive(Debug)]
pub(super) struct OnMachine {
    /// `name`, as the parts of a name.
    name: Vec<String>,
    host: Vec<String>,
    address: SocketAddr,
    telling: JoinHandle<()>,
}

impl OnMachine {
    pub(super) fn begin(name: &str, host: &str, address: SocketAddr) -> Self {
        let mut parts = vec![name.to_owned()];
        parts.extend(labels(SERVICE));
        let host = labels(host);
        let message = message(&parts, &host, address, BELIEVED);
        let telling = tokio::spawn(async move {
            loop {
                tell(&message);
                sleep(AGAIN).await;
            }
        });
        Self {
            name: parts,
            host,
            address,
            telling,
        }
    }

    /// A time to live of nothing is the goodbye (RFC 6762, 10.1).
    pub(super) fn withdraw(self) {
        self.telling.abort();
        tell(&message(&self.name, &self.host, self.address, 0));
    }
}

impl Drop for OnMachine {
    fn drop(&mut self) {
        self.telling.abort();
    }
}

/// Tells it by every interface. One that takes nothing is left out: others are heard as well.
fn tell(message: &[u8]) {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    for interface in interfaces {
        if let IpAddr::V4(address) = interface.ip()
            && let Err(error) = tell_by(address, message)
        {
            tracing::debug!(%address, %error, "not announced here");
        }
    }
}

/// The socket does not stay open, so that it takes nothing that others wait for on this port.
fn tell_by(interface: Ipv4Addr, message: &[u8]) -> std::io::Result<()> {
    let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
    socket.set_reuse_address(true)?;
    #[cfg(unix)]
    socket.set_reuse_port(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&SockAddr::from(SocketAddrV4::new(interface, GROUP.port())))?;
    socket.set_multicast_if_v4(&interface)?;
    socket.set_multicast_ttl_v4(0)?;
    socket.set_multicast_loop_v4(true)?;
    socket.send_to(message, &SockAddr::from(GROUP)).map(drop)
}

/// The parts of a name that ends with a dot.
fn labels(name: &str) -> Vec<String> {
    let parts = name.split('.').filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// All that is to be known (RFC 6763, 4 to 6): that it is there, where, nothing more, its address.
fn message(name: &[String], host: &[String], address: SocketAddr, believed: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    // No number, no questions, four answers.
    for number in [0, ANSWER, 0, 4, 0, 0] {
        bytes.extend(u16::to_be_bytes(number));
    }
    let mut record = |name: &[String], kind: u16, class: u16, data: &[u8]| {
        bytes.extend(encoded(name));
        bytes.extend(kind.to_be_bytes());
        bytes.extend(class.to_be_bytes());
        bytes.extend(believed.to_be_bytes());
        bytes.extend(u16::try_from(data.len()).unwrap_or_default().to_be_bytes());
        bytes.extend(data);
    };
    record(&labels(SERVICE), 12, INTERNET, &encoded(name));
    // No priority, no weight.
    let mut place = vec![0; 4];
    place.extend(address.port().to_be_bytes());
    place.extend(encoded(host));
    record(name, 33, INTERNET | ONLY, &place);
    record(name, 16, INTERNET | ONLY, &[0]);
    match address.ip() {
        IpAddr::V4(ip) => record(host, 1, INTERNET | ONLY, &ip.octets()),
        IpAddr::V6(ip) => record(host, 28, INTERNET | ONLY, &ip.octets()),
    }
    bytes
}

/// A name without compression (RFC 1035, 3.1).
fn encoded(name: &[String]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in name {
        let part = part.as_bytes();
        bytes.push(u8::try_from(part.len()).unwrap_or_default());
        bytes.extend(part);
    }
    bytes.push(0);
    bytes
}
