//! Environment variables as settings.

/// An environment variable; an empty one counts as unset.
pub(super) fn environment(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
}
