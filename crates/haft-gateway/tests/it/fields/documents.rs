//! A request with every documented field of each API.
//!
//! Sources: OpenAI's OpenAPI document 2.3.0 (`CreateChatCompletionRequest`) with the fields of
//! llama.cpp (`tools/server/README.md`), vLLM and OpenRouter beside; Anthropic's SDK for Ruby
//! (`Anthropic::Models::Beta::MessageCreateParams`); `ollama/ollama: docs/api.md` and
//! `api/types.go`. All read in November 2026.

use serde_json::{Value, json};

fn schema() -> Value {
    json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})
}

/// `POST /v1/chat/completions`, apart from what is refused between dialects and the legacy
/// functions.
pub(super) fn openai() -> Value {
    json!({
        "model": "m",
        "messages": [
            {"role": "system", "name": "operator",
             "content": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]},
            {"role": "user", "name": "ada", "content": [
                {"type": "text", "text": "Weather?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"}},
            ]},
            {"role": "assistant", "content": null, "refusal": null, "reasoning_content": "hm", "annotations": [],
             "tool_calls": [{"id": "call_a", "type": "function", "extra_content": {"google": {"thought_signature": "s"}},
                "function": {"name": "forecast", "arguments": "{ \"city\": \"Oslo\" }"}}]},
            {"role": "tool", "tool_call_id": "call_a", "content": [{"type": "text", "text": "Rain"}]},
            {"role": "user", "content": "And tomorrow?"},
        ],
        "tools": [{"type": "function", "cache_control": {"type": "ephemeral"},
            "function": {"name": "forecast", "description": "The weather", "strict": true, "parameters": schema()}}],
        "tool_choice": "auto", "parallel_tool_calls": false,
        "temperature": 0.25, "top_p": 0.5, "seed": 7, "stop": ["END", "STOP"],
        "presence_penalty": 0.5, "frequency_penalty": 0.75,
        "max_completion_tokens": 321, "n": 1, "stream": false,
        "logit_bias": {"50256": -100}, "logprobs": true, "top_logprobs": 3,
        "reasoning_effort": "low", "verbosity": "low", "modalities": ["text"],
        "metadata": {"job": "7"}, "store": true, "user": "ada", "safety_identifier": "hash",
        "prompt_cache_key": "key", "prompt_cache_retention": "24h", "service_tier": "flex",
        "prediction": {"type": "content", "content": "Rain"},
        // llama.cpp
        "top_k": 40, "min_p": 0.05, "repeat_penalty": 1.1, "id_slot": 2, "cache_prompt": true,
        "timings_per_token": true, "samplers": ["top_k", "temperature"], "mirostat": 2,
        "reasoning_format": "deepseek", "chat_template_kwargs": {"enable_thinking": false},
        // vLLM
        "stop_token_ids": [1, 2], "ignore_eos": false, "guided_choice": ["a"], "include_stop_str_in_output": true,
        // OpenRouter
        "provider": {"order": ["a"]}, "models": ["b"], "transforms": [], "reasoning": {"effort": "low"},
    })
}

/// The structured output of chat completions, which goes with no tool here.
pub(super) fn openai_format() -> Value {
    json!({"type": "json_schema", "json_schema": {
        "name": "weather", "description": "The weather", "strict": true, "schema": schema()}})
}

/// `POST /v1/messages`, apart from what is refused between dialects.
pub(super) fn anthropic() -> Value {
    let cached = json!({"type": "ephemeral", "ttl": "1h"});
    json!({
        "model": "m", "max_tokens": 4321,
        "system": [
            {"type": "text", "text": "Be brief."},
            {"type": "text", "text": "Be kind.", "cache_control": cached},
        ],
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "Weather?", "cache_control": cached},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
            ]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "sig"},
                {"type": "text", "text": "Let me see.", "citations": null},
                {"type": "tool_use", "id": "toolu_a", "name": "forecast", "input": {"city": "Oslo"}, "cache_control": cached},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_a", "content": [{"type": "text", "text": "Rain"}],
                 "cache_control": cached},
                {"type": "text", "text": "And tomorrow?", "cache_control": cached},
            ]},
        ],
        "tools": [{"name": "forecast", "description": "The weather", "input_schema": schema(), "strict": true,
            "cache_control": cached, "defer_loading": false, "input_examples": [{"city": "Oslo"}]}],
        "tool_choice": {"type": "auto", "disable_parallel_tool_use": true},
        "temperature": 1.0, "top_p": 0.5, "top_k": 40, "stop_sequences": ["END"], "stream": false,
        "thinking": {"type": "enabled", "budget_tokens": 1500, "display": "summarized"},
        "output_config": {"effort": "low"},
        "metadata": {"user_id": "ada"}, "service_tier": "standard_only", "inference_geo": "eu", "speed": "fast",
        "context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]},
        "cache_control": cached,
    })
}

/// `POST /api/chat`.
pub(super) fn ollama() -> Value {
    json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Weather?", "images": ["iVBORw0KGgo="]},
            {"role": "assistant", "content": "", "thinking": "hm",
             "tool_calls": [{"function": {"index": 0, "name": "forecast", "arguments": {"city": "Oslo"}}}]},
            {"role": "tool", "tool_name": "forecast", "content": "Rain"},
            {"role": "user", "content": "And tomorrow?"},
        ],
        "tools": [{"type": "function", "items": null,
            "function": {"name": "forecast", "description": "The weather", "parameters": schema()}}],
        "think": "low", "stream": false, "keep_alive": "10m", "truncate": true, "shift": true,
        "logprobs": true, "top_logprobs": 2, "dimensions": 3,
        "options": options(),
    })
}

/// `POST /api/generate`.
pub(super) fn generate() -> Value {
    json!({
        "model": "m", "prompt": "Weather?", "system": "Be brief.", "images": ["iVBORw0KGgo="],
        "template": "{{ .Prompt }}", "context": [1, 2], "suffix": "", "raw": false,
        "think": false, "stream": false, "keep_alive": 600, "truncate": true, "shift": true,
        "logprobs": true, "top_logprobs": 2, "width": 1,
        "options": options(),
    })
}

fn options() -> Value {
    json!({
        "num_keep": 5, "seed": 42, "num_predict": 100, "top_k": 20, "top_p": 0.5, "min_p": 0.0,
        "typical_p": 0.75, "repeat_last_n": 33, "temperature": 0.5, "repeat_penalty": 1.25,
        "presence_penalty": 1.5, "frequency_penalty": 1.0, "penalize_newline": true,
        "stop": ["\n", "user:"], "numa": false, "num_batch": 2, "num_gpu": 1, "main_gpu": 0,
        "use_mmap": true, "num_thread": 8, "draft_num_predict": 4,
    })
}
