//! JSON Schema rewritten into the part of it that reaches a model behind Ollama.
//!
//! Ollama keeps of a tool's parameters `type`, `$defs`, `items`, `required` and `properties`,
//! and of a property `anyOf`, `type`, `items`, `description`, `enum`, `properties` and
//! `required` (`ollama/ollama: api/types.go`); all else is dropped without a word. So references
//! are put in place, `const` becomes `enum`, `oneOf` becomes `anyOf`, `allOf` is merged, and
//! limits and defaults are told in the description (`schema/facts.rs`). A schema that has none
//! of these stays as it is. Arguments are validated against the original all the same.

use serde_json::{Map, Value, json};

mod facts;

/// How deep a schema is followed; deeper parts are named, not described.
const MAX_DEPTH: usize = 32;

/// How many parts a rewritten schema may have: some ten thousand tokens, beyond what a model
/// reads with profit. References inside references would otherwise grow without bound.
const MAX_PARTS: usize = 1000;

/// `schema`, the parameters of a tool, in what Ollama keeps. Doing it twice changes nothing more.
pub(crate) fn for_ollama(schema: &Value) -> Value {
    let mut rewriter = Rewriter {
        root: schema,
        open: vec!["#".to_owned()],
        parts: 0,
    };
    let mut parameters = rewriter.rewrite(schema, 0);
    merge_alternatives(&mut parameters);
    parameters.insert("type".to_owned(), "object".into());
    // Ollama would show the model a `null` in its place.
    parameters.entry("properties").or_insert_with(|| json!({}));
    Value::Object(parameters)
}

/// At the top, where Ollama knows no alternatives: the properties of all of them; required is
/// what each of them requires.
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
    /// The references that lead to where we are.
    open: Vec<String>,
    parts: usize,
}

impl Rewriter<'_> {
    fn part(&mut self, schema: &Value, depth: usize) -> Value {
        Value::Object(self.rewrite(schema, depth))
    }

    fn rewrite(&mut self, schema: &Value, depth: usize) -> Map<String, Value> {
        self.parts += 1;
        // `true` and `false` would make Ollama refuse the request.
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
        let mut told = facts::facts(&flat);
        if !alternatives.is_empty() {
            told.extend(put_alternatives(&mut output, alternatives));
        }
        facts::tell(&mut output, &told);
        output
    }

    /// `schema` without `$ref` and `allOf`: what they stand for is merged into it. The
    /// references are left open for the parts of the schema.
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

    /// What a reference inside of the schema stands for. Anything behind another kind of
    /// reference is left to the model's imagination.
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

/// The type of a part that is not described, and its name if it has one.
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

/// Both schemas at once, as far as that can be said; where it cannot, `over` counts.
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

/// OpenAPI's `nullable` in JSON Schema's own words.
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

/// Writes alternatives as `anyOf`, or as one `enum` where each is a choice of values: models
/// read that more surely. Returns what was said about each of them.
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
    let told: Vec<_> = alternatives.iter().filter_map(facts::choice).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

#[cfg(test)]
mod tests;
