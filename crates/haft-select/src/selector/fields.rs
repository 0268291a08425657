//! Extracts the texts of a tool, by field.

use serde_json::Value;

use crate::words::{MAX_TEXT, words};

/// The maximum depth of nested parameters.
const MAX_DEPTH: usize = 6;

/// A tool's definition for the selector.
///
/// ```
/// use haft_select::ToolText;
/// use serde_json::json;
///
/// let parameters = json!({"properties": {"city": {"type": "string"}}});
/// let tool = ToolText::new("get_weather", "The weather in a city", &parameters)
///     .with_examples(&["will it rain?"]);
/// assert_eq!(tool.name, "get_weather");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ToolText<'a> {
    /// The name.
    pub name: &'a str,
    /// The description.
    pub description: &'a str,
    /// The JSON Schema of its arguments; any other value counts as no arguments.
    pub parameters: &'a Value,
    /// Example questions that the tool answers.
    pub examples: &'a [&'a str],
}

impl<'a> ToolText<'a> {
    /// A tool without examples.
    #[must_use]
    pub fn new(name: &'a str, description: &'a str, parameters: &'a Value) -> Self {
        Self {
            name,
            description,
            parameters,
            examples: &[],
        }
    }

    /// Adds example questions that the tool answers.
    #[must_use]
    pub fn with_examples(mut self, examples: &'a [&'a str]) -> Self {
        self.examples = examples;
        self
    }
}

impl<'a> From<&'a dyn haft_core::Tool> for ToolText<'a> {
    fn from(tool: &'a dyn haft_core::Tool) -> Self {
        Self::new(
            tool.lc_name().unwrap_or(tool.name()),
            tool.description(),
            tool.schema(),
        )
    }
}

/// A field of a tool's definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Name,
    Description,
    ParameterName,
    ParameterText,
    Example,
}

impl Field {
    pub(crate) const ALL: [Self; 5] = [
        Self::Name,
        Self::Description,
        Self::ParameterName,
        Self::ParameterText,
        Self::Example,
    ];
}

/// The words of each field, in the order of [`Field::ALL`].
#[derive(Debug, Default)]
pub(crate) struct Fields([Vec<String>; 5]);

impl Fields {
    pub(crate) fn of(tool: &ToolText<'_>) -> Self {
        let mut fields = Self::default();
        let mut room = MAX_TEXT;
        fields.add(Field::Name, tool.name, &mut room);
        fields.add(Field::Description, tool.description, &mut { MAX_TEXT });
        fields.parameters(tool.parameters, MAX_DEPTH, &mut { MAX_TEXT });
        let mut room = MAX_TEXT;
        for example in tool.examples {
            fields.add(Field::Example, example, &mut room);
        }
        fields
    }

    /// The words of a field, not stemmed.
    pub(crate) fn words(&self, field: Field) -> &[String] {
        self.0.get(field as usize).map_or(&[], Vec::as_slice)
    }

    /// Adds the words of a text, up to the remaining `room` in bytes.
    fn add(&mut self, field: Field, text: &str, room: &mut usize) {
        let text = text
            .get(..text.floor_char_boundary(*room))
            .unwrap_or_default();
        *room -= text.len();
        if let Some(list) = self.0.get_mut(field as usize) {
            words(text, |word| list.push(word.to_owned()));
        }
    }

    fn parameters(&mut self, schema: &Value, depth: usize, room: &mut usize) {
        if depth == 0 || *room == 0 {
            return;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, parameter) in properties.into_iter().flatten() {
            self.add(Field::ParameterName, name, room);
            self.parameter(parameter, depth, room);
        }
        if let Some(items) = schema.get("items") {
            self.parameter(items, depth, room);
        }
    }

    fn parameter(&mut self, parameter: &Value, depth: usize, room: &mut usize) {
        if let Some(text) = parameter.get("description").and_then(Value::as_str) {
            self.add(Field::ParameterText, text, room);
        }
        let choices = parameter.get("enum").and_then(Value::as_array);
        for choice in choices.into_iter().flatten().filter_map(Value::as_str) {
            self.add(Field::ParameterText, choice, room);
        }
        self.parameters(parameter, depth - 1, room);
    }
}

#[cfg(test)]
mod tests;
