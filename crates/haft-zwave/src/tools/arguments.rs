//! Parses the arguments of a call. Its errors can be repaired by a model and read aloud to a user.
//!
//! The executor has already coerced and validated the arguments, but a program that calls a tool
//! directly has not.

use std::ops::RangeInclusive;

use haft_core::{Arguments, ToolError, ToolErrorKind, ToolInput};
use serde_json::Value;

/// The maximum length of a name or filter in characters; the names of devices are shorter.
const MAX_TEXT: usize = 200;

/// Reads the arguments of one call. A `null` counts as absent.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputReader<'a> {
    arguments: &'a Arguments,
}

impl<'a> InputReader<'a> {
    pub(super) fn new(input: &'a ToolInput) -> Self {
        Self {
            arguments: &input.input,
        }
    }

    /// The required name of a device.
    pub(super) fn device_name(&self) -> Result<&'a str, ToolError> {
        self.text("deviceName")?
            .ok_or_else(|| invalid("The deviceName is missing. Say which device you mean."))
    }

    /// A text without surrounding space; an empty one counts as absent.
    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, ToolError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        let text = value
            .as_str()
            .ok_or_else(|| invalid(format!("The {key} must be a text.")))?;
        if text.chars().count() > MAX_TEXT {
            return Err(invalid(format!("The {key} is too long.")));
        }
        Ok(Some(text.trim()).filter(|text| !text.is_empty()))
    }

    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, ToolError> {
        let value = self.value(key).map(|value| {
            value
                .as_bool()
                .ok_or_else(|| invalid(format!("The {key} must be true or false.")))
        });
        value.transpose()
    }

    /// An integer within `range`; 50.0 is accepted.
    pub(super) fn whole(
        &self,
        key: &str,
        range: RangeInclusive<u32>,
    ) -> Result<Option<u32>, ToolError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        let (min, max) = range.into_inner();
        let range = f64::from(min)..=f64::from(max);
        let number = value
            .as_f64()
            .filter(|number| number.fract() == 0.0 && range.contains(number));
        match number {
            // The value is in range and whole, so the conversion is exact.
            Some(number) => Ok(Some(number as u32)),
            None => Err(invalid(format!(
                "The {key} must be a whole number from {min} to {max}, not {value}."
            ))),
        }
    }

    fn value(&self, key: &str) -> Option<&'a Value> {
        self.arguments.get(key).filter(|value| !value.is_null())
    }
}

pub(super) fn invalid(message: impl Into<String>) -> ToolError {
    ToolError::of_kind(ToolErrorKind::InvalidArguments, message)
}

#[cfg(test)]
mod tests;
