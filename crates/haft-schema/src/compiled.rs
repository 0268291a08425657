//! A schema, compiled once for checking many calls.
//!
//! [`CompiledSchema`] is the entry point of the crate: it combines the fast check (`shape`),
//! coercion, the handling of unknown arguments, validation and the explanation of violations.
//! `document` has the validators of the schema and its parts, `known` caches compiled schemas of
//! tools.

pub(crate) mod document;
mod known;

use std::fmt;
use std::sync::{Arc, OnceLock};

use haft_core::Arguments;
use serde_json::Value;

use crate::coerce::{Outcome, coerce};
use crate::compiled::document::Document;
use crate::explain::{explain, explain_call};
use crate::limits::{MAX_VALUE_DEPTH, is_within_depth};
use crate::meant::{as_meant, with_null};
use crate::outline::Outline;
use crate::shape::Shape;
use crate::unknown::settle;
use crate::{
    Coerced, Guessing, PropertyKinds, Repair, SchemaError, SchemaErrorKind, SchemaView, Violations,
};

/// A compiled JSON Schema that coerces and validates the arguments of many calls.
///
/// Drafts 4 to 2020-12 are supported; `format` is an annotation and not validated. References are
/// only followed inside the schema: nothing is ever read from a file or the network.
///
/// ```
/// use haft_schema::CompiledSchema;
/// use serde_json::json;
///
/// let schema = CompiledSchema::new(&json!({
///     "type": "object",
///     "properties": {"level": {"type": "number", "minimum": 0, "maximum": 100}},
///     "required": ["level"],
/// }))?;
/// let wrong = json!({"level": "abc"}).as_object().cloned().unwrap_or_default();
/// let violations = schema.check(wrong).unwrap_err();
/// assert!(violations.to_string().starts_with(
///     "level must be a number from 0 to 100, but \"abc\" arrived"
/// ));
/// # Ok::<(), haft_schema::SchemaError>(())
/// ```
pub struct CompiledSchema {
    document: Document,
    shape: Shape,
    /// Created when it is first needed.
    outline: OnceLock<Outline>,
}

