use axum::http::HeaderValue;

use super::*;

fn refusal(token: Option<&str>, headers: &[(&'static str, &'static str)]) -> Option<u16> {
    let map = headers.iter().map(|(name, value)| {
        (
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        )
    });
    let guard = Guard::new(token.map(str::to_owned));
    guard
        .admit(&map.collect())
        .err()
        .map(|refusal| refusal.status)
}

#[test]
fn only_names_of_this_machine_are_answered_without_a_key() {
    for host in [
        "127.0.0.1:11435",
        "localhost:1",
        "LOCALHOST",
        "[::1]:8",
        "127.0.0.2",
    ] {
        assert_eq!(refusal(None, &[("host", host)]), None, "{host}");
    }
    for host in [
        "evil.example:11435",
        "localhost.evil.example",
        "10.0.0.1",
        "",
    ] {
        assert_eq!(refusal(None, &[("host", host)]), Some(403), "{host}");
    }
}

#[test]
fn foreign_web_pages_are_refused() {
    let host = ("host", "127.0.0.1:11435");
    for origin in [
        "http://localhost:3000",
        "https://127.0.0.1",
        "tauri://localhost",
    ] {
        assert_eq!(refusal(None, &[host, ("origin", origin)]), None, "{origin}");
    }
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
    ] {
        assert_eq!(
            refusal(None, &[host, ("origin", origin)]),
            Some(403),
            "{origin}"
        );
        let key = ("x-api-key", "k");
        let refused = refusal(Some("k"), &[host, key, ("origin", origin)]);
        assert_eq!(refused, Some(403), "{origin}");
    }
}

#[test]
fn a_key_is_required_if_one_is_configured() {
    let host = ("host", "models.lan");
    assert_eq!(refusal(Some("secret"), &[host]), Some(401));
    assert_eq!(
        refusal(Some("secret"), &[host, ("authorization", "Bearer secre")]),
        Some(401)
    );
    assert_eq!(
        refusal(Some("secret"), &[host, ("authorization", "Bearer secret")]),
        None
    );
    assert_eq!(
        refusal(Some("secret"), &[host, ("x-api-key", "secret")]),
        None
    );
}
