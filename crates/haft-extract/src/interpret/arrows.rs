//! What MiniMax writes within `[TOOL_CALL]` at times: a name and arguments behind arrows, the
//! arguments as those of a command, `{tool => "get_weather", args => {⏎  --city "Oslo"⏎}}`.

use serde_json::{Map, Value};

use super::{Call, readings};
use crate::{Format, ToolSet, machine::Calls, scan::within};

/// The call of a bound tool in `text`, if all of it is one.
pub(crate) fn arrows(text: &str, tools: &ToolSet) -> Option<Calls> {
    let inner = within(text.trim(), '{', '}')?;
    let quoted = behind_arrow(inner, "tool")?.strip_prefix('"')?;
    let is_bound = |name: &str| !tools.is_any() && tools.binds(name);
    let (name, rest) = quoted.split_once('"').filter(|(name, _)| is_bound(name))?;
    let list = behind_arrow(rest.trim_start().strip_prefix(',')?, "args")?;
    let list = within(list.trim_end(), '{', '}')?;
    let arguments = Value::Object(arguments(list.trim(), name, tools)?);
    let name = name.to_owned();
    let calls = vec![Call { name, arguments }];
    readings(calls, Format::Mistral, false, Vec::new())
}

/// What stands behind `key =>`.
fn behind_arrow<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let arrow = text.trim_start().strip_prefix(key)?.trim_start();
    arrow.strip_prefix("=>").map(str::trim_start)
}

/// The values of `--a "x"` and `--b 1`, each in a line of its own or in several.
fn arguments(text: &str, tool: &str, tools: &ToolSet) -> Option<Map<String, Value>> {
    let mut members: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        // A line that begins with a parameter.
        let member = line.trim_start().strip_prefix("--");
        let member = member.map(|member| member.split_once(' ').unwrap_or((member, "")));
        match member.filter(|(key, _)| tools.has_parameter(tool, key)) {
            Some((key, value)) => members.push((key, value.to_owned())),
            // The next line of a text.
            None => {
                let (_, value) = members.last_mut()?;
                value.push('\n');
                value.push_str(line);
            }
        }
    }
    let read = |(key, written): &(&str, String)| ((*key).to_owned(), value(written.trim()));
    let arguments: Map<String, Value> = members.iter().map(read).collect();
    (arguments.len() == members.len()).then_some(arguments)
}

/// A text without its quotes, what is JSON, or the text as it stands there.
fn value(written: &str) -> Value {
    let plain = within(written, '"', '"').unwrap_or(written);
    serde_json::from_str(written).unwrap_or_else(|_| Value::String(plain.to_owned()))
}
