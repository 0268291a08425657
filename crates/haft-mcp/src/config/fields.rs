//! Parses the fields of a server's entry, with error messages that name the file and the field.

use serde_json::{Map, Value};

use crate::config::expand::{Lookup, expand};
use crate::failure::Problem;

/// The entry of one server. Unknown fields are ignored.
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    origin: &'a str,
    lookup: Lookup<'a>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(object: &'a Map<String, Value>, origin: &'a str, lookup: Lookup<'a>) -> Self {
        Self {
            object,
            origin,
            lookup,
        }
    }

    /// An error about `field`; `complaint` continues a sentence that begins with the field's name.
    pub(crate) fn problem(&self, field: &str, complaint: &str) -> Problem {
        Problem::new(format!("\"{field}\" in {} {complaint}", self.origin))
    }

    pub(crate) fn has(&self, field: &str) -> bool {
        self.object.contains_key(field)
    }

    /// A string with its variables replaced.
    pub(crate) fn text(&self, field: &str) -> Result<Option<String>, Problem> {
        match self.object.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => self.expanded(field, text).map(Some),
            Some(_) => Err(self.problem(field, "must be a string")),
        }
    }

    /// A required string that is not empty.
    pub(crate) fn required(&self, field: &str) -> Result<String, Problem> {
        match self.text(field)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            _ => Err(self.problem(field, "is missing or empty")),
        }
    }

    /// A boolean; false if the field is missing.
    pub(crate) fn flag(&self, field: &str) -> Result<bool, Problem> {
        match self.object.get(field) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(on)) => Ok(*on),
            Some(_) => Err(self.problem(field, "must be true or false")),
        }
    }

    /// A list of strings; empty if the field is missing.
    pub(crate) fn texts(&self, field: &str) -> Result<Vec<String>, Problem> {
        let list = match self.object.get(field) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(self.problem(field, "must be a list of strings")),
        };
        list.iter()
            .map(|item| match item {
                Value::String(text) => self.expanded(field, text),
                _ => Err(self.problem(field, "must be a list of strings")),
            })
            .collect()
    }

    /// An object of strings; empty if the field is missing.
    pub(crate) fn pairs(&self, field: &str) -> Result<Vec<(String, String)>, Problem> {
        let object = match self.object.get(field) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Object(object)) => object,
            Some(_) => return Err(self.problem(field, "must be an object of strings")),
        };
        object
            .iter()
            .map(|(name, value)| match value {
                Value::String(text) => Ok((name.clone(), self.expanded(field, text)?)),
                _ => Err(self.problem(field, &format!("must hold a string under {name:?}"))),
            })
            .collect()
    }

    fn expanded(&self, field: &str, text: &str) -> Result<String, Problem> {
        if let Some((_, input)) = text.split_once("${input:") {
            let name = input.split('}').next().unwrap_or_default();
            let complaint = format!("uses ${{input:{name}}}, which only VS Code asks for");
            return Err(self
                .problem(field, &complaint)
                .with_hint("write ${NAME}, and set NAME in the environment"));
        }
        expand(text, self.lookup).map_err(|variable| {
            self.problem(
                field,
                &format!("uses the variable {variable}, which is not set"),
            )
            .with_hint(format!(
                "set {variable} in the environment, or write ${{{variable}:-default}}"
            ))
        })
    }
}
