//! The address of a Wyoming server.

use std::fmt;
use std::str::FromStr;

use haft_core::mask_url;

use crate::{VoiceError, VoiceErrorKind};

/// The address of a Wyoming server: `HOST:PORT`, with or without `tcp://` before it.
///
/// ```
/// use haft_voice::wyoming::WyomingAddress;
///
/// let address: WyomingAddress = "tcp://127.0.0.1:10300".parse()?;
/// assert_eq!(address.to_string(), "127.0.0.1:10300");
/// assert!("127.0.0.1".parse::<WyomingAddress>().is_err());
/// # Ok::<_, haft_voice::VoiceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WyomingAddress {
    host: String,
    port: u16,
}

impl WyomingAddress {
    /// The host and port to connect to.
    pub(crate) fn target(&self) -> (&str, u16) {
        let host = self.host.strip_prefix('[');
        let host = host.and_then(|host| host.strip_suffix(']'));
        (host.unwrap_or(&self.host), self.port)
    }
}

impl FromStr for WyomingAddress {
    type Err = VoiceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let address = text.strip_prefix("tcp://").unwrap_or(text);
        let parts = address.rsplit_once(':');
        let parts = parts.and_then(|(host, port)| Some((host, port.parse().ok()?)));
        match parts {
            Some((host, port)) if is_host(host) && port != 0 => Ok(Self {
                host: host.to_owned(),
                port,
            }),
            _ => Err(VoiceError::new(
                VoiceErrorKind::Configuration,
                format!(
                    "`{}` is not the address of a Wyoming server",
                    mask_url(text)
                ),
            )
            .with_hint("write HOST:PORT, such as 127.0.0.1:10300")),
        }
    }
}

/// A colon is only valid inside brackets, as in IPv6 addresses.
fn is_host(host: &str) -> bool {
    let bare = host.starts_with('[') && host.ends_with(']') || !host.contains(':');
    bare && !host.is_empty() && !host.contains(['/', '@', ' '])
}

impl fmt::Display for WyomingAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_ports_are_needed() {
        for good in ["piper:10200", "tcp://10.0.0.2:1", "[::1]:10300"] {
            let address: WyomingAddress = good.parse().unwrap();
            assert_eq!(address.to_string(), good.trim_start_matches("tcp://"));
        }
        let inside: WyomingAddress = "[::1]:10300".parse().unwrap();
        assert_eq!(inside.target(), ("::1", 10_300));
        for bad in [
            "",
            "piper",
            ":1",
            "a:0",
            "a:65536",
            "::1:5",
            "http://a:1",
            "unix:///run/x",
        ] {
            let error = bad.parse::<WyomingAddress>().unwrap_err();
            assert!(error.to_string().contains(bad), "{error}");
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn a_refused_address_is_shown_without_its_secrets() {
        for bad in ["me:s3cret@a:1", "tcp://me:s3cret@a:1", "a:1/?token=s3cret"] {
            let error = bad.parse::<WyomingAddress>().unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(shown.contains("[hidden]"), "{shown}");
            assert!(!shown.contains("s3cret"), "{shown}");
        }
    }
}
