//! What Codex reads of a list of models (`openai/codex: codex-rs/protocol/src/openai_models.rs`).
//!
//! It asks for `/v1/models?client_version=...` and reads the field `models` of the answer, or a
//! file of the same form (`model_catalog_json` in its settings). Models that it does not know get
//! no `apply_patch` otherwise.

use serde_json::{Value, json};

/// The instructions for a model that Codex does not know: short, because the prompt of a small
/// model is better spent on the task.
const INSTRUCTIONS: &str = include_str!("codex_instructions.md");

/// How much of a tool's output Codex shows to the model, in tokens: a quarter of the context of
/// 32,768 tokens with which local models are often run.
const OUTPUT_TOKENS: u32 = 8192;

/// A model as Codex describes it.
pub(in super::super) fn entry(name: &str) -> Value {
    json!({
        "slug": name,
        "display_name": name,
        "description": null,
        "default_reasoning_level": null,
        "supported_reasoning_levels": [],
        "shell_type": "shell_command",
        "visibility": "list",
        "supported_in_api": true,
        "priority": 0,
        "upgrade": null,
        "base_instructions": INSTRUCTIONS,
        "supports_reasoning_summaries": false,
        "support_verbosity": false,
        "default_verbosity": null,
        "apply_patch_tool_type": "freeform",
        "truncation_policy": {"mode": "tokens", "limit": OUTPUT_TOKENS},
        "supports_parallel_tool_calls": false,
        "experimental_supported_tools": [],
        "input_modalities": ["text", "image"],
    })
}
