//! Warns about files with secrets that other users of the machine may read.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use haft::tools::McpDocument;
use toml::{Table, Value};

use super::findings::{Finding, State};
use crate::bounded;
use crate::settings::Settings;
use crate::text::without_secrets;

/// The permission bits of everyone but the owner.
const OTHERS: u32 = 0o077;

/// A warning for each file that contains secrets and is readable by others.
pub(super) fn open_files(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(path) = settings.file.as_deref().filter(|path| is_open(path))
        && bounded::read_text(path).is_ok_and(|text| has_secrets(&text))
    {
        findings.push(finding("settings", path));
    }
    if let Some(path) = settings.mcp.value.as_deref().filter(|path| is_open(path))
        && McpDocument::open(path).is_ok_and(|document| document.has_secrets())
    {
        findings.push(finding("MCP", path));
    }
    findings
}

fn finding(subject: &str, path: &Path) -> Finding {
    let path = path.display();
    let text = format!("{path} holds secrets, and other users may read it");
    Finding::new(State::Warning, subject, text).with_hint(format!("chmod 600 {path}"))
}

fn is_open(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|file| file.permissions().mode() & OTHERS != 0)
}

/// Whether the settings contain an address with a password or a key. Other secrets come from the
/// environment.
fn has_secrets(text: &str) -> bool {
    let table = text.parse::<Table>().unwrap_or_default();
    table.values().any(is_secret)
}

fn is_secret(value: &Value) -> bool {
    match value {
        Value::String(text) => without_secrets(text) != *text,
        Value::Array(items) => items.iter().any(is_secret),
        Value::Table(entries) => entries.values().any(is_secret),
        _ => false,
    }
}
