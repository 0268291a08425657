use url::Url;

use super::{is_loopback, is_near};

#[test]
fn loopback_addresses_are_recognized() {
    for (url, expected) in [
        ("http://127.0.0.1:11434/", true),
        ("http://127.9.9.9/", true),
        ("http://[::1]:80/", true),
        ("http://localhost/", true),
        ("http://a.localhost/", true),
        ("http://192.168.1.2/", false),
        ("https://api.openai.com/", false),
        ("http://localhost.example.org/", false),
    ] {
        assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
    }
}

#[test]
fn this_machine_and_private_networks_are_near() {
    for (url, expected) in [
        ("http://127.0.0.1:8080/v1", true),
        ("http://192.168.1.2:8080/", true),
        ("http://10.1.2.3/", true),
        ("http://172.16.0.9/", true),
        ("http://100.101.102.103/", true),
        ("http://[fd00::1]:80/", true),
        ("http://[::ffff:192.168.1.2]/", true),
        ("http://llama:8080/v1", true),
        ("http://box.local/", true),
        ("http://box.home.arpa/", true),
        ("https://api.openai.com/v1", false),
        ("https://openrouter.ai/api/v1", false),
        ("http://172.32.0.1/", false),
        ("http://100.128.0.1/", false),
        ("http://8.8.8.8/", false),
        ("http://[2001:db8::1]/", false),
        ("http://local.example.org/", false),
    ] {
        assert_eq!(is_near(&Url::parse(url).unwrap()), expected, "{url}");
    }
}
