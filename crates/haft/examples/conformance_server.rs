//! The tools that the conformance suite of MCP calls, behind the server that `haft mcp serve` is.
//!
//! It prints its address and serves until it is asked to end; `tests/outside/mcp/run` runs the
//! suite against it. The suite (`@modelcontextprotocol/conformance`, README.md) says what its tools
//! return; here they are tools like any other, and their results become the protocol's on the
//! usual way.

#![allow(clippy::print_stdout, reason = "the suite reads the address")]

use std::error::Error;
use std::time::Duration;

use haft::gateway::Gateway;
use haft::tools::{ToolServer, ToolsError, report_progress};
use haft::{ToolError, ToolExecutor, ToolManager, ToolOutput, tool};
use serde_json::{Value, json};

/// The smallest PNG: one transparent point.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// A WAV without a sound.
const SOUND: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/// The suite waits for three signs of progress, and one that comes at once with the next is one.
const STEP: Duration = Duration::from_millis(50);

#[derive(serde::Deserialize, haft::schemars::JsonSchema)]
#[schemars(crate = "haft::schemars")]
struct Nothing {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = ToolServer::new(ToolExecutor::new(tools()?));
    let gateway = Gateway::bind_tools(server, ([127, 0, 0, 1], 0).into(), None).await?;
    println!("http://{}/mcp", gateway.address()?);
    gateway.serve(asked_to_end()).await;
    Ok(())
}

/// Until SIGTERM, with which the suite ends a server; elsewhere until Ctrl-C.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            terminate.recv().await;
        }
    }
    #[cfg(not(unix))]
    {
        // An error says that there is no such signal.
        let _ = tokio::signal::ctrl_c().await;
    }
}

fn tools() -> Result<ToolManager, ToolsError> {
    let image = json!({"type": "image", "data": PICTURE, "mimeType": "image/png"});
    let audio = json!({"type": "audio", "data": SOUND, "mimeType": "audio/wav"});
    let resource = json!({"type": "resource", "resource": {
        "uri": "test://embedded-resource", "mimeType": "text/plain",
        "text": "This is an embedded resource content."
    }});
    let mut manager = ToolManager::new();
    for (name, text, blocks) in [
        (
            "test_simple_text",
            "This is a simple text response for testing.",
            vec![],
        ),
        // A server of haft's logs nothing to its host and asks it nothing.
        ("test_logging_tool", "Nothing is logged.", vec![]),
        ("test_streaming_elicitation", "Nothing is asked.", vec![]),
        ("test_image_content", "An image", vec![image.clone()]),
        ("test_audio_content", "A sound", vec![audio]),
        (
            "test_embedded_resource",
            "A resource",
            vec![resource.clone()],
        ),
        (
            "test_multiple_content_types",
            "Multiple content types test:",
            vec![image, resource],
        ),
    ] {
        let output = output(text, &blocks);
        let returns = move |_: Nothing| std::future::ready(Ok::<_, ToolError>(output.clone()));
        manager.add(tool(name, "Returns what the suite wants", returns))?;
    }
    let fails = |_: Nothing| async {
        Err::<ToolOutput, _>(ToolError::new(
            "This tool intentionally returns an error for testing",
        ))
    };
    manager.add(tool("test_error_handling", "Fails", fails))?;
    let gets_on = |_: Nothing| async {
        for _ in 0..3 {
            report_progress();
            tokio::time::sleep(STEP).await;
        }
        Ok::<_, ToolError>("Progress was reported.")
    };
    manager.add(tool("test_tool_with_progress", "Gets on", gets_on))?;
    Ok(manager)
}

/// What a tool of a server would hand on.
fn output(text: &str, blocks: &[Value]) -> ToolOutput {
    let output = ToolOutput::from(text);
    if blocks.is_empty() {
        output
    } else {
        output.with_artifact(json!({"content": blocks}))
    }
}
