//! The compiled schema: the validator of the root, and validators of parts when they are needed.

use std::collections::HashMap;
use std::fmt::Write as _;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{
    Draft, PatternOptions, Registry, Retrieve, Uri, ValidationError, ValidationOptions, Validator,
};
use serde_json::Value;

use crate::limits::check_schema_limits;
use crate::view::Place;
use crate::{SchemaError, SchemaErrorKind};

/// The URI of the schema in the registry; never fetched.
const ADDRESS: &str = "urn:haft:schema";

/// The maximum number of backtracking steps of a pattern on one string, far above the needs of
/// usual patterns.
const BACKTRACK_LIMIT: usize = 100_000;

/// The maximum size of a compiled pattern in bytes.
const PATTERN_SIZE_LIMIT: usize = 1024 * 1024;

/// The maximum number of parts that are compiled during one call. Further parts count as unknown.
const MAX_PARTS: usize = 128;

/// A valid schema.
pub(crate) struct Document {
    pub(crate) schema: Value,
    pub(crate) root: Validator,
    draft: Draft,
    registry: Registry<'static>,
}

impl Document {
    pub(crate) fn new(schema: &Value) -> Result<Self, SchemaError> {
        check_schema_limits(schema)?;
        let schema = match schema {
            Value::Null => Value::Bool(true),
            other => other.clone(),
        };
        let draft = draft_of(&schema);
        let root = options(draft)
            .build(&schema)
            .map_err(|error| refused(&error))?;
        let registry = Registry::new()
            .retriever(Nowhere)
            .add(ADDRESS, draft.create_resource(schema.clone()))
            .and_then(jsonschema::RegistryBuilder::prepare)
            .map_err(|error| {
                SchemaError::new(SchemaErrorKind::Reference, "The schema has a bad reference")
                    .with_detail(error.to_string())
            })?;
        Ok(Self {
            schema,
            root,
            draft,
            registry,
        })
    }

    pub(crate) fn root_place(&self) -> Place<'_> {
        Place::root(&self.schema)
    }

    fn part(&self, pointer: &str) -> Option<Validator> {
        let reference = serde_json::json!({"$ref": format!("{ADDRESS}#{}", fragment(pointer))});
        options(self.draft)
            .with_registry(&self.registry)
            .build(&reference)
            .ok()
    }
}

/// Validators for parts of a schema, compiled when first needed and dropped after the call: a part
/// may be as large as the whole, so keeping all of them would let a small schema fill the memory.
pub(crate) struct Parts<'s> {
    document: &'s Document,
    prepared: HashMap<String, Option<Validator>>,
}

impl<'s> Parts<'s> {
    pub(crate) fn new(document: &'s Document) -> Self {
        Self {
            document,
            prepared: HashMap::new(),
        }
    }

    /// Whether the part at `place` accepts `value`; `None` if that is unknown.
    pub(crate) fn accepts(&mut self, place: &Place<'_>, value: &Value) -> Option<bool> {
        if place.pointer.is_empty() {
            return Some(self.document.root.is_valid(value));
        }
        if !self.prepared.contains_key(&place.pointer) {
            if self.prepared.len() >= MAX_PARTS {
                return None;
            }
            let validator = self.document.part(&place.pointer);
            self.prepared.insert(place.pointer.clone(), validator);
        }
        let validator = self.prepared.get(&place.pointer)?.as_ref()?;
        Some(validator.is_valid(value))
    }

    /// Whether every place accepts `value`; a place with an unknown result counts as `unknown`.
    pub(crate) fn all_accept(
        &mut self,
        places: &[Place<'_>],
        value: &Value,
        unknown: bool,
    ) -> bool {
        places
            .iter()
            .all(|place| self.accepts(place, value).unwrap_or(unknown))
    }
}

/// The part of `schema` that cannot be used although the meta-schema allows it.
pub(crate) fn refused_at(schema: &Value) -> Option<String> {
    let draft = draft_of(schema);
    let error = options(draft).build(schema).err()?;
    let is_reference = matches!(error.kind(), ValidationErrorKind::Referencing(_));
    (!is_reference).then(|| error.instance_path().to_string())
}

fn draft_of(schema: &Value) -> Draft {
    match Draft::default().detect(schema) {
        // An unknown dialect is treated as the current one instead of being refused.
        Draft::Unknown => Draft::Draft202012,
        known => known,
    }
}

fn options<'i>(draft: Draft) -> ValidationOptions<'i> {
    jsonschema::options()
        .with_draft(draft)
        .offline()
        // A format is an annotation; the tool itself decides what it can parse.
        .should_validate_formats(false)
        .with_pattern_options(
            PatternOptions::fancy_regex()
                .backtrack_limit(BACKTRACK_LIMIT)
                .size_limit(PATTERN_SIZE_LIMIT),
        )
}

fn refused(error: &ValidationError<'static>) -> SchemaError {
    let place = error.instance_path().to_string();
    let kind = match error.kind() {
        ValidationErrorKind::Referencing(_) => SchemaErrorKind::Reference,
        _ => SchemaErrorKind::Invalid,
    };
    let message = match kind {
        SchemaErrorKind::Reference => {
            "The schema refers to something that it does not hold".to_owned()
        }
        _ if place.is_empty() => "The schema is not valid JSON Schema".to_owned(),
        _ => format!("The schema is not valid JSON Schema at {place}"),
    };
    SchemaError::new(kind, message).with_detail(error.to_string())
}

/// A retriever that never fetches anything.
struct Nowhere;

impl Retrieve for Nowhere {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("{uri} is not part of the schema").into())
    }
}

/// A JSON pointer as a URI fragment (RFC 6901, section 6).
fn fragment(pointer: &str) -> String {
    let mut fragment = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            fragment.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(fragment, "%{byte:02X}");
        }
    }
    fragment
}
