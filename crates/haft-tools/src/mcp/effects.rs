//! What a tool of a server may do, as far as its word can be taken.
//!
//! A server's hints are untrusted: one that says "destructive" is believed, one that says
//! "harmless" only where its own name for the tool does not say otherwise. Without hints a tool
//! counts as destructive, which is the protocol's default
//! (`modelcontextprotocol/modelcontextprotocol: schema/2025-11-25/schema.ts`, `ToolAnnotations`).
//! The person who configured the server has the last word.

use haft_core::ToolAnnotations;

/// What tools do that no hint makes harmless; single words of a tool's name.
const GRAVE: [&str; 14] = [
    "delete",
    "destroy",
    "disarm",
    "erase",
    "exec",
    "execute",
    "kill",
    "overwrite",
    "purge",
    "remove",
    "truncate",
    "uninstall",
    "unlock",
    "wipe",
];

/// What the server says.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hints {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
}

/// What is made of it; `approved` is true where the configuration lets the tool run unasked.
pub(crate) fn effects(name: &str, hints: Hints, approved: bool) -> ToolAnnotations {
    let grave = hints.destructive == Some(true) || sounds_grave(name);
    let read_only = hints.read_only == Some(true) && !grave;
    let harmless = read_only || (hints.destructive == Some(false) && !grave);
    ToolAnnotations {
        read_only,
        destructive: !harmless && !approved,
        idempotent: hints.idempotent == Some(true),
        sequential: false,
    }
}

fn sounds_grave(name: &str) -> bool {
    words(name)
        .iter()
        .any(|word| GRAVE.contains(&word.as_str()))
}

/// The words of `delete_file`, `deleteFile` or `HTTPDelete`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = name.chars().collect();
    for (index, letter) in letters.iter().enumerate() {
        let lower_after = letters
            .get(index + 1)
            .is_some_and(|next| next.is_lowercase());
        let lower_before = index
            .checked_sub(1)
            .and_then(|before| letters.get(before))
            .is_some_and(|before| before.is_lowercase());
        let begins = letter.is_uppercase() && (lower_before || lower_after);
        if !letter.is_alphabetic() || begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests;
