//! Values that stand for the result of another call, as variables do in a program:
//! `<result of search>`, `{{search.first}}`, `$search.first`.
//!
//! Models that call several tools at once write them where only the result of the first call can
//! tell the value. Such a call must not run: the tool would take the words for the value.

use haft_core::Arguments;
use serde_json::Value;

/// The first argument of which a text is `unresolved`, at whatever depth; [`stands_for_a_result`] is the
/// usual question.
///
/// ```
/// use haft_schema::{refers_to, stands_for_a_result, unresolved_argument};
/// use serde_json::json;
///
/// let names_a_tool = |text: &str| refers_to(text, "get_weather");
/// let unresolved = |body: &str| {
///     let arguments = json!({"to": "Ann", "body": {"text": body}});
///     let arguments = arguments.as_object().unwrap();
///     let found = unresolved_argument(arguments, |text| stands_for_a_result(text, names_a_tool));
///     found.map(str::to_owned)
/// };
/// assert_eq!(unresolved("{{get_weather.summary}}"), Some("body".to_owned()));
/// assert_eq!(unresolved("$get_weather.summary"), Some("body".to_owned()));
/// assert_eq!(unresolved("<results of the search>"), Some("body".to_owned()));
/// assert_eq!(unresolved("{{ states('sensor.results') }}"), None);
/// ```
pub fn unresolved_argument(
    arguments: &Arguments,
    unresolved: impl Fn(&str) -> bool,
) -> Option<&str> {
    let mut found = arguments
        .iter()
        .filter(|(_, value)| any_text(value, &unresolved));
    found.next().map(|(name, _)| name.as_str())
}

fn any_text(value: &Value, is_one: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => is_one(text),
        Value::Array(items) => items.iter().any(|item| any_text(item, is_one)),
        Value::Object(members) => members.values().any(|value| any_text(value, is_one)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// True for a text that is a placeholder for the result of a call: a result, or a tool, between
/// brackets, or a field of its result behind a `$`. `names_a_tool` says whether a text
/// [refers to](refers_to) a tool that can be called.
///
/// A template that holds texts of its own is code for the tool, as Home Assistant's are.
pub fn stands_for_a_result(text: &str, names_a_tool: impl Fn(&str) -> bool) -> bool {
    let text = text.trim();
    let inner = between_brackets(text).map(str::trim);
    let is_path = |c: char| c.is_alphanumeric() || "_-.[]".contains(c);
    let is_field = |name: &str| name.contains('.') && name.chars().all(is_path);
    let variable = text.strip_prefix('$').filter(|name| is_field(name));
    if variable.is_some_and(&names_a_tool) {
        return true;
    }
    inner.is_some_and(|inner| {
        names_a_tool(inner) || (names_a_result(inner) && !inner.contains(['"', '\'']))
    })
}

/// What stands in the brackets that are all of `text`: `<x>`, `{{x}}`, `${x}`. An element of XML has
/// more than one pair.
fn between_brackets(text: &str) -> Option<&str> {
    let pairs = [("<", ">"), ("{{", "}}"), ("${", "}")];
    let inner = |(open, close)| text.strip_prefix(open)?.strip_suffix(close);
    let inner = pairs.into_iter().find_map(inner)?;
    (!inner.contains(['<', '>'])).then_some(inner)
}

/// True for the name of a tool, and for what is taken from its result: `f`, `f.id`, `f["id"]`,
/// `f(a=1)`.
#[must_use]
pub fn refers_to(text: &str, tool: &str) -> bool {
    let rest = text.strip_prefix(tool);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '(']))
}

/// True for a text that names a result: `search_results`, "the result of the search".
///
/// ```
/// assert!(haft_schema::names_a_result("search_results"));
/// assert!(!haft_schema::names_a_result("resulting"));
/// ```
#[must_use]
pub fn names_a_result(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "result" | "results"))
}
