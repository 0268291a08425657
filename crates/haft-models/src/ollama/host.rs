//! Parses the values of `OLLAMA_HOST`, which servers and clients share.

use std::net::Ipv6Addr;

use url::{Host, Url};

/// The port on which Ollama listens by default.
const OLLAMA_PORT: u16 = 11434;

/// The client address for a value of `OLLAMA_HOST`: a host, a port or both, with or without a
/// scheme; the server's "all interfaces" becomes this machine (`ollama/ollama:
/// envconfig/config.go`). An invalid value is returned unchanged, and refused when it is used.
pub(super) fn address(host: &str) -> String {
    let host = host.trim().trim_matches(['"', '\'']);
    if host.contains("://") {
        return reachable(host, None).unwrap_or_else(|| host.to_owned());
    }
    let (authority, path) = host.split_once('/').unwrap_or((host, ""));
    let authority = if authority.parse::<Ipv6Addr>().is_ok() {
        format!("[{authority}]")
    } else if authority.starts_with(':') {
        format!("127.0.0.1{authority}")
    } else {
        authority.to_owned()
    };
    let has_port = authority
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let port = (!has_port).then_some(OLLAMA_PORT);
    reachable(&format!("http://{authority}/{path}"), port).unwrap_or_else(|| host.to_owned())
}

/// The address with a host that clients can connect to, and with `port` if one is given.
fn reachable(address: &str, port: Option<u16>) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    let local = match url.host()? {
        Host::Ipv4(host) if host.is_unspecified() => Some("127.0.0.1"),
        Host::Ipv6(host) if host.is_unspecified() => Some("[::1]"),
        _ => None,
    };
    if let Some(local) = local {
        url.set_host(Some(local)).ok()?;
    }
    if let Some(port) = port {
        url.set_port(Some(port)).ok()?;
    }
    Some(url.as_str().trim_end_matches('/').to_owned())
}
