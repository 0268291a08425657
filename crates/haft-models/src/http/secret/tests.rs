use url::Url;

use super::{Secret, safe_url};

#[test]
fn a_secret_is_trimmed_and_hidden() {
    let secret = Secret::new(" sk-1\n");
    assert_eq!(secret.reveal(), "sk-1");
    assert!(!format!("{secret:?}").contains("sk-1"));
}

#[test]
fn addresses_are_shown_without_their_secrets() {
    let url = Url::parse("https://me:pw@host:8/v1?api_key=k1&X-Token=k2&v=2#part").unwrap();
    let safe = safe_url(&url);
    assert!(safe.starts_with("https://host:8/v1?"), "{safe}");
    assert!(safe.contains("v=2"), "{safe}");
    for secret in ["me", "pw", "k1", "k2"] {
        assert!(!safe.contains(secret), "{safe}");
    }
    let plain = "http://127.0.0.1:11434/api/chat";
    assert_eq!(safe_url(&Url::parse(plain).unwrap()), plain);
}
