//! Special tokens around JSON: a token or a tag, then a list of objects or one object.
//!
//! * A list counts without its closing token, and an object without its list.
//! * Cohere's `directly_answer` is no call.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/tokens.md`.

use super::record::Sign::{Common, Own, Shared};
use super::record::{Family, Record, markers};
use crate::Format;

pub(super) static FAMILY: Family = Family {
    records: &[
        // <|tools_prefix|>[{"search_files": {"pattern": "*.rs", "max_results": 5}}]<|tools_suffix|>
        Record::new(Format::Apertus, "apertus").signs(&[Own(&["<|tools_prefix|>"])]),
        // <|action_start|><|plugin|>
        // {"name": "set_light", "parameters": {"room": "kitchen", "level": 40, "on": true}}<|action_end|>
        Record::new(Format::Internlm, "internlm internlm2 internlm3 intern_s1")
            .signs(&[Own(&["<|action_start|>"])]),
        // <|START_ACTION|>[
        //     {"tool_call_id": "0", "tool_name": "get_time", "parameters": {"timezone": "Asia/Tokyo"}}
        // ]<|END_ACTION|>
        Record::new(
            Format::Cohere,
            "cohere command_r7b cohere_command3 cohere_command4",
        )
        .signs(&[Own(&["<|START_ACTION|>"])]),
        // Action: ```json
        // [
        //     {"tool_name": "send_message", "parameters": {"to": ["Ann", "李雷"], "body": "Running late 🚆, sorry!", "priority": 2}}
        // ]
        // ```
        Record::new(Format::CohereR, "cohere_r command_r").signs(&[Own(&[
            "Action:",
            "```json",
            "\"tool_name\"",
        ])]),
        // functools[{"name": "search_files", "arguments": {"pattern": "*.rs", "max_results": 5}}]
        Record::new(Format::Phi4mini, "phi4mini functools")
            .signs(&[Own(&["<|/tool_call|>"]), Own(&["functools["])]),
        // <tool_call>[{"name": "set_light", "arguments": {"room": "Küche", "level": 12.5, "on": false}}]
        Record::new(Format::Granite, "granite").signs(&[Own(&["<|tool_call|>"])]),
        // <|tool_calls|>[{'name': 'calculate', 'arguments': {'expression': '(3 + 4) * 2'}}]
        Record::new(Format::Sarashina, "sarashina").signs(&[Own(&["<|tool_calls|>"])]),
        // <tool_calls>[
        //   {"name": "send_message", "arguments": {"to": ["Ann", "李雷"], "body": "Running late 🚆, sorry!", "priority": 2}}
        // ]</tool_calls>
        Record::new(Format::Jamba, "jamba").signs(&[Shared(&["<tool_calls>", "<|bom|>"])]),
        // <tool_calls>[{"name": "get_time", "arguments": {"timezone": "Asia/Tokyo"}}]</tool_calls>
        Record::new(Format::HunyuanA13b, "hunyuan_a13b").signs(&[Shared(&["<tool_calls>"])]),
        // <function_call> {"name": "get_weather", "arguments": {"city": "Oslo"}}
        Record::new(Format::Granite20bFc, "granite_20b_fc").signs(&[Common(&["<function_call>"])]),
        // <|tool_call|>[{"name": "send_message", "arguments": {"to": ["Ann", "李雷"], "body": "Running late 🚆, sorry!", "priority": 2}}]<|/tool_call|>
        Record::new(Format::Phi4, "phi4"),
    ],
    markers: markers! {
        Wrapper Internlm: "actionstart interpreter plugin";
        Close Internlm: "actionend";
        Wrapper Cohere: "startaction";
        Close Cohere: "endaction";
        Thinking Cohere: "startthinking";
        ThinkingEnd Cohere: "endthinking";
        Wrapper Granite20bFc: "functioncall";
        Wrapper Apertus: "toolsprefix";
        Close Apertus: "toolssuffix";
        Thinking Apertus: "innerprefix";
        ThinkingEnd Apertus: "innersuffix";
        Wrapper HunyuanA13b WithoutBars: "toolcalls";
    },
};
