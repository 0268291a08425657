//! Parses single values of the command line and of `haft.toml`.

use std::path::PathBuf;
use std::time::Duration;

/// The longest accepted duration. More is probably a typing error.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The smart-home backend that `--home` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HomeSpec {
    /// The simulated home, kept in memory.
    Demo,
    /// The simulated home with its state in this file.
    DemoFile(PathBuf),
    /// The devices behind the Z-Wave JS server at this address.
    Server(String),
}

pub(super) fn home(text: &str) -> Result<HomeSpec, String> {
    match text.split_once(':') {
        None if text == "demo" => Ok(HomeSpec::Demo),
        Some(("demo", file)) if !file.is_empty() => Ok(HomeSpec::DemoFile(file.into())),
        Some(("ws" | "wss", _)) => Ok(HomeSpec::Server(text.to_owned())),
        _ => Err("there is only `demo`, `demo:FILE`, or ws://HOST:PORT".to_owned()),
    }
}

pub(super) fn temperature(text: &str) -> Result<f64, String> {
    let number = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=2.0).contains(&number) {
        Ok(number)
    } else {
        Err("must be from 0 to 2".to_owned())
    }
}

/// Parses a duration like `30`, `1.5`, `500ms`, `30s`, `2m` or `1h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = text.strip_suffix(unit).unwrap_or(text);
    let scale = match unit.trim() {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("write seconds, or a time like 500ms, 30s or 2m".to_owned()),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "write seconds, or a time like 500ms, 30s or 2m".to_owned())?;
    seconds(number * scale)
}

/// Parses a past period, like `30m`, `12h`, `7d` or `4w`.
pub(super) fn past(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time like 30m, 12h, 7d or 4w".to_owned();
    let text = text.trim();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match text.strip_prefix(number).unwrap_or_default() {
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        "w" => 7 * 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    let number: u32 = number.parse().map_err(|_| wrong())?;
    Ok(Duration::from_secs(u64::from(number) * seconds))
}

/// A time in seconds, checked.
pub(crate) fn seconds(number: f64) -> Result<Duration, String> {
    match Duration::try_from_secs_f64(number) {
        Ok(time) if !time.is_zero() && time <= LONGEST => Ok(time),
        _ => Err("must be from 1 ms to 24 h".to_owned()),
    }
}

#[cfg(test)]
mod tests;
