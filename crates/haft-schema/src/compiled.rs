//! A schema prepared once for checking many calls.

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

/// A JSON Schema, prepared once, that coerces and checks the arguments of many calls.
///
/// Drafts 4 to 2020-12 are understood; `format` is taken as a note and not checked. References
/// inside the schema are followed, no other: nothing is ever read from a file or the network.
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
    /// Drawn when a reader first asks for it.
    outline: OnceLock<Outline>,
}

impl CompiledSchema {
    /// Prepares `schema`. `null` and `{}` accept everything and know no property.
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

    /// Prepares the schema of a tool, or takes what was prepared lately for one that is the same.
    ///
    /// Tools come from everywhere: what is not JSON Schema in theirs is read as it was meant
    /// (`float`, `dict`), or left out, so that the rest of the schema still counts.
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
    /// Like [`new`](Self::new), where nothing can be left out.
    pub fn shared(schema: &Value) -> Result<Arc<Self>, SchemaError> {
        known::shared(schema)
    }

    /// Brings `arguments` into the shape of the schema where that loses nothing, and says what
    /// it did. It never fails and never invents: what cannot be read in exactly one way stays as
    /// it is, and so does what is valid already.
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

    /// Like [`coerce`](Self::coerce); where guessing is allowed, misspelt words are corrected
    /// too.
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

    /// True when `arguments` are right as they are and that takes no close look; false says
    /// nothing: [`check`](Self::check) them.
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

    /// Checks `arguments` as they are.
    ///
    /// # Errors
    ///
    /// What is wrong with them, for the model to read.
    pub fn validate(&self, arguments: &Arguments) -> Result<(), Violations> {
        if self.fits(arguments) {
            return Ok(());
        }
        self.judge(&Value::Object(arguments.clone()), "the arguments")
    }

    /// Judges the arguments of a call: coerces, settles the arguments that no parameter takes,
    /// and validates.
    ///
    /// An argument that no parameter takes is never dropped in silence, and never passed on to a
    /// tool that would drop it. It gets the name of a parameter where one meaning is certain, is
    /// left out and recorded where nothing stands in it, and is an error otherwise. A schema that
    /// lists no properties, or says that it takes others, takes them.
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
    /// What is still wrong after coercion, for the model to read.
    pub fn check(&self, arguments: Arguments) -> Result<Coerced, Violations> {
        self.check_with(arguments, Guessing::Forbidden)
    }

    /// Like [`check`](Self::check); where guessing is allowed, misspelt words are corrected too.
    ///
    /// # Errors
    ///
    /// What is still wrong after coercion, for the model to read.
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

    /// Checks any JSON value as it is, such as a structured answer.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for the model to read.
    pub fn validate_value(&self, value: &Value) -> Result<(), Violations> {
        self.judge(value, "the value")
    }

    /// The schema as a whole, to be asked what its parts take.
    #[must_use]
    pub fn view(&self) -> SchemaView<'_> {
        let draw = || Outline::new(&self.document.schema);
        self.outline.get_or_init(draw).view()
    }

    /// The names of the parameters, in the order of the schema.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.view().properties()
    }

    /// What sorts of values the parameter `name` takes; case and separators do not count.
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

    /// Prepares the schema of a tool, as it was meant.
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

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    fn outcome(&self, arguments: Arguments, guessing: Guessing) -> Outcome {
        let is_right = self.shape.matches(&arguments);
        let value = Value::Object(arguments);
        // Where the shape knows of no repair, being valid is all there is to ask.
        if is_right && (self.shape.is_complete || self.document.root.is_valid(&value)) {
            return Outcome {
                value,
                repairs: Vec::new(),
                is_valid: true,
            };
        }
        coerce(&self.document, value, guessing)
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
