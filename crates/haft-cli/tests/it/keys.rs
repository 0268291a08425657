//! `haft keys`: a key is added, listed and revoked.

use serde_json::Value;

use crate::support::Machine;

#[test]
fn a_key_is_added_listed_and_revoked() {
    let machine = Machine::new();
    assert_eq!(machine.haft(&["keys", "list"]).answer(), "no keys");
    let added = machine.haft(&["keys", "add", "alice", "--tokens-per-day", "1000"]);
    assert!(added.answer().starts_with("haft_"), "{}", added.stdout);
    assert!(added.stderr.contains("shown only now"), "{}", added.stderr);
    let again = machine.haft(&["keys", "add", "alice"]);
    again.fails(1, &["\"alice\" already", "haft keys revoke alice"]);
    assert_eq!(
        machine.haft(&["keys", "list"]).answer(),
        "alice  0 requests, 0 tokens today  (1000 tokens/day)"
    );
    let revoked = machine.haft(&["keys", "revoke", "alice"]);
    assert_eq!(revoked.answer(), "alice is revoked");
    let listed = machine.haft(&["keys", "list", "--json"]);
    let keys: Value = serde_json::from_str(listed.answer()).unwrap();
    assert_eq!(keys[0]["is_revoked"], true);
    assert_eq!(keys[0]["limits"]["tokens_per_day"], 1000);
    assert!(!listed.stdout.contains("haft_"), "{}", listed.stdout);
    let missing = machine.haft(&["keys", "revoke", "bob"]);
    missing.fails(1, &["There is no key \"bob\"", "haft keys list"]);
}