impl CompiledSchema {
    /// Compiles `schema`. `null` and `{}` accept everything and have no properties.
    ///
    /// # Errors
    ///
    /// [`SchemaError`] when it is not JSON Schema, is too deep or too large, or refers to
    /// something outside itself.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        let document = Document::new(schema)?;
        let shape = Shape::of(&document.schema);
        Ok(Self {
            document,
            shape,
            outline: OnceLock::new(),
        })
    }

    /// Compiles the schema of a tool, or returns a cached one for an equal schema.
    ///
    /// The schemas of tools often contain mistakes. Parts that are not JSON Schema are interpreted
    /// (`float`, `dict`) or left out, so that the rest of the schema still applies.
    ///
    /// ```
    /// use haft_schema::CompiledSchema;
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object"});
    /// let (one, other) = (CompiledSchema::shared(&schema)?, CompiledSchema::shared(&schema)?);
    /// assert!(std::sync::Arc::ptr_eq(&one, &other));
    /// # Ok::<(), haft_schema::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`new`](Self::new), if the mistakes cannot be left out.
    pub fn shared(schema: &Value) -> Result<Arc<Self>, SchemaError> {
        known::shared(schema)
    }

    /// Coerces `arguments` to the schema without loss, and reports the changes. It never fails and
    /// never invents values: a value that cannot be converted in exactly one way is unchanged, and
    /// so is a valid one.
    ///
    /// ```
    /// use haft_schema::CompiledSchema;
    /// use serde_json::json;
    ///
    /// let schema = CompiledSchema::new(&json!({
    ///     "properties": {"nodeId": {"type": "integer"}},
    /// }))?;
    /// let written = json!({"node_id": "5"}).as_object().cloned().unwrap_or_default();
    /// let coerced = schema.coerce(written);
    /// assert_eq!(coerced.arguments["nodeId"], 5);
    /// assert_eq!(coerced.repairs[0].to_string(), "node_id was renamed to nodeId");
    /// assert_eq!(coerced.repairs[1].to_string(), "nodeId: text \"5\" became the number 5");
    /// # Ok::<(), haft_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn coerce(&self, arguments: Arguments) -> Coerced {
        self.coerce_with(arguments, Guessing::Forbidden)
    }

    /// Like [`coerce`](Self::coerce), but also corrects misspelt words where guessing is allowed.
    ///
    /// ```
    /// use haft_schema::{CompiledSchema, Guessing};
    /// use serde_json::json;
    ///
    /// let schema = CompiledSchema::new(&json!({
    ///     "properties": {"location": {"type": "string"}},
    /// }))?;
    /// let written = json!({"locaton": "Oslo"}).as_object().cloned().unwrap_or_default();
    /// let coerced = schema.coerce_with(written, Guessing::Allowed);
    /// assert_eq!(coerced.arguments["location"], "Oslo");
    /// # Ok::<(), haft_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn coerce_with(&self, arguments: Arguments, guessing: Guessing) -> Coerced {
        let outcome = self.outcome(arguments, guessing);
        coerced(outcome.value, outcome.repairs)
    }

    /// A fast check: true if `arguments` are certainly valid without any repair. False means
    /// nothing: use [`check`](Self::check).
    ///
    /// ```
    /// use haft_schema::CompiledSchema;
    /// use serde_json::json;
    ///
    /// let schema = CompiledSchema::new(&json!({
    ///     "type": "object", "properties": {"city": {"type": "string"}},
    /// }))?;
    /// let arguments = json!({"city": "Oslo"}).as_object().cloned().unwrap_or_default();
    /// assert!(schema.fits(&arguments));
    /// # Ok::<(), haft_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn fits(&self, arguments: &Arguments) -> bool {
        self.shape.is_complete && self.shape.matches(arguments)
    }

    /// Validates `arguments` without changing them.
    ///
    /// # Errors
    ///
    /// The violations, for the model to read.
    pub fn validate(&self, arguments: &Arguments) -> Result<(), Violations> {
        if self.fits(arguments) {
            return Ok(());
        }
        self.judge(&Value::Object(arguments.clone()), "the arguments")
    }

    /// Coerces and validates the arguments of a call, and handles arguments that no parameter
    /// takes.
    ///
    /// An argument that no parameter takes is never dropped silently, and never passed on to a tool
    /// that would drop it. It is renamed if its meaning is certain, left out and recorded if it is
    /// blank, and an error otherwise. A schema without properties, or one that allows additional
    /// ones, accepts it.
    ///
    /// ```
    /// use haft_schema::CompiledSchema;
    /// use serde_json::json;
    ///
    /// let schema = CompiledSchema::new(&json!({
    ///     "properties": {"timezone": {"type": "string"}},
    /// }))?;
    /// let said = |arguments: serde_json::Value| arguments.as_object().cloned().unwrap_or_default();
    /// let coerced = schema.check(said(json!({"city": "Lima"})))?;
    /// assert_eq!(coerced.arguments["timezone"], "Lima");
    /// assert_eq!(coerced.repairs[0].to_string(), "city was taken as timezone");
    /// let violations = schema.check(said(json!({"colour": "red"}))).unwrap_err();
    /// assert_eq!(
    ///     violations.to_string(),
    ///     "unknown argument \"colour\". Expected: timezone (text, optional)"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The violations that remain after coercion, for the model to read.
    pub fn check(&self, arguments: Arguments) -> Result<Coerced, Violations> {
        self.check_with(arguments, Guessing::Forbidden)
    }

    /// Like [`check`](Self::check), but also corrects misspelt words where guessing is allowed.
    ///
    /// # Errors
    ///
    /// The violations that remain after coercion, for the model to read.
    pub fn check_with(
        &self,
        arguments: Arguments,
        guessing: Guessing,
    ) -> Result<Coerced, Violations> {
        let has_known_names = arguments.is_empty() || self.shape.has_names();
        if has_known_names && self.fits(&arguments) {
            let repairs = Vec::new();
            return Ok(Coerced { arguments, repairs });
        }
        let mut outcome = self.outcome(arguments, guessing);
        let unknown = settle(&self.document, &mut outcome, guessing);
        if outcome.is_valid && unknown.is_empty() {
            Ok(coerced(outcome.value, outcome.repairs))
        } else {
            Err(explain_call(&self.document, &outcome, &unknown))
        }
    }

    /// Validates any JSON value without changing it, such as a structured answer.
    ///
    /// # Errors
    ///
    /// The violations, for the model to read.
    pub fn validate_value(&self, value: &Value) -> Result<(), Violations> {
        self.judge(value, "the value")
    }

    /// A view of the whole schema, with which the types of its parts can be queried.
    #[must_use]
    pub fn view(&self) -> SchemaView<'_> {
        let draw = || Outline::new(&self.document.schema);
        self.outline.get_or_init(draw).view()
    }

    /// The names of the parameters, in the order of the schema.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.view().properties()
    }

    /// The types that the parameter `name` accepts; case and separators in the name are ignored.
    ///
    /// ```
    /// use haft_schema::CompiledSchema;
    /// use serde_json::json;
    ///
    /// let schema = CompiledSchema::new(&json!({"properties": {
    ///     "city": {"type": "string"},
    ///     "days": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    /// }}))?;
    /// assert!(!schema.property_kinds("city").takes_other_than_text());
    /// assert!(!schema.property_kinds("days").takes_text());
    /// assert!(!schema.property_kinds("street").is_known());
    /// # Ok::<(), haft_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn property_kinds(&self, name: &str) -> PropertyKinds {
        self.view().property_kinds(name)
    }

    /// Compiles the schema of a tool, interpreting its mistakes.
    fn for_tool(schema: &Value) -> Result<Self, SchemaError> {
        let marked = with_null(schema);
        let schema = marked.as_ref().unwrap_or(schema);
        Self::new(schema).or_else(|error| match error.kind() {
            SchemaErrorKind::Invalid => {
                as_meant(schema).map_or(Err(error), |meant| Self::new(&meant))
            }
            _ => Err(error),
        })
    }

    fn outcome(&self, arguments: Arguments, guessing: Guessing) -> Outcome {
        let is_right = self.shape.matches(&arguments);
        let value = Value::Object(arguments);
        // If no repair could apply, being valid is sufficient.
        if is_right && (self.shape.is_complete || self.document.root.is_valid(&value)) {
            return Outcome {
                value,
                repairs: Vec::new(),
                is_valid: true,
            };
        }
        coerce(&self.document, value, guessing)
    }

    /// The schema itself, as it is meant.
    pub(crate) fn schema(&self) -> &Value {
        &self.document.schema
    }

    fn judge(&self, value: &Value, subject: &'static str) -> Result<(), Violations> {
        if is_within_depth(value, MAX_VALUE_DEPTH) && self.document.root.is_valid(value) {
            Ok(())
        } else {
            Err(explain(&self.document, value, subject))
        }
    }
}

fn coerced(value: Value, repairs: Vec<Repair>) -> Coerced {
    let arguments = match value {
        Value::Object(arguments) => arguments,
        _ => Arguments::new(),
    };
    Coerced { arguments, repairs }
}

impl fmt::Debug for CompiledSchema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("CompiledSchema")
            .field(&self.document.schema)
            .finish()
    }
}

#[cfg(test)]
mod tests;
