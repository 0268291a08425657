//! Help, completions and man pages, which come from one definition.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

mod support;

use insta::assert_snapshot;
use support::Machine;

#[test]
fn help_of_the_whole() {
    let said = Machine::new().haft(&["--help"]);
    assert_snapshot!(said.answer(), @"");
    let bare = Machine::new().haft(&[]);
    assert_eq!((bare.code, bare.stderr), (Some(2), said.stdout));
}

#[test]
fn help_of_ask() {
    assert_snapshot!(Machine::new().haft(&["ask", "--help"]).answer(), @"");
}

#[test]
fn help_of_every_command_has_examples() {
    for command in [
        &["ask"][..],
        &["tools", "list"],
        &["tools", "show"],
        &["tools", "call"],
        &["tools", "convert"],
        &["config", "show"],
        &["doctor"],
        &["completions"],
        &["man"],
    ] {
        let said = Machine::new().haft(&[command, &["--help"]].concat());
        assert!(said.answer().contains("Example"), "{command:?}: {said:?}");
    }
}

#[test]
fn the_version_is_told() {
    let said = Machine::new().haft(&["--version"]);
    assert_eq!(said.answer(), concat!("haft ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = Machine::new().haft(&["completions", shell]);
        for word in ["ask", "doctor", "max-rounds"] {
            assert!(said.answer().contains(word), "{shell} does not know {word}");
        }
    }
    Machine::new()
        .haft(&["completions", "tcsh"])
        .fails(2, &["invalid value 'tcsh'"]);
}

#[test]
fn man_pages_are_roff() {
    let machine = Machine::new();
    let whole = machine.haft(&["man"]);
    assert!(whole.answer().contains(".TH haft 1") && whole.answer().contains("ask"));
    let one = machine.haft(&["man", "tools", "call"]);
    assert!(
        one.answer().contains("haft\\-tools\\-call") || one.answer().contains("haft-tools-call")
    );
    machine
        .haft(&["man", "aks"])
        .fails(2, &["`haft` has no command `aks`", "did you mean `ask`?"]);
}
