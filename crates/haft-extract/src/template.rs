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
static SIGNS: &[(&str, &[&str])] = &[
    ("deepseek_v41", &["｜DSML｜ "]),
    ("deepseek_v32", &["DSML", "function_calls"]),
    ("deepseek_v4", &["DSML", "tool_calls"]),
    ("gigachat35", &["GCML"]),
    ("step3", &["<steptml:invoke"]),
    ("deepseek_v3", &["<｜tool▁sep｜>", "```json"]),
    ("deepseek_v31", &["<｜tool▁sep｜>"]),
    ("kimi_k3", &["<|open|>", "<|close|>", "<|sep|>"]),
    ("kimi_k2", &["<|tool_call_argument_begin|>"]),
    ("plamo3", &["<|plamo:begin_tool_request"]),
    ("k2_horizon", &["<ifm|tool_call"]),
    ("muse_atem", &["<atem:invoke"]),
    ("inkling", &["<|content_invoke_tool_"]),
    ("beam", &["<rfl:parameter"]),
    ("harmony", &["<|channel|>", "<|message|>", "commentary"]),
    ("apertus", &["<|tools_prefix|>"]),
    ("lfm2", &["<|tool_call_start|>"]),
    ("lfm2", &["<|tool_list_start|>"]),
    ("internlm", &["<|action_start|>"]),
    ("cohere", &["<|START_ACTION|>"]),
    ("cohere_r", &["Action:", "```json", "\"tool_name\""]),
    ("functiongemma", &["<start_function_call>"]),
    ("gemma4", &["<|tool_call>"]),
    ("phi4mini", &["<|/tool_call|>"]),
    ("phi4mini", &["functools["]),
    ("granite", &["<|tool_call|>"]),
    ("sarashina", &["<|tool_calls|>"]),
    ("gigachat3", &["<|function_call|>"]),
    ("gigachat3", &["function call<|role_sep|>"]),
    ("pythonic", &["<|python_start|>"]),
    ("mistral_args", &["[TOOL_CALLS]", "[ARGS]"]),
    ("mistral", &["[TOOL_CALLS]"]),
    ("nemotron_v2", &["<TOOLCALL>"]),
    ("minimax_m3", &["]<]minimax[>["]),
    ("minimax_m2", &["<minimax:tool_call>"]),
    ("seed_oss", &["<seed:tool_call>"]),
    ("longcat", &["<longcat_tool_call>"]),
    ("iquest_q1", &["<iquest_tool_call>"]),
    ("dots", &["<dots_function_call>"]),
    ("minicpm5", &["<function name=", "<param name="]),
    ("hy_v3", &["<arg_key>", "<tool_sep>"]),
    ("glm47", &["</arg_key><arg_value>"]),
    ("glm45", &["<arg_key>"]),
    ("qwen3_coder", &["<function=", "<parameter="]),
    ("anthropic_xml", &["<function_calls>", "<invoke name="]),
    ("olmo3", &["<function_calls>"]),
    ("minimax_m1", &["<tool_calls>", "<beginning_of_sentence>"]),
    ("apriel", &["<tool_calls>", "[BEGIN FINAL RESPONSE]"]),
    ("jamba", &["<tool_calls>", "<|bom|>"]),
    ("hunyuan_a13b", &["<tool_calls>"]),
    ("granite4", &["<tool_call>", "<|start_of_role|>"]),
    ("hermes", &["<tool_call>"]),
    ("functionary_v31", &["<|start_header_id|>", "<function="]),
    ("functionary_v32", &["<|start_header_id|>", ">>>"]),
    ("granite_20b_fc", &["<function_call>"]),
    ("llama3_json", &["<|python_tag|>"]),
    ("llama3_json", &["<|start_header_id|>", ": function name,"]),
    ("llama3_json", &["<|header_start|>", ": function name,"]),
    ("gemma_tool_code", &["```tool_code"]),
    ("react", &["Action Input:", "Observation:"]),
];

/// The format that a template asks for, if its markers show one.
pub(crate) fn format(template: &str) -> Option<Format> {
    if template.len() > MAX_TEMPLATE {
        return None;
    }
    let holds = |sign: &&str| memmem::find(template.as_bytes(), sign.as_bytes()).is_some();
    let (name, _) = SIGNS.iter().find(|(_, signs)| signs.iter().all(holds))?;
    Format::named(name)
}

#[cfg(test)]
mod tests;
