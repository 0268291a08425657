//! Rewrites JSON Schema into the subset that reaches a model behind Ollama.
//!
//! Of a tool's parameters Ollama keeps `type`, `$defs`, `items`, `required` and `properties`, and
//! of a property `anyOf`, `type`, `items`, `description`, `enum`, `properties` and `required`
//! (`ollama/ollama: api/types.go`); everything else is dropped silently. So references are inlined,
//! `const` becomes `enum`, `oneOf` becomes `anyOf`, `allOf` is merged, and limits and defaults move
//! to the description (`schema/facts.rs`). Other schemas stay unchanged. Arguments are validated
//! against the original schema.

use serde_json::{Map, Value, json};

mod facts;

/// The maximum depth; deeper parts are named, not described.
const MAX_DEPTH: usize = 32;

/// The maximum number of parts of a rewritten schema: about ten thousand tokens, more than a model
/// can use. Nested references would otherwise grow without bound.
const MAX_PARTS: usize = 1000;

/// Rewrites `schema`, the parameters of a tool. Idempotent.
pub(crate) fn for_ollama(schema: &Value) -> Value {
    let mut rewriter = Rewriter {
        root: schema,
        open: vec!["#".to_owned()],
        parts: 0,
    };
    let mut parameters = rewriter.rewrite(schema, 0);
    merge_alternatives(&mut parameters);
    parameters.insert("type".to_owned(), "object".into());
    // Otherwise Ollama would show the model `null`.
    parameters.entry("properties").or_insert_with(|| json!({}));
    Value::Object(parameters)
}

/// Merges alternatives at the top level, where Ollama supports none: the properties of all, and the
/// required properties that all share.
fn merge_alternatives(parameters: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = parameters.remove("anyOf") else {
        return;
    };
    let mut common: Option<Vec<Value>> = None;
    for branch in &branches {
        let required = list(branch.get("required"));
        common = Some(match common {
            None => required,
            Some(common) => common
                .into_iter()
                .filter(|name| required.contains(name))
                .collect(),
        });
        for (name, property) in branch
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let properties = parameters.entry("properties").or_insert_with(|| json!({}));
            if let Value::Object(properties) = properties {
                properties
                    .entry(name.clone())
                    .or_insert_with(|| property.clone());
            }
        }
    }
    let required = union(list(parameters.get("required")), common.unwrap_or_default());
    if !required.is_empty() {
        parameters.insert("required".to_owned(), required.into());
    }
}

struct Rewriter<'a> {
    root: &'a Value,
    /// The references that are being resolved, to detect recursion.
    open: Vec<String>,
    parts: usize,
}

impl Rewriter<'_> {
    fn part(&mut self, schema: &Value, depth: usize) -> Value {
        Value::Object(self.rewrite(schema, depth))
    }

    fn rewrite(&mut self, schema: &Value, depth: usize) -> Map<String, Value> {
        self.parts += 1;
        // Ollama refuses requests with boolean schemas.
        let Value::Object(schema) = schema else {
            return Map::new();
        };
        if depth >= MAX_DEPTH || self.parts > MAX_PARTS {
            return stand_in(schema, None);
        }
        let above = self.open.len();
        let flat = self.flatten(schema, depth);
        let mut output = Map::new();
        let mut alternatives = Vec::new();
        for (key, value) in &flat {
            match key.as_str() {
                "properties" => {
                    let properties = value.as_object().into_iter().flatten();
                    let properties: Map<_, _> = properties
                        .map(|(name, property)| (name.clone(), self.part(property, depth + 1)))
                        .collect();
                    output.insert(key.clone(), properties.into());
                }
                "items" => {
                    let items = match value {
                        Value::Array(items) => items
                            .iter()
                            .map(|item| self.part(item, depth + 1))
                            .collect(),
                        one => self.part(one, depth + 1),
                    };
                    output.insert(key.clone(), items);
                }
                "anyOf" | "oneOf" => {
                    let branches = value.as_array().into_iter().flatten();
                    alternatives.extend(branches.map(|branch| self.part(branch, depth + 1)));
                }
                "const" => {
                    output.insert("enum".to_owned(), json!([value]));
                }
                "nullable" | "$defs" | "definitions" => {}
                key if facts::is_fact(key, value) => {}
                _ => {
                    output.insert(key.clone(), value.clone());
                }
            }
        }
        self.open.truncate(above);
        if flat.get("nullable") == Some(&Value::Bool(true)) {
            allow_null(&mut output);
        }
        let mut notes = facts::facts(&flat);
        if !alternatives.is_empty() {
            notes.extend(put_alternatives(&mut output, alternatives));
        }
        facts::tell(&mut output, &notes);
        output
    }

    /// `schema` with `$ref` and `allOf` merged into it. The resolved references stay in `open`
    /// while the schema's parts are rewritten.
    fn flatten(&mut self, schema: &Map<String, Value>, depth: usize) -> Map<String, Value> {
        let mut flat = Map::new();
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            flat = self.resolve(reference, depth);
        }
        for branch in schema
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            if let Value::Object(branch) = branch
                && depth < MAX_DEPTH
            {
                let branch = self.flatten(branch, depth + 1);
                merge(&mut flat, branch);
            }
        }
        let own = schema
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "$ref" | "allOf"));
        merge(
            &mut flat,
            own.map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        );
        flat
    }

    /// The target of a reference within the schema. Any other reference resolves to an empty
    /// schema.
    fn resolve(&mut self, reference: &str, depth: usize) -> Map<String, Value> {
        let pointer = reference.strip_prefix('#');
        let target = pointer.and_then(|pointer| self.root.pointer(pointer));
        let Some(Value::Object(target)) = target else {
            return Map::new();
        };
        if depth >= MAX_DEPTH || self.open.iter().any(|open| open == reference) {
            return stand_in(target, reference.rsplit('/').next());
        }
        self.open.push(reference.to_owned());
        self.flatten(target, depth + 1)
    }
}

