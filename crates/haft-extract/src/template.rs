//! What a chat template tells about the replies to it: the format of the calls, and whether a
//! reply starts inside thinking.
//!
//! A template is a program in Jinja (Hugging Face, llama.cpp) or Go (Ollama). It is not run: the
//! format shows in the markers that stand in it, and [`prompt`] reads how its prompt ends.
//! Sources of the markers: the templates that the models come with; see also
//! [`markers`](crate::markers).

mod prompt;

use memchr::memmem;

use crate::Format;

pub(crate) use prompt::starts_thinking;

/// More than this is no template, in bytes; the longest known ones have some 30 thousand.
pub(crate) const MAX_TEMPLATE: usize = 1024 * 1024;

/// Formats and what must stand in a template that asks for them, all of it. The first that fits
/// counts: what is peculiar to one format comes before what it shares with others.
static SIGNS: &[(Format, &[&str])] = &[
    (Format::DeepseekV41, &["｜DSML｜ "]),
    (Format::DeepseekV32, &["DSML", "function_calls"]),
    (Format::DeepseekV4, &["DSML", "tool_calls"]),
    (Format::Gigachat35, &["GCML"]),
    (Format::Step3, &["<steptml:invoke"]),
    (Format::DeepseekV3, &["<｜tool▁sep｜>", "```json"]),
    (Format::DeepseekV31, &["<｜tool▁sep｜>"]),
    (Format::KimiK3, &["<|open|>", "<|close|>", "<|sep|>"]),
    (Format::KimiK2, &["<|tool_call_argument_begin|>"]),
    (Format::Plamo3, &["<|plamo:begin_tool_request"]),
    (Format::K2Horizon, &["<ifm|tool_call"]),
    (Format::MuseAtem, &["<atem:invoke"]),
    (Format::Inkling, &["<|content_invoke_tool_"]),
    (Format::Beam, &["<rfl:parameter"]),
    (
        Format::Harmony,
        &["<|channel|>", "<|message|>", "commentary"],
    ),
    (Format::Apertus, &["<|tools_prefix|>"]),
    (Format::Lfm2, &["<|tool_call_start|>"]),
    (Format::Lfm2, &["<|tool_list_start|>"]),
    (Format::Internlm, &["<|action_start|>"]),
    (Format::Cohere, &["<|START_ACTION|>"]),
    (Format::CohereR, &["Action:", "```json", "\"tool_name\""]),
    (Format::Functiongemma, &["<start_function_call>"]),
    (Format::Gemma4, &["<|tool_call>"]),
    (Format::Phi4mini, &["<|/tool_call|>"]),
    (Format::Phi4mini, &["functools["]),
    (Format::Granite, &["<|tool_call|>"]),
    (Format::Sarashina, &["<|tool_calls|>"]),
    (Format::Gigachat3, &["<|function_call|>"]),
    (Format::Gigachat3, &["function call<|role_sep|>"]),
    (Format::Pythonic, &["<|python_start|>"]),
    (Format::MistralArgs, &["[TOOL_CALLS]", "[ARGS]"]),
    (Format::Mistral, &["[TOOL_CALLS]"]),
    (Format::NemotronV2, &["<TOOLCALL>"]),
    (Format::MinimaxM3, &["]<]minimax[>["]),
    (Format::MinimaxM2, &["<minimax:tool_call>"]),
    (Format::SeedOss, &["<seed:tool_call>"]),
    (Format::Longcat, &["<longcat_tool_call>"]),
    (Format::IquestQ1, &["<iquest_tool_call>"]),
    (Format::Dots, &["<dots_function_call>"]),
    (Format::Minicpm5, &["<function name=", "<param name="]),
    (Format::HyV3, &["<arg_key>", "<tool_sep>"]),
    (Format::Glm47, &["</arg_key><arg_value>"]),
    (Format::Glm45, &["<arg_key>"]),
    (Format::Qwen3Coder, &["<function=", "<parameter="]),
    (Format::AnthropicXml, &["<function_calls>", "<invoke name="]),
    (Format::Olmo3, &["<function_calls>"]),
    (
        Format::MinimaxM1,
        &["<tool_calls>", "<beginning_of_sentence>"],
    ),
    (Format::Apriel, &["<tool_calls>", "[BEGIN FINAL RESPONSE]"]),
    (Format::Jamba, &["<tool_calls>", "<|bom|>"]),
    (Format::HunyuanA13b, &["<tool_calls>"]),
    (Format::Granite4, &["<tool_call>", "<|start_of_role|>"]),
    (Format::Hermes, &["<tool_call>"]),
    (
        Format::FunctionaryV31,
        &["<|start_header_id|>", "<function="],
    ),
    (Format::FunctionaryV32, &["<|start_header_id|>", ">>>"]),
    (Format::Granite20bFc, &["<function_call>"]),
    (Format::Llama3Json, &["<|python_tag|>"]),
    (
        Format::Llama3Json,
        &["<|start_header_id|>", ": function name,"],
    ),
    (
        Format::Llama3Json,
        &["<|header_start|>", ": function name,"],
    ),
    (Format::GemmaToolCode, &["```tool_code"]),
    (Format::React, &["Action Input:", "Observation:"]),
];

/// The format that a template asks for, if its markers show one.
pub(crate) fn format(template: &str) -> Option<Format> {
    if template.len() > MAX_TEMPLATE {
        return None;
    }
    let holds = |sign: &&str| memmem::find(template.as_bytes(), sign.as_bytes()).is_some();
    let found = SIGNS.iter().find(|(_, signs)| signs.iter().all(holds))?;
    Some(found.0)
}

#[cfg(test)]
mod tests;
