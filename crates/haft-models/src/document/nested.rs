//! Fields within the tools and messages of a client's document that a server of another API is not
//! sent, such as `strict` of a tool and `detail` of an image. The lists have what `client_request`
//! reads.

use std::collections::BTreeSet;

use haft_core::ClientApi;

use super::Members;

/// The names of such fields, as `tools.strict` and `messages.detail`. Each is named once.
pub(super) fn nested(api: ClientApi, members: &Members<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for tool in members.list("tools") {
        let Some(tool) = Members::read(tool.get()) else {
            continue;
        };
        let function = tool.object("function");
        add(
            "tools",
            tool_fields(api),
            function.as_ref().unwrap_or(&tool),
            &mut names,
        );
    }
    for message in members.list("messages") {
        let Some(message) = Members::read(message.get()) else {
            continue;
        };
        let role = message.text("role");
        let answers = role.is_some_and(|role| matches!(&*role, "tool" | "function"));
        let known = if answers {
            // The name of the tool, which is passed on.
            [message_fields(api), &["name"]].concat()
        } else {
            message_fields(api).to_vec()
        };
        add("messages", &known, &message, &mut names);
        for part in message.list("content") {
            let image = Members::read(part.get()).and_then(|part| part.object("image_url"));
            if let Some(image) = image {
                add("messages", &["url"], &image, &mut names);
            }
        }
    }
    names
}

/// Adds the names of fields that are not known and ask for something.
fn add(place: &str, known: &[&str], members: &Members<'_>, names: &mut BTreeSet<String>) {
    for (name, value) in &members.0 {
        let asks = !matches!(value.get(), "null" | "false" | "[]" | "{}" | "\"auto\"");
        if asks && !known.contains(&&**name) {
            names.insert(format!("{place}.{name}"));
        }
    }
}

/// The fields of a tool that every API has. `cache_control` is named without its place.
fn tool_fields(api: ClientApi) -> &'static [&'static str] {
    match api {
        ClientApi::Anthropic => &[
            "name",
            "description",
            "input_schema",
            "type",
            "cache_control",
        ],
        _ => &["name", "description", "parameters", "type"],
    }
}

/// The fields of a message that every API has or haft handles.
fn message_fields(api: ClientApi) -> &'static [&'static str] {
    match api {
        ClientApi::Anthropic => &["role", "content"],
        ClientApi::Ollama | ClientApi::OllamaGenerate => &[
            "role",
            "content",
            "thinking",
            "images",
            "tool_calls",
            "tool_name",
            "tool_call_id",
        ],
        _ => &[
            "role",
            "content",
            "tool_calls",
            "tool_call_id",
            "reasoning",
            "reasoning_content",
            "refusal",
        ],
    }
}
