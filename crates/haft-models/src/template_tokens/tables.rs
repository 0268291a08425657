//! The special tokens of chat templates.
//!
//! Sources: the `added_tokens` of the published tokenizers of Llama 2 to 4, Mistral, Qwen, Gemma 1
//! to 4, DeepSeek, Phi, GLM, Command, Granite, Seed, MiniMax, InternLM, Nemotron, EXAONE, Kimi,
//! Ernie, Ling, Hunyuan, `LongCat`, Reka and Apriel, and the placeholders of images that Ollama
//! and llama.cpp have of their own.

/// Starts of tokens that are recognized without the end of a name: with bars (also the full-width
/// one of DeepSeek), of Llama 2, of MiniMax and of Apriel.
pub(super) const UNFRAMED: [&str; 15] = [
    "<|",
    "<｜",
    "</|",
    "</｜",
    "｜DSML｜",
    "<<SYS>>",
    "<</SYS>>",
    "]<]",
    "]~!b[",
    "]~b]",
    "]!p~[",
    "]!d~[",
    "[e~[",
    "[BEGIN FINAL RESPONSE]",
    "[END FINAL RESPONSE]",
];

/// Names of tokens between a pair of brackets, after an optional slash: in lower case, with
/// underscores in place of dashes and colons.
pub(super) struct Names {
    /// Names that begin or end a message or a text, or stand for an image or a sound.
    framing: &'static [&'static str],
    /// Starts of such names, before a number or anything else.
    framing_beginnings: &'static [&'static str],
    /// Names that mark up calls, results, reasoning and documents within a message.
    markup: &'static [&'static str],
    markup_beginnings: &'static [&'static str],
    markup_ends: &'static [&'static str],
}

impl Names {
    /// Whether a token of this name frames a message.
    pub(super) fn frame(&self, name: &str) -> bool {
        let begins = |beginning: &&str| name.starts_with(*beginning);
        self.framing.contains(&name) || self.framing_beginnings.iter().any(begins)
    }

    /// Whether a token of this name is markup within a message.
    pub(super) fn mark_up(&self, name: &str) -> bool {
        let begins = |beginning: &&str| name.starts_with(*beginning);
        let ends = |end: &&str| name.ends_with(*end);
        self.markup.contains(&name)
            || self.markup_beginnings.iter().any(begins)
            || self.markup_ends.iter().any(ends)
    }
}

/// Names in `<...>` and `</...>`.
pub(super) static ANGLED: Names = Names {
    framing: &[
        "__media__",
        "audio",
        "begin_of_document",
        "begin_of_text",
        "beginning_of_sentence",
        "blank",
        "bos",
        "bos_token",
        "cls",
        "cls_token",
        "end_of_audio",
        "end_of_image",
        "end_of_sentence",
        "end_of_text",
        "end_of_turn",
        "end_of_utterance",
        "endoftext",
        "eoa",
        "eod",
        "eoh",
        "eop",
        "eop_token",
        "eos",
        "eos_token",
        "eot",
        "escape",
        "file_sep",
        "fim_middle",
        "fim_pad",
        "fim_prefix",
        "fim_suffix",
        "gmask",
        "image",
        "image_soft_token",
        "img",
        "img_context",
        "jupyter_code",
        "mask",
        "mask_token",
        "observation",
        "pad",
        "pad_token",
        "repo_name",
        "reponame",
        "role",
        "s",
        "seed_bos",
        "seed_eos",
        "seed_pad",
        "sep",
        "sep_token",
        "sop",
        "start_of_audio",
        "start_of_image",
        "start_of_turn",
        "unk",
        "unk_token",
        "video",
    ],
    framing_beginnings: &["extra_id_", "mask_", "reserved_", "special_", "unused"],
    markup: &[
        "answer",
        "arg_key",
        "arg_value",
        "available_tools",
        "code_output",
        "document",
        "documents",
        "end_function_declaration",
        "end_function_response",
        "function_response",
        "reasoning",
        "response",
        "start_function_declaration",
        "start_function_response",
        "think",
        "thinking",
        "tool_code",
        "tool_list",
        "tool_output",
        "tool_response",
        "tool_sep",
        "tool_use",
        "toolcall",
        "toolresponse",
        "tools",
    ],
    markup_beginnings: &["ifm|"],
    // Of many families: `<seed:tool_call>`, `<iquest_tool_call>`, `<mm:think>`.
    markup_ends: &[
        "_arg_key",
        "_arg_value",
        "_think",
        "function_call",
        "function_calls",
        "tool_call",
        "tool_calls",
    ],
};

/// Names in `[...]` and `[/...]`.
pub(super) static SQUARE: Names = Names {
    framing: &[
        "audio",
        "begin_audio",
        "bos",
        "cls",
        "end_header_id",
        "eos",
        "eot",
        "gmask",
        "img",
        "inst",
        "mask",
        "middle",
        "model_settings",
        "pad",
        "prefix",
        "sep",
        "smask",
        "start_header_id",
        "suffix",
        "system_prompt",
        "unk",
    ],
    framing_beginnings: &["control_", "img_", "unused_token"],
    markup: &["args", "available_tools", "call_id", "think", "tool_calls"],
    markup_beginnings: &["tool_content", "tool_result"],
    markup_ends: &[],
};
