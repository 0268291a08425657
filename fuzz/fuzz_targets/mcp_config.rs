//! Any text as a file of MCP servers.
#![no_main]

use haft::tools::McpConfig;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = McpConfig::parse(text, "fuzz.json");
});
