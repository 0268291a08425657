//! Classifies addresses: this machine, its private network, or the internet.

use std::net::IpAddr;

use reqwest::Url;

/// True if `url` points to this machine.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    let host = host(url);
    is_localhost(&host) || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// True for this machine and for addresses that are only reachable from its own network.
pub(crate) fn is_private(url: &Url) -> bool {
    let host = host(url);
    let is_near = |ip: IpAddr| match ip.to_canonical() {
        IpAddr::V4(ip) => {
            ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified()
        }
        IpAddr::V6(ip) => {
            let first = ip.segments().first().copied().unwrap_or_default();
            // fc00::/7 is unique local, fe80::/10 link local (RFC 4193, RFC 4291).
            ip.is_loopback()
                || ip.is_unspecified()
                || first & 0xfe00 == 0xfc00
                || first & 0xffc0 == 0xfe80
        }
    };
    is_localhost(&host) || host.ends_with(".local") || host.parse().is_ok_and(is_near)
}

fn is_localhost(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost")
}

/// The host without the brackets of an IPv6 address.
fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    host.trim_start_matches('[')
        .trim_end_matches(']')
        .to_owned()
}

#[cfg(test)]
mod tests;
