use url::Url;

use super::is_loopback;

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
