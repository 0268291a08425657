//! An empty machine, and the real binary on it.

#[cfg(target_os = "linux")]
pub(crate) mod terminal;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use haft_testing::Reply;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A separate folder, an empty environment, and no model server.
pub(crate) struct Machine {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

/// The output and exit code of a command.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            variables: Vec::new(),
        }
    }

    /// Adds one more environment variable.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and the folders that it needs.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The command `haft`, not started yet, with empty stdin.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let home = self.folder.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_haft"));
        command
            .args(arguments)
            .current_dir(home)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_STATE_HOME", home.join("state"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            // No server listens there.
            .env("OLLAMA_HOST", "127.0.0.1:1")
            .env("HAFT_LOCAL_PORTS", "")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn haft(&self, arguments: &[&str]) -> Said {
        said(self.command(arguments).output().unwrap())
    }

    pub(crate) fn haft_with_stdin(&self, arguments: &[&str], stdin: &[u8]) -> Said {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        // A process that does not need its input closes it early.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        said(child.wait_with_output().unwrap())
    }
}

impl Said {
    /// Stdout as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// Asserts success and returns stdout without its line end.
    pub(crate) fn answer(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout.trim_end_matches('\n')
    }

    /// Asserts that nothing was found out or done, and returns stdout without its line end.
    pub(crate) fn excuse(&self) -> &str {
        assert_eq!(self.code, Some(4), "{self:?}");
        self.stdout.trim_end_matches('\n')
    }

    /// Asserts the exit code, and that stderr contains all parts.
    pub(crate) fn fails(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in {self:?}");
        }
    }
}

pub(crate) fn said(output: Output) -> Said {
    Said {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

/// `text` with clock times, dates and durations replaced by what they are.
pub(crate) fn redacted(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for index in 1..words.len() {
        let unit = words[index].lines().next().unwrap_or_default().to_owned();
        if matches!(unit.as_str(), "ms" | "s") && words[index - 1].parse::<f64>().is_ok() {
            words[index - 1] = "[time]".to_owned();
            words[index] = words[index].replacen(&unit, "", 1);
        }
    }
    let text = words.join(" ").replace("[time] ", "[time]");
    let mut result = String::new();
    let characters: Vec<char> = text.chars().collect();
    let mut index = 0;
    while index < characters.len() {
        let clock = characters.get(index..index + 5).is_some_and(|c| {
            let digit = |i: usize| c[i].is_ascii_digit();
            digit(0) && digit(1) && c[2] == ':' && digit(3) && digit(4)
        });
        if clock {
            result.push_str("HH:MM");
            index += 5;
        } else {
            result.push(characters[index]);
            index += 1;
        }
    }
    let weekdays = [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    ];
    for day in weekdays {
        while let Some(start) = result.find(day) {
            let end = result[start..]
                .find(" (")
                .map_or(result.len(), |length| start + length);
            result.replace_range(start..end, "[date]");
        }
    }
    result
}

/// An MCP server in shell: `echo` answers with "heard you", `nap` never answers. When its input
/// ends it writes the file `gone`.
pub(crate) fn stub_mcp(machine: &Machine) -> PathBuf {
    let script = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '%s\n' '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"stub","version":"1"}}}' ;;
    *'"tools/list"'*) printf '%s\n' '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"echo","description":"Answers.\nSecond line.","inputSchema":{"type":"object","properties":{"level":{"type":"integer"}}},"annotations":{"readOnlyHint":true}},{"name":"nap","description":"Sleeps","inputSchema":{"type":"object"}}]}}' ;;
    *'"nap"'*) : > napping ;;
    *'"tools/call"'*) printf '%s\n' '{"jsonrpc":"2.0","id":'$id',"result":{"content":[{"type":"text","text":"heard you"}]}}' ;;
  esac
done
: > gone
"#;
    let script = machine.write("stub.sh", script);
    mcp_config(
        machine,
        &json!({"stub": {"command": "sh", "args": [script], "cwd": folder(&script)}}),
    )
}

fn folder(path: &Path) -> String {
    path.parent().unwrap().display().to_string()
}

/// A file with these MCP servers.
pub(crate) fn mcp_config(machine: &Machine, servers: &Value) -> PathBuf {
    machine.write("servers.json", json!({"mcpServers": servers}).to_string())
}

/// A streamed reply of an OpenAI-compatible server that says `text`.
pub(crate) fn openai_text(text: &str) -> Reply {
    let delta = json!({"role": "assistant", "content": text});
    openai_reply(&delta, "stop")
}

/// A streamed reply that the limit on tokens cut behind `text`.
pub(crate) fn openai_cut_text(text: &str) -> Reply {
    let delta = json!({"role": "assistant", "content": text});
    openai_reply(&delta, "length")
}

/// A streamed reply that calls one tool.
pub(crate) fn openai_call(name: &str, arguments: &Value) -> Reply {
    let function = json!({"name": name, "arguments": arguments.to_string()});
    let call = json!({"index": 0, "id": "call_a", "type": "function", "function": function});
    openai_reply(
        &json!({"role": "assistant", "content": null, "tool_calls": [call]}),
        "tool_calls",
    )
}

fn openai_reply(delta: &Value, finish_reason: &str) -> Reply {
    let chunk = |delta: &Value, finish_reason: Value| {
        json!({
            "id": "chat_1",
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
        })
        .to_string()
    };
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}});
    Reply::sse([
        chunk(delta, Value::Null),
        chunk(&json!({}), json!(finish_reason)),
        usage.to_string(),
        "[DONE]".to_owned(),
    ])
}
