use super::*;

#[test]
fn passwords_in_addresses_are_hidden() {
    for (address, shown) in [
        ("127.0.0.1:11434", "127.0.0.1:11434"),
        ("https://me:secret@host:1/v1", "https://[hidden]@host:1/v1"),
        ("me:se@cret@host", "[hidden]@host"),
        ("http://host/a@b", "http://host/a@b"),
    ] {
        assert_eq!(mask_url(address), shown);
    }
}
