//! Error sentences that a person can be told: no codes, no addresses.
//!
//! A tool that says in its own words what went wrong is quoted. Only what comes from below it,
//! a refused connection or an expired timer, is put into a sentence here; the original stays
//! in the error's detail for the log.

use std::time::Duration;

use haft_core::{ToolError, ToolErrorKind};

/// Words that programs use for "cannot be reached".
const NETWORK: [&str; 12] = [
    "econnrefused",
    "connection refused",
    "econnreset",
    "connection reset",
    "enotfound",
    "getaddrinfo",
    "eai_again",
    "ehostunreach",
    "enetunreach",
    "host unreachable",
    "network is unreachable",
    "dns error",
];

/// Words that programs use for "took too long".
const TIMEOUT: [&str; 5] = [
    "etimedout",
    "esockettimedout",
    "timed out",
    "timeout",
    "deadline has elapsed",
];

/// The error in words that can be spoken. The name of `tool` is part of the sentence.
pub(crate) fn friendly(tool: &str, error: ToolError) -> ToolError {
    let kind = match error.kind() {
        ToolErrorKind::Failed if !is_sentence(error.message()) => classify(error.message()),
        kind => kind,
    };
    let sentence = match kind {
        ToolErrorKind::Network | ToolErrorKind::Timeout if is_sentence(error.message()) => {
            return error;
        }
        ToolErrorKind::Network => format!("The service behind {tool} is not available right now."),
        ToolErrorKind::Timeout => format!("{tool} took too long. Please try again later."),
        _ => return error,
    };
    let detail = error.detail().to_owned();
    ToolError::of_kind(kind, sentence).with_detail(detail)
}

/// The error of a tool that was stopped after `limit`.
pub(crate) fn timed_out(tool: &str, limit: Duration) -> ToolError {
    let seconds = limit.as_secs_f64();
    let unit = if (seconds - 1.0).abs() < f64::EPSILON {
        "second"
    } else {
        "seconds"
    };
    let sentence = format!("{tool} took longer than {seconds} {unit} and was stopped.");
    ToolError::of_kind(ToolErrorKind::Timeout, sentence)
}

/// True when somebody wrote this for a person: it ends like a sentence and holds no address,
/// no error code and no dump.
fn is_sentence(message: &str) -> bool {
    let ends = message.trim_end().ends_with(['.', '!', '?']);
    let code = message
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| {
            word.len() > 4 && word.starts_with('E') && word.chars().all(|c| c.is_ascii_uppercase())
        });
    let address = message.contains("://") || message.contains("os error");
    ends && !code && !address
}

fn classify(message: &str) -> ToolErrorKind {
    let message = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&NETWORK) {
        ToolErrorKind::Network
    } else if says(&TIMEOUT) {
        ToolErrorKind::Timeout
    } else {
        ToolErrorKind::Failed
    }
}

#[cfg(test)]
mod tests;
