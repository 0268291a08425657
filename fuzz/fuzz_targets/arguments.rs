//! Any schema, any arguments: no panic, and mending twice is mending once.
#![no_main]

use haft::schema::CompiledSchema;
use haft::serde_json::{self, Value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|texts: (&str, &str)| {
    let Ok(schema) = serde_json::from_str::<Value>(texts.0) else { return };
    let Ok(Value::Object(arguments)) = serde_json::from_str(texts.1) else { return };
    let Ok(schema) = CompiledSchema::new(&schema) else { return };
    let once = schema.coerce(arguments).arguments;
    assert_eq!(schema.coerce(once.clone()).arguments, once);
    let _ = schema.validate(&once).map_err(|violations| violations.to_string());
});
