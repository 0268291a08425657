//! An announcement that does not leave the machine: multicast with a time to live of zero, which
//! the system delivers to listeners on this machine and sends to no network (RFC 1112, 6.1).
//!
//! It is sent on every interface, because programs listen on those: Home Assistant does not listen
//! on loopback. Queries are not answered; the announcement is repeated regularly instead, which
//! does not disturb other responders. `mdns-sd` does not support this.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};
use std::time::Duration;

use socket2::{Domain, Protocol, SockAddr, Socket, Type};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::SERVICE;

/// The multicast group of mDNS (RFC 6762, 3).
const GROUP: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(224, 0, 0, 251), 5353);
/// The interval of repetitions, within which a new listener receives the announcement.
const AGAIN: Duration = Duration::from_secs(20);
/// The time to live of the announcement in seconds, after which listeners forget a killed server.
const BELIEVED: u32 = 120;
/// The header flags of an authoritative answer (RFC 6762, 18).
const ANSWER: u16 = 0x8400;
/// The class Internet, and the cache-flush bit for a record that only one host can have (RFC 6762,
/// 10.2).
const INTERNET: u16 = 1;
const ONLY: u16 = 0x8000;

/// A server that is announced on this machine.
#[derive(Debug)]
pub(super) struct OnMachine {
    /// The labels of `name`.
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
                send(&message);
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

    /// Sends a goodbye: a record with a time to live of zero (RFC 6762, 10.1).
    pub(super) fn withdraw(self) {
        self.telling.abort();
        send(&message(&self.name, &self.host, self.address, 0));
    }
}

impl Drop for OnMachine {
    fn drop(&mut self) {
        self.telling.abort();
    }
}

/// Sends the message on every interface. Failures are ignored, because other interfaces may work.
fn send(message: &[u8]) {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    for interface in interfaces {
        if let IpAddr::V4(address) = interface.ip()
            && let Err(error) = send_on(address, message)
        {
            tracing::debug!(%address, %error, "not announced here");
        }
    }
}

/// The socket is closed at once, so that it takes no messages meant for other programs on this
/// port.
fn send_on(interface: Ipv4Addr, message: &[u8]) -> std::io::Result<()> {
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

/// The labels of a name that ends with a dot.
fn labels(name: &str) -> Vec<String> {
    let parts = name.split('.').filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// The records of the service (RFC 6763, 4 to 6): PTR, SRV, an empty TXT, and the address.
fn message(name: &[String], host: &[String], address: SocketAddr, believed: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    // No id, no questions, four answers.
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
    // Priority and weight are zero.
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

/// An uncompressed name (RFC 1035, 3.1).
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
