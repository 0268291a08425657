//! Turns errors into sentences that can be shown or spoken to a user: no codes, no addresses.
//!
//! If a tool describes its failure in its own words, they are kept. Only technical errors from
//! below it, such as a refused connection or an expired timer, are replaced by a sentence; the
//! original text stays in the error's detail for the log.

use std::time::Duration;

use haft_core::{ToolError, ToolErrorKind};

/// Phrases with which programs report that something is not reachable.
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

/// Phrases with which programs report a timeout.
const TIMEOUT: [&str; 5] = [
    "etimedout",
    "esockettimedout",
    "timed out",
    "timeout",
    "deadline has elapsed",
];

/// The error as a sentence that can be spoken. The sentence names `tool`.
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

/// True if the message was written for a user: it ends like a sentence and contains no address,
/// error code or dump.
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
