mod calls;
mod cut;
mod hostile;
mod repairs;
mod values;

use haft_schema::settle_numbers;
use serde_json::Value;

use super::{ReadError, read_parenthesized, read_value};

/// What `text` reads as, the reply having gone on after it, its numbers settled.
fn value(text: &str) -> Result<Value, ReadError> {
    let mut read = read_value(text, false)?;
    settle_numbers(&mut read.value);
    Ok(read.value)
}

/// The arguments that stand in `text`, positional ones as `arg0` and so on.
fn arguments(text: &str) -> Result<Value, ReadError> {
    let read = read_parenthesized(text, false)?;
    let mut value = Value::Object(read.value.into_texts());
    settle_numbers(&mut value);
    Ok(value)
}

/// Every line that does not read as it should, with what it reads as.
fn assert_table(
    read: impl Fn(&str) -> Result<Value, ReadError>,
    table: impl IntoIterator<Item = (&'static str, Value)>,
) {
    let wrong: Vec<String> = table
        .into_iter()
        .filter_map(|(text, expected)| {
            let found = read(text);
            (found.as_ref() != Ok(&expected)).then(|| match found {
                Ok(found) => format!("{text}\n  reads {found}\n   not  {expected}"),
                Err(error) => format!("{text}\n  {error:?}\n   not  {expected}"),
            })
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
