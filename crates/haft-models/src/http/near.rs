//! Tells servers of this machine and of private networks from distant ones.

use std::net::Ipv4Addr;

use url::{Host, Url};

/// Whether the URL is on this machine, by name or number: proxies cannot reach it, and no data
/// leaves the machine.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Whether the URL is on this machine or in a private network, judged by its host alone. A name
/// without a dot is one of the local network, as in Docker Compose; so are the names that are
/// reserved for it (RFC 6762, RFC 8375, `internal` of ICANN, and `lan`, which routers use).
pub(crate) fn is_near(url: &Url) -> bool {
    const LOCAL_NAMES: [&str; 4] = [".local", ".home.arpa", ".internal", ".lan"];
    if is_loopback(url) {
        return true;
    }
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            !name.contains('.') || LOCAL_NAMES.iter().any(|end| name.ends_with(end))
        }
        Some(Host::Ipv4(address)) => is_near_ipv4(address),
        Some(Host::Ipv6(address)) => match address.to_ipv4_mapped() {
            Some(address) => is_near_ipv4(address),
            None => address.is_unique_local() || address.is_unicast_link_local(),
        },
        None => false,
    }
}

/// Private, link-local and shared addresses; the shared ones (100.64.0.0/10, RFC 6598) are those of
/// virtual private networks such as Tailscale.
fn is_near_ipv4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || (first == 100 && (64..128).contains(&second))
}

#[cfg(test)]
mod tests;
