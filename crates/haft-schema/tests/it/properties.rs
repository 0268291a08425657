//! Properties that hold for every schema and every document.

use haft_core::Arguments;
use haft_schema::{CompiledSchema, Guessing, RepairKind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const NAMES: [&str; 9] = [
    "a", "A", "a_b", "aB", "input", "level", "arg0", "location", "locaton",
];

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned)
}

fn leaf_schema() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(vec![
            "string", "integer", "number", "boolean", "null", "object", "array"
        ])
        .prop_map(|name| json!({"type": name})),
        prop::sample::subsequence(vec!["string", "integer", "boolean", "null"], 1..3)
            .prop_map(|names| json!({"type": names})),
        Just(json!({"type": "integer", "minimum": 0, "maximum": 10})),
        Just(json!({"enum": ["on", "Off", "OFF", 1, 2.5, null]})),
        Just(json!({"const": "yes"})),
        Just(json!({"enum": ["heating", "cooling"]})),
        Just(json!({"type": "string", "minLength": 1, "maxLength": 3, "title": "Text"})),
        Just(json!({"type": "string", "pattern": "^[a-z]"})),
        Just(json!({"type": "number", "exclusiveMinimum": 1, "maximum": 7.5, "multipleOf": 0.5})),
        Just(json!({"type": "array", "items": {"type": "integer"}, "maxItems": 2})),
        Just(json!({"oneOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "null"}]})),
        Just(json!({"oneOf": [{"const": "on"}, {"const": "off"}]})),
        Just(json!({"$ref": "#/$defs/number"})),
        Just(json!({"$ref": "#/$defs/tree"})),
        Just(json!({})),
        Just(json!(false)),
    ]
}

fn object_schema(inner: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    let properties = prop::collection::hash_map(name(), inner.clone(), 0..4);
    let required = prop::collection::vec(any::<bool>(), 4);
    let demanded = prop::option::weighted(0.1, name());
    let additional = prop::option::of(prop_oneof![Just(json!(false)), Just(json!(true)), inner]);
    (properties, required, demanded, additional).prop_map(
        |(properties, required, demanded, additional)| {
            let properties: Map<String, Value> = properties.into_iter().collect();
            let named = properties.keys().cloned().zip(required);
            let named = named
                .filter(|(_, is_required)| *is_required)
                .map(|(name, _)| name);
            let required: std::collections::BTreeSet<String> = named.chain(demanded).collect();
            let mut schema = json!({"type": "object", "properties": properties});
            if let Some(additional) = additional {
                schema["additionalProperties"] = additional;
            }
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            schema
        },
    )
}

fn schema() -> impl Strategy<Value = Value> {
    let any = leaf_schema().prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            object_schema(inner.clone()),
            inner
                .clone()
                .prop_map(|items| json!({"type": "array", "items": items})),
            prop::collection::vec(inner.clone(), 1..4)
                .prop_map(|branches| json!({"anyOf": branches})),
            prop::collection::vec(inner.clone(), 1..3)
                .prop_map(|branches| json!({"oneOf": branches})),
            prop::collection::vec(inner, 1..3).prop_map(|parts| json!({"allOf": parts})),
        ]
    });
    object_schema(any.boxed()).prop_map(|mut schema| {
        schema["$defs"] = json!({
            "number": {"type": "number"},
            "tree": {"type": "object", "properties": {
                "a": {"$ref": "#/$defs/tree"}, "level": {"type": "integer"}}},
        });
        schema
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "40",
            " 5 ",
            "3.0",
            "1e3",
            "true",
            "FALSE",
            "ON",
            "off",
            "Yes",
            "",
            "abc",
            "[1,2]",
            "[\"1\"]",
            "{\"a\":\"1\"}",
            "{\"A_B\": 1}",
            "[",
            "null",
            "1,000",
            "+.5",
            "123456789012345678901234567890",
            "heatin",
        ])
        .prop_map(|text| json!(text)),
        prop::sample::select(vec![
            json!(null),
            json!(true),
            json!(3.0),
            json!(2.5),
            json!(7),
            json!(1),
            json!(0),
            json!(1e20),
            "123456789012345678901234567890".parse().unwrap(),
            json!({"value": "5"}),
            json!({"type": "string", "default": "on"}),
        ]),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::hash_map(name(), inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A document that `schema` mostly accepts; `choices` makes the random decisions.
fn instance(schema: &Value, root: &Value, choices: &mut dyn Iterator<Item = usize>) -> Value {
    let choice = choices.next().unwrap_or(0);
    if choice % 8 == 7 {
        let odd = [
            json!("40"),
            json!(3.0),
            json!(null),
            json!("x"),
            json!({"level": 1}),
        ];
        return odd[choices.next().unwrap_or(0) % odd.len()].clone();
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap();
        return match choice % 4 {
            3 => json!({}),
            _ => instance(target, root, choices),
        };
    }
    for keyword in ["enum", "anyOf", "oneOf", "allOf"] {
        if let Some(list) = schema[keyword].as_array() {
            let chosen = &list[choice % list.len()];
            return match keyword {
                "enum" => chosen.clone(),
                _ => instance(chosen, root, choices),
            };
        }
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    let name = match &schema["type"] {
        Value::Array(names) => names[choice % names.len()].clone(),
        name => name.clone(),
    };
    match name.as_str().unwrap_or("any") {
        "integer" => json!(choice % 12),
        "number" => json!(f64::from(u8::try_from(choice % 16).unwrap()) / 2.0),
        "boolean" => json!(choice.is_multiple_of(2)),
        "string" => json!("a".repeat(choice % 5)),
        "array" => (0..choice % 3)
            .map(|_| instance(&schema["items"], root, choices))
            .collect(),
        "object" => {
            let mut map = Map::new();
            for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
                if !choices.next().unwrap_or(0).is_multiple_of(4) {
                    map.insert(name.clone(), instance(schema, root, choices));
                }
            }
            if choice % 8 == 7 {
                map.insert("level".to_owned(), json!(1));
            }
            Value::Object(map)
        }
        _ => Value::Null,
    }
}

fn arguments() -> impl Strategy<Value = Arguments> {
    prop::collection::hash_map(name(), value(), 0..4).prop_map(|map| map.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn coercing_twice_is_coercing_once(schema in schema(), arguments in arguments()) {
        let schema = CompiledSchema::new(&schema).unwrap();
        let once = schema.coerce(arguments);
        let twice = schema.coerce(once.arguments.clone());
        prop_assert_eq!(&twice.repairs, &[]);
        prop_assert_eq!(twice.arguments, once.arguments);
    }

    #[test]
    fn valid_documents_keep_their_values(schema in schema(), arguments in arguments()) {
        let compiled = CompiledSchema::new(&schema).unwrap();
        if compiled.validate(&arguments).is_err() {
            return Ok(());
        }
        let coerced = compiled.coerce(arguments.clone());
        prop_assert!(compiled.validate(&coerced.arguments).is_ok());
        let is_renamed = |kind| matches!(kind,
            RepairKind::KeyRenamed | RepairKind::Unwrapped | RepairKind::PositionNamed);
        if !coerced.repairs.iter().any(|change| is_renamed(change.kind)) {
            let rewritten = |change: &haft_schema::Repair| change.kind == RepairKind::FloatToInteger;
            prop_assert!(coerced.repairs.iter().all(rewritten));
            if coerced.repairs.is_empty() {
                prop_assert_eq!(coerced.arguments, arguments);
            }
        }
    }

    #[test]
    fn guessing_is_idempotent_and_costs_more(schema in schema(), arguments in arguments()) {
        let schema = CompiledSchema::new(&schema).unwrap();
        let once = schema.coerce_with(arguments.clone(), Guessing::Allowed);
        let twice = schema.coerce_with(once.arguments.clone(), Guessing::Allowed);
        prop_assert_eq!(&twice.repairs, &[]);
        prop_assert!(once.repairs.iter().all(|repair| repair.kind.cost() > 0 && !repair.to_string().is_empty()));
        let careful = schema.coerce(arguments);
        prop_assert!(careful.repairs.iter().all(|repair| repair.kind != RepairKind::Misspelling));
    }

    #[test]
    fn every_change_is_recorded_and_justified(schema in schema(), arguments in arguments()) {
        let schema = CompiledSchema::new(&schema).unwrap();
        let coerced = schema.coerce(arguments.clone());
        prop_assert_eq!(coerced.repairs.is_empty(), coerced.arguments == arguments);
        prop_assert_eq!(coerced.cost() == 0, coerced.repairs.is_empty());
    }

    #[test]
    fn every_refusal_is_explained_within_the_limits(schema in schema(), value in value()) {
        let schema = CompiledSchema::new(&schema).unwrap();
        if let Err(violations) = schema.validate_value(&value) {
            let text = violations.to_string();
            prop_assert!(violations.iter().count() > 0);
            prop_assert!(!text.is_empty() && text.chars().count() <= 1_000);
        }
    }

    #[test]
    fn typical_model_mistakes_are_repaired(
        level: i64, on: bool, name in "[a-z]{1,8}", rooms in prop::collection::vec(any::<i32>(), 1..4),
        blur: [bool; 6],
    ) {
        let schema = CompiledSchema::new(&json!({"type": "object", "properties": {
            "level": {"type": "integer"}, "isOn": {"type": "boolean"},
            "deviceName": {"type": "string"},
            "rooms": {"type": "array", "items": {"type": "integer"}},
            "extra": {"type": "integer"},
        }, "required": ["level", "isOn", "deviceName", "rooms"], "additionalProperties": false})).unwrap();
        let meant = json!({"level": level, "isOn": on, "deviceName": name, "rooms": rooms});
        let mut written = Map::new();
        written.insert("level".into(), if blur[0] { json!(level.to_string()) } else { json!(level) });
        let key = if blur[1] { "is_on" } else { "isOn" };
        written.insert(key.into(), if blur[2] { json!(on.to_string()) } else { json!(on) });
        written.insert(if blur[3] { "device_name" } else { "deviceName" }.into(), json!(name));
        let text = serde_json::to_string(&rooms).unwrap();
        written.insert("rooms".into(), if blur[4] { json!(text) } else { json!(rooms) });
        if blur[5] {
            written = Map::from_iter([("input".to_owned(), Value::Object(written))]);
        }
        let count = blur.iter().filter(|blurred| **blurred).count();
        let coerced = schema.check(written).unwrap();
        prop_assert_eq!(Value::Object(coerced.arguments), meant);
        prop_assert_eq!(coerced.repairs.len(), count);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_path_agrees_with_the_slow_path(
        schema in schema(), documents in prop::collection::vec(prop::collection::vec(0..1_000_usize, 0..64), 8),
    ) {
        // One level of `allOf` has the same meaning and takes the slow path.
        let long = CompiledSchema::new(&json!({"allOf": [schema], "$defs": schema["$defs"]})).unwrap();
        let short = CompiledSchema::new(&schema).unwrap();
        for choices in documents {
            let Value::Object(arguments) = instance(&schema, &schema, &mut choices.into_iter()) else {
                continue;
            };
            prop_assert_eq!(short.validate(&arguments).is_ok(), long.validate(&arguments).is_ok());
            prop_assert_eq!(short.coerce(arguments.clone()), long.coerce(arguments.clone()));
            prop_assert_eq!(short.check(arguments.clone()).ok(), long.check(arguments).ok());
        }
    }
}
