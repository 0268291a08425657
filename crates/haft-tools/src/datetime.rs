//! The tool `get_current_datetime`: the current time and date, here or in any time zone.
//!
//! `place.rs` finds the time zone that a text means; `names.rs` holds place names that the time
//! zone database does not have. This file is the tool: its schema, its sentence and its artifact.
//! The time zone database is compiled into the binary, so every zone is known on every machine.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{Tool, ToolAnnotations, ToolError, ToolErrorKind, ToolInput, ToolOutput};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde_json::{Value, json};

mod names;
mod place;

use place::Place;

const DESCRIPTION: &str = "Get the current date and time. Use it for every question about the \
    time, the date, the day, the week or the year, and before computing with dates. Optionally \
    takes a city, a country or an IANA time zone; without one it answers for here.";

/// The tool `get_current_datetime`.
///
/// Its one argument, `timezone`, is an IANA time zone (`Asia/Tokyo`), a common abbreviation
/// (`CET`), an offset (`UTC+2`) or the name of a well-known place (`Tokyo`); without it the tool
/// returns the local time. The result is a sentence that can be spoken, with the time as `HH:MM`.
/// The artifact has the fields `iso8601`, `date`, `time`, `weekday`, `day`, `month`, `month_name`,
/// `year`, `week` (ISO 8601), `day_of_year`, `timezone`, `utc_offset` and `place` (`null` for the
/// local time).
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let tool = haft_tools::get_current_datetime();
/// let mut input = haft_core::ToolInput::default();
/// input.input.insert("timezone".into(), "Kathmandu".into());
/// let artifact = tool.invoke(input).await.unwrap().artifact.unwrap();
/// assert_eq!(artifact["timezone"], "Asia/Kathmandu");
/// assert_eq!(artifact["utc_offset"], "+05:45");
/// # });
/// ```
#[must_use]
pub fn get_current_datetime() -> Arc<dyn Tool> {
    Arc::new(CurrentDatetime::new(Clock {
        now: Timestamp::now,
        here: TimeZone::system,
    }))
}

/// The source of the time and the local zone; tests replace it.
#[derive(Clone, Copy, Debug)]
struct Clock {
    now: fn() -> Timestamp,
    here: fn() -> TimeZone,
}

#[derive(Debug)]
struct CurrentDatetime {
    schema: Value,
    clock: Clock,
}

impl CurrentDatetime {
    fn new(clock: Clock) -> Self {
        let schema = json!({
            "type": "object",
            "properties": {
                "timezone": {
                    "type": "string",
                    "description": "City, country or IANA time zone, such as \"Tokyo\" or \
                        \"Europe/Berlin\". Leave out for local time."
                }
            }
        });
        Self { schema, clock }
    }

    /// The zone that the arguments ask for, and its name in the answer.
    fn place(&self, timezone: Option<&Value>) -> Result<Place, ToolError> {
        let text = match timezone {
            None | Some(Value::Null) => "",
            Some(Value::String(text)) => text.trim(),
            Some(_) => {
                return Err(ToolError::of_kind(
                    ToolErrorKind::InvalidArguments,
                    "The time zone must be a text such as \"Tokyo\" or \"Asia/Tokyo\".",
                ));
            }
        };
        if ["", "local", "here", "local time"].contains(&text.to_lowercase().as_str()) {
            return Ok(Place {
                label: None,
                zone: (self.clock.here)(),
            });
        }
        place::find(text)
            .map_err(|sentence| ToolError::of_kind(ToolErrorKind::InvalidArguments, sentence))
    }
}

#[async_trait]
impl Tool for CurrentDatetime {
    fn name(&self) -> &str {
        "get_current_datetime"
    }

    fn description(&self) -> &str {
        DESCRIPTION
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn annotations(&self) -> ToolAnnotations {
        ToolAnnotations {
            read_only: true,
            ..ToolAnnotations::default()
        }
    }

    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        let place = self.place(input.input.get("timezone"))?;
        let time = (self.clock.now)().to_zoned(place.zone.clone());
        let label = place.label.as_deref();
        Ok(ToolOutput::from(sentence(&time, label)).with_artifact(artifact(&time, label)))
    }
}

fn sentence(time: &Zoned, place: Option<&str>) -> String {
    let zone = zone_name(time);
    let date = time.strftime("%A, %-d %B %Y");
    let clock = time.strftime("%H:%M");
    match place {
        Some(place) if place == zone => format!("It is {clock} in {place} on {date}."),
        Some(place) => format!("It is {clock} in {place} on {date} ({zone})."),
        None => format!("It is {clock} on {date} ({zone})."),
    }
}

fn artifact(time: &Zoned, place: Option<&str>) -> Value {
    json!({
        "iso8601": time.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        "date": time.strftime("%Y-%m-%d").to_string(),
        "time": time.strftime("%H:%M").to_string(),
        "weekday": time.strftime("%A").to_string(),
        "day": time.day(),
        "month": time.month(),
        "month_name": time.strftime("%B").to_string(),
        "year": time.year(),
        "week": time.date().iso_week_date().week(),
        "day_of_year": time.day_of_year(),
        "timezone": zone_name(time),
        "utc_offset": time.strftime("%:z").to_string(),
        "place": place,
    })
}

/// The IANA name, or the offset if the zone has none (a fixed offset, a machine without a zone).
fn zone_name(time: &Zoned) -> String {
    match time.time_zone().iana_name() {
        Some(name) if name != "Etc/Unknown" => name.to_owned(),
        _ if time.offset().is_zero() => "UTC".to_owned(),
        _ => time.strftime("UTC%:z").to_string(),
    }
}

#[cfg(test)]
mod tests;
