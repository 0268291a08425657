//! Kimi and PLaMo: a section of calls, each with a name, a token and JSON; in K3 tags that are made
//! of three tokens.
//!
//! * Kimi K2 writes a name with prefix and counter, `functions.f:0`. Where its conversation showed
//!   it other ids, it writes an id alone (`call_3`): such a call is invalid.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/kimi.md`.

use super::record::Sign::Own;
use super::record::{Family, Record, Role, marker};
use crate::Format;

pub(super) static FAMILY: Family = Family {
    records: &[
        // <|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
        Record::new(Format::KimiK3, &["kimi_k3", "xtml"]).signs(&[Own(&[
            "<|open|>",
            "<|close|>",
            "<|sep|>",
        ])]),
        // <|tool_calls_section_begin|><|tool_call_begin|>functions.set_light:1<|tool_call_argument_begin|>{"room": "Küche", "level": 12.5, "on": false}<|tool_call_end|><|tool_calls_section_end|>
        Record::new(Format::KimiK2, &["kimi_k2", "kimi"])
            .signs(&[Own(&["<|tool_call_argument_begin|>"])]),
        // <|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_time<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"timezone": "Asia/Tokyo"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>
        Record::new(Format::Plamo3, &["plamo3"]).signs(&[Own(&["<|plamo:begin_tool_request"])]),
    ],
    markers: &[
        marker("close", Role::Channel, Format::KimiK3),
        marker("open", Role::Channel, Format::KimiK3),
        marker("plamobeginthinkplamo", Role::Thinking, Format::Plamo3),
        marker(
            "plamobegintoolargumentsplamo",
            Role::Separator,
            Format::Plamo3,
        ),
        marker("plamobegintoolnameplamo", Role::Separator, Format::Plamo3),
        marker("plamobegintoolrequestplamo", Role::Wrapper, Format::Plamo3),
        marker("plamobegintoolrequestsplamo", Role::Wrapper, Format::Plamo3),
        marker("plamoconstrain", Role::Separator, Format::Plamo3),
        marker("plamoconstrainplamo", Role::Separator, Format::Plamo3),
        marker("plamoendthinkplamo", Role::ThinkingEnd, Format::Plamo3),
        marker("plamoendtoolargumentsplamo", Role::Close, Format::Plamo3),
        marker("plamoendtoolnameplamo", Role::Separator, Format::Plamo3),
        marker("plamoendtoolrequestplamo", Role::Close, Format::Plamo3),
        marker("plamoendtoolrequestsplamo", Role::Close, Format::Plamo3),
        marker("plamomsg", Role::Separator, Format::Plamo3),
        marker("plamomsgplamo", Role::Separator, Format::Plamo3),
        marker("sep", Role::Channel, Format::KimiK3),
        marker("toolcallargumentbegin", Role::Separator, Format::KimiK2),
        marker("toolcallargumentsbegin", Role::Separator, Format::KimiK2),
        marker("toolcallsectionbegin", Role::Wrapper, Format::KimiK2),
        marker("toolcallsectionend", Role::Close, Format::KimiK2),
        marker("toolcallssectionbegin", Role::Wrapper, Format::KimiK2),
        marker("toolcallssectionend", Role::Close, Format::KimiK2),
    ],
};
