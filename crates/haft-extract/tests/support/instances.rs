//! Random schemas of tool parameters, and arguments that nearly fit them.

use fastrand::Rng;
use haft_core::Arguments;
use serde_json::{Map, Value, json};

use super::campaign::Input;

/// How deep a schema goes.
const DEPTH: u8 = 3;

const KEYS: &[&str] = &[
    "city",
    "maxResults",
    "max_results",
    "is_on",
    "Name",
    "x",
    "temperature",
    "items",
    "input",
    "id",
];

const WORDS: &[&str] = &[
    "celsius",
    "fahrenheit",
    "on",
    "OFF",
    "living room",
    "living_room",
    "a",
    "",
    "5",
    "true",
    "東京",
];

/// A schema, and arguments for it.
#[derive(Clone, Debug)]
pub struct Instance {
    /// JSON Schema.
    pub schema: Value,
    /// Arguments that may need mending.
    pub arguments: Arguments,
}

/// A random schema with arguments that fit it, more or less.
pub fn random(random: &mut Rng) -> Instance {
    let mut schema = object_schema(DEPTH, random);
    let shared = schema_of(DEPTH - 1, random);
    schema["$defs"] = json!({"Shared": shared});
    let mut value = fitting(&schema, &schema, 5, random);
    for _ in 0..random.usize(0..5) {
        damage(&mut value, random);
    }
    let arguments = value.as_object().cloned().unwrap_or_default();
    Instance { schema, arguments }
}

impl Input for Instance {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let arguments = reduced(&Value::Object(self.arguments.clone()));
        let fewer = arguments.into_iter().filter_map(|value| {
            let arguments = value.as_object()?.clone();
            let schema = self.schema.clone();
            Some(Self { schema, arguments })
        });
        let simpler = reduced(&self.schema).into_iter().map(|schema| Self {
            schema,
            arguments: self.arguments.clone(),
        });
        Box::new(fewer.chain(simpler))
    }

    fn shown(&self) -> String {
        format!("{} against {}", json!(self.arguments), self.schema)
    }
}

/// The value with one thing left out or put in place of what holds it.
fn reduced(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Object(members) => {
            for (key, child) in members {
                let mut fewer = members.clone();
                fewer.shift_remove(key);
                found.push(Value::Object(fewer));
                for smaller in reduced(child) {
                    let mut other = members.clone();
                    other.insert(key.clone(), smaller);
                    found.push(Value::Object(other));
                }
            }
        }
        Value::Array(items) => {
            for (at, child) in items.iter().enumerate() {
                let mut fewer = items.clone();
                fewer.remove(at);
                found.push(Value::Array(fewer));
                found.push(child.clone());
                for smaller in reduced(child) {
                    let mut other = items.clone();
                    other[at] = smaller;
                    found.push(Value::Array(other));
                }
            }
        }
        Value::String(text) if text.chars().count() > 1 => {
            found.push(Value::String(text.chars().take(1).collect()));
        }
        _ => {}
    }
    found
}

fn word(random: &mut Rng) -> &'static str {
    WORDS[random.usize(..WORDS.len())]
}

fn key(random: &mut Rng) -> &'static str {
    KEYS[random.usize(..KEYS.len())]
}

fn schema_of(depth: u8, random: &mut Rng) -> Value {
    let simple = depth == 0 || random.bool();
    match random.u8(0..if simple { 9 } else { 16 }) {
        0 | 1 => string_schema(random),
        2 => json!({"type": "integer", "minimum": random.i32(-3..4)}),
        3 => json!({"type": "number", "maximum": random.i32(0..200)}),
        4 => json!({"type": "boolean"}),
        5 => json!({"type": "integer"}),
        6 => json!({"enum": [word(random), word(random), random.i32(0..9), null_or(random)]}),
        7 => json!({"type": [kind(random), kind(random)]}),
        8 => json!({"const": word(random)}),
        9 | 10 => object_schema(depth - 1, random),
        11 => {
            json!({"type": "array", "items": schema_of(depth - 1, random), "minItems": random.u8(0..3)})
        }
        12 => json!({"$ref": "#/$defs/Shared"}),
        13 => json!({"anyOf": [schema_of(depth - 1, random), schema_of(depth - 1, random)]}),
        14 => json!({"oneOf": [schema_of(depth - 1, random), {"type": "null"}]}),
        _ => {
            json!({"allOf": [schema_of(depth - 1, random), {"description": "more"}], "default": null_or(random)})
        }
    }
}

