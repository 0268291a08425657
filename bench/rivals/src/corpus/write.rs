//! Writes calls in the words of each format, as the chat templates of its models do.

use std::fmt::Write;

use serde_json::Value;

use super::Call;

pub fn hermes(calls: &[Call]) -> String {
    let calls = calls
        .iter()
        .map(|call| format!("<tool_call>\n{}\n</tool_call>", named(call, "arguments")));
    joined(calls, "\n")
}

pub fn qwen3_coder(calls: &[Call]) -> String {
    let calls = calls.iter().map(|call| {
        let parameters = call
            .arguments
            .iter()
            .map(|(key, value)| format!("<parameter={key}>\n{}\n</parameter>\n", bare(value)));
        let parameters: String = parameters.collect();
        let name = call.name;
        format!("<tool_call>\n<function={name}>\n{parameters}</function>\n</tool_call>")
    });
    joined(calls, "\n")
}

pub fn glm47(calls: &[Call]) -> String {
    let calls = calls.iter().map(|call| {
        let pairs = call.arguments.iter().map(|(key, value)| {
            let value = bare(value);
            format!("<arg_key>{key}</arg_key><arg_value>{value}</arg_value>")
        });
        let pairs: String = pairs.collect();
        format!("<tool_call>{}{pairs}</tool_call>", call.name)
    });
    joined(calls, "\n")
}

pub fn deepseek_v31(calls: &[Call]) -> String {
    let calls = calls.iter().map(|call| {
        let (name, arguments) = (call.name, arguments(call));
        format!("<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{arguments}<｜tool▁call▁end｜>")
    });
    let calls = joined(calls, "");
    format!("<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜>")
}

pub fn deepseek_v4(calls: &[Call]) -> String {
    let calls = calls.iter().map(|call| {
        let parameters = call.arguments.iter().map(|(key, value)| {
            let (is_string, value) = (value.is_string(), bare(value));
            format!(
                "<｜DSML｜parameter name=\"{key}\" string=\"{is_string}\">{value}</｜DSML｜parameter>\n"
            )
        });
        let parameters: String = parameters.collect();
        let name = call.name;
        format!("<｜DSML｜invoke name=\"{name}\">\n{parameters}</｜DSML｜invoke>\n")
    });
    let calls = joined(calls, "");
    format!("<｜DSML｜tool_calls>\n{calls}</｜DSML｜tool_calls>")
}

pub fn kimi_k2(calls: &[Call]) -> String {
    let calls = calls.iter().enumerate().map(|(index, call)| {
        let (name, arguments) = (call.name, arguments(call));
        format!(
            "<|tool_call_begin|>functions.{name}:{index}<|tool_call_argument_begin|>{arguments}<|tool_call_end|>"
        )
    });
    let calls = joined(calls, "");
    format!("<|tool_calls_section_begin|>{calls}<|tool_calls_section_end|>")
}

pub fn mistral(calls: &[Call]) -> String {
    let calls = calls.iter().map(|call| named(call, "arguments"));
    format!("[TOOL_CALLS] [{}]", joined(calls, ", "))
}

pub fn llama3_json(calls: &[Call]) -> String {
    joined(calls.iter().map(|call| named(call, "parameters")), "; ")
}

pub fn pythonic(calls: &[Call]) -> String {
    let calls = calls.iter().map(|call| {
        let arguments = call.arguments.iter().map(|(key, value)| {
            let mut written = format!("{key}=");
            write_python(value, &mut written);
            written
        });
        format!("{}({})", call.name, joined(arguments, ", "))
    });
    format!("[{}]", joined(calls, ", "))
}

pub fn gemma4(calls: &[Call]) -> String {
    let calls = calls.iter().map(|call| {
        let pairs = call.arguments.iter().map(|(key, value)| {
            let mut written = format!("{key}:");
            write_gemma(value, &mut written);
            written
        });
        let pairs = joined(pairs, ",");
        format!("<|tool_call>call:{}{{{pairs}}}<tool_call|>", call.name)
    });
    joined(calls, "")
}

fn joined(parts: impl Iterator<Item = String>, separator: &str) -> String {
    parts.collect::<Vec<_>>().join(separator)
}

fn named(call: &Call, key: &str) -> String {
    let (name, arguments) = (call.name, arguments(call));
    format!("{{\"name\": \"{name}\", \"{key}\": {arguments}}}")
}

/// The arguments as JSON with a space after commas and colons, as most models write it.
pub fn arguments(call: &Call) -> String {
    let mut written = String::new();
    write_json(&Value::Object(call.arguments.clone()), &mut written);
    if !call.ascii {
        return written;
    }
    let mut escaped = String::new();
    for character in written.chars() {
        if character.is_ascii() {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    escaped
}

/// A value between tags: strings as they are, everything else as JSON.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => {
            let mut written = String::new();
            write_json(other, &mut written);
            written
        }
    }
}

fn write_json(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => write_items(items, ", ", out, write_json),
        Value::Object(members) => {
            out.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                let _ = write!(out, "{}\"{key}\": ", if at > 0 { ", " } else { "" });
                write_json(value, out);
            }
            out.push('}');
        }
        scalar => {
            let _ = write!(out, "{scalar}");
        }
    }
}

fn write_python(value: &Value, out: &mut String) {
    match value {
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Null => out.push_str("None"),
        Value::Number(_) => write_json(value, out),
        // Python prefers single quotes; what JSON escapes, it escapes alike.
        Value::String(text) if !text.contains(['\'', '"']) => {
            let quoted = value.to_string();
            out.push_str(&quoted.replace('"', "'"));
        }
        Value::String(_) => write_json(value, out),
        Value::Array(items) => write_items(items, ", ", out, write_python),
        Value::Object(members) => {
            out.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                let _ = write!(out, "{}'{key}': ", if at > 0 { ", " } else { "" });
                write_python(value, out);
            }
            out.push('}');
        }
    }
}

fn write_gemma(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => {
            let _ = write!(out, "<|\"|>{text}<|\"|>");
        }
        Value::Array(items) => write_items(items, ",", out, write_gemma),
        Value::Object(members) => {
            out.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                let _ = write!(out, "{}{key}:", if at > 0 { "," } else { "" });
                write_gemma(value, out);
            }
            out.push('}');
        }
        scalar => write_json(scalar, out),
    }
}

fn write_items(items: &[Value], separator: &str, out: &mut String, write: fn(&Value, &mut String)) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(separator);
        }
        write(item, out);
    }
    out.push(']');
}
