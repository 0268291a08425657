//! Tells the hosts that are this machine.

/// True for a name or address of this machine, with or without a port.
pub(crate) fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let is_address = name
        .parse::<std::net::IpAddr>()
        .is_ok_and(|address| address.is_loopback());
    is_address || name.eq_ignore_ascii_case("localhost")
}
