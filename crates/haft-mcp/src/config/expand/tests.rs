//! Which variables are replaced, kept, or reported as missing.

use super::expand;

fn lookup(name: &str) -> Option<String> {
    match name {
        "HOME" => Some("/home/ada".to_owned()),
        "EMPTY" => Some(String::new()),
        "NESTED" => Some("${HOME}".to_owned()),
        _ => None,
    }
}

#[test]
fn variables_are_replaced() {
    let table = [
        ("plain", "plain"),
        ("", ""),
        ("${HOME}", "/home/ada"),
        ("a${HOME}b${HOME}c", "a/home/adab/home/adac"),
        ("${HOME:-/root}", "/home/ada"),
        ("${EMPTY}", ""),
        ("${EMPTY:-full}", "full"),
        ("${MISSING:-fallback}", "fallback"),
        ("${MISSING:-}", ""),
        ("${MISSING:-a:-b}", "a:-b"),
        ("Bearer ${MISSING:-none}!", "Bearer none!"),
        // Values are not expanded again.
        ("${NESTED}", "${HOME}"),
        // Other syntax is unchanged.
        ("$HOME", "$HOME"),
        ("${HOME", "${HOME"),
        ("${}", "${}"),
        ("${1ST}", "${1ST}"),
        ("${not a name}", "${not a name}"),
        ("${not a ${HOME}", "${not a /home/ada"),
        ("100 % ünï ${HOME}", "100 % ünï /home/ada"),
    ];
    for (text, expected) in table {
        assert_eq!(expand(text, &lookup).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn a_missing_variable_is_named() {
    assert_eq!(
        expand("x ${MISSING} ${OTHER}", &lookup),
        Err("MISSING".to_owned())
    );
}