/// A short schema for a part that is not described: its type, and its name if it has one.
fn stand_in(schema: &Map<String, Value>, name: Option<&str>) -> Map<String, Value> {
    let mut short = Map::new();
    if let Some(kind) = schema.get("type") {
        short.insert("type".to_owned(), kind.clone());
    }
    if let Some(name) = name.filter(|name| *name != "#") {
        short.insert("description".to_owned(), format!("Another {name}").into());
    }
    short
}

/// Merges two schemas that both apply; `over` takes precedence in a conflict.
fn merge(base: &mut Map<String, Value>, over: Map<String, Value>) {
    for (key, value) in over {
        let merged = match (key.as_str(), base.get_mut(&key), value) {
            ("properties", Some(Value::Object(known)), Value::Object(more)) => {
                for (name, property) in more {
                    let both = match known.get(&name) {
                        Some(other) if *other != property => json!({"allOf": [other, property]}),
                        _ => property,
                    };
                    known.insert(name, both);
                }
                continue;
            }
            ("required", Some(Value::Array(known)), Value::Array(more)) => {
                Value::Array(union(std::mem::take(known), more))
            }
            ("enum", Some(Value::Array(known)), Value::Array(more)) => {
                let both: Vec<_> = more
                    .iter()
                    .filter(|value| known.contains(value))
                    .cloned()
                    .collect();
                Value::Array(if both.is_empty() { more } else { both })
            }
            (_, _, value) => value,
        };
        base.insert(key, merged);
    }
}

fn union(mut known: Vec<Value>, more: Vec<Value>) -> Vec<Value> {
    for value in more {
        if !known.contains(&value) {
            known.push(value);
        }
    }
    known
}

fn list(value: Option<&Value>) -> Vec<Value> {
    value.and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Converts OpenAPI's `nullable` to a `null` type.
fn allow_null(schema: &mut Map<String, Value>) {
    if let Some(kind) = schema.get_mut("type") {
        let mut kinds = match kind.take() {
            Value::Array(kinds) => kinds,
            one => vec![one],
        };
        if !kinds.contains(&json!("null")) {
            kinds.push("null".into());
        }
        *kind = kinds.into();
    }
}

/// Writes alternatives as `anyOf`, or as one `enum` if each lists values, which models follow more
/// reliably. Returns the alternatives' descriptions.
fn put_alternatives(schema: &mut Map<String, Value>, alternatives: Vec<Value>) -> Option<String> {
    let choice = |branch: &Value| {
        branch.get("enum").is_some_and(Value::is_array)
            && branch.as_object().is_some_and(|branch| {
                let known = ["enum", "type", "description", "title"];
                branch.keys().all(|key| known.contains(&key.as_str()))
            })
    };
    if !alternatives.iter().all(choice) {
        schema.insert("anyOf".to_owned(), alternatives.into());
        return None;
    }
    let values = alternatives.iter().map(|branch| list(branch.get("enum")));
    schema.insert(
        "enum".to_owned(),
        values.reduce(union).unwrap_or_default().into(),
    );
    let kind = alternatives.first().and_then(|branch| branch.get("type"));
    if let Some(kind) = kind
        && alternatives
            .iter()
            .all(|branch| branch.get("type") == Some(kind))
    {
        schema.insert("type".to_owned(), kind.clone());
    }
    let notes: Vec<_> = alternatives.iter().filter_map(facts::choice).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

#[cfg(test)]
mod tests;