fn string_schema(random: &mut Rng) -> Value {
    match random.u8(0..6) {
        0 => json!({"type": "string", "enum": [word(random), word(random)]}),
        1 => json!({"type": "string", "minLength": 1, "maxLength": random.u8(1..9)}),
        2 => json!({"type": "string", "pattern": "^[a-z ]+$"}),
        3 => json!({"type": "string", "format": "date"}),
        _ => json!({"type": "string"}),
    }
}

fn object_schema(depth: u8, random: &mut Rng) -> Value {
    let mut properties = Map::new();
    for _ in 0..random.usize(0..4) {
        properties.insert(key(random).to_owned(), schema_of(depth, random));
    }
    let required: Vec<&String> = properties.keys().filter(|_| random.bool()).collect();
    let mut schema = json!({"type": "object", "required": required, "properties": properties});
    match random.u8(0..4) {
        0 => schema["additionalProperties"] = json!(false),
        1 => schema["additionalProperties"] = schema_of(0, random),
        _ => {}
    }
    schema
}

fn kind(random: &mut Rng) -> &'static str {
    const KINDS: &[&str] = &[
        "string", "integer", "number", "boolean", "null", "array", "object",
    ];
    KINDS[random.usize(..KINDS.len())]
}

fn null_or(random: &mut Rng) -> Value {
    if random.bool() {
        Value::Null
    } else {
        json!(word(random))
    }
}

/// A value that fits the schema as far as its kind goes.
fn fitting(schema: &Value, root: &Value, depth: u8, random: &mut Rng) -> Value {
    if depth == 0 {
        return Value::Null;
    }
    let mut fit = |schema: &Value| fitting(schema, root, depth - 1, random);
    if schema.get("$ref").is_some() {
        return fit(&root["$defs"]["Shared"]);
    }
    for word in ["anyOf", "oneOf", "allOf"] {
        if let Some(first) = schema[word].get(0) {
            return fit(first);
        }
    }
    if let Some(properties) = schema["properties"].as_object() {
        let members = properties
            .iter()
            .map(|(key, schema)| (key.clone(), fit(schema)));
        return Value::Object(members.collect());
    }
    if let Some(items) = schema.get("items") {
        return json!([fit(items), fit(items)]);
    }
    if let Some(value) = schema.get("const").or_else(|| schema["enum"].get(0)) {
        return value.clone();
    }
    let kind = schema["type"]
        .as_str()
        .or_else(|| schema["type"][0].as_str());
    match kind {
        Some("integer") => json!(random.i64(-5..100)),
        Some("number") => json!(f64::from(random.i32(-50..900)) / 4.0),
        Some("boolean") => json!(random.bool()),
        Some("array") => json!([word(random)]),
        Some("object") => json!({key(random): word(random)}),
        Some("null") => Value::Null,
        _ => json!(word(random)),
    }
}

/// Writes one thing in it as a model might.
fn damage(value: &mut Value, random: &mut Rng) {
    let goes_in = random.u8(0..4) > 0;
    match value {
        Value::Object(members) if goes_in && !members.is_empty() => {
            let at = random.usize(..members.len());
            let child = members.values_mut().nth(at).expect("a member");
            return damage(child, random);
        }
        Value::Array(items) if goes_in && !items.is_empty() => {
            let at = random.usize(..items.len());
            return damage(&mut items[at], random);
        }
        _ => {}
    }
    let given = value.take();
    *value = match random.u8(0..12) {
        0 => json!(given.to_string()),
        1 => json!([given]),
        2 => json!({key(random): given}),
        3 => Value::Null,
        4 => json!(word(random)),
        5 => json!(
            given
                .as_str()
                .map_or_else(|| given.to_string(), str::to_uppercase)
        ),
        6 => json!(given.as_f64().unwrap_or(2.0) + 0.0),
        7 => json!(format!("{} ", given.as_str().unwrap_or("1,000"))),
        8 => spelled(given, random),
        9 => json!({"type": "object", "properties": given}),
        10 => json!(
            *random
                .choice(&[
                    "yes",
                    "None",
                    "1e3",
                    "0x10",
                    "5 items",
                    "12.50",
                    "[1, 2]",
                    "{\"a\": 1}"
                ])
                .expect("a word")
        ),
        _ => json!(u64::MAX),
    };
}

/// An object with a key spelled in another way, or one more.
fn spelled(given: Value, random: &mut Rng) -> Value {
    let Value::Object(members) = given else {
        return given;
    };
    let spell = |key: String| match random.u8(0..4) {
        0 => key.to_uppercase(),
        1 => key.replace('_', "-"),
        2 => format!("{key} "),
        _ => key,
    };
    let spelled: Vec<String> = members.keys().cloned().map(spell).collect();
    let values = members.into_iter().map(|(_, value)| value);
    Value::Object(spelled.into_iter().zip(values).collect())
}
