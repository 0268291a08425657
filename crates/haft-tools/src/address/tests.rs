#![cfg(feature = "search")]

use super::*;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[test]
fn loopback_and_private_addresses_are_distinguished_from_public_ones() {
    for here in [
        "http://localhost:1/",
        "http://a.localhost/",
        "http://127.0.0.1/",
        "http://[::1]/",
    ] {
        assert!(is_loopback(&url(here)) && is_private(&url(here)), "{here}");
    }
    for near in [
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest",
        "http://0.0.0.0/",
        "http://[fd00::1]/",
        "http://[fe80::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://printer.local/",
    ] {
        assert!(!is_loopback(&url(near)) && is_private(&url(near)), "{near}");
    }
    for far in [
        "https://example.org/",
        "http://8.8.8.8/",
        "http://[2001:db8::1]/",
    ] {
        assert!(!is_loopback(&url(far)) && !is_private(&url(far)), "{far}");
    }
}
