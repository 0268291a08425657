//! Mistral: `[TOOL_CALLS]` before a list of objects, or before each name and its object.
//!
//! * Servers that drop special tokens leave a name and an object glued together; that is read where
//!   the line begins with it.
//! * The list may lack its last bracket.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/mistral.md`.

use super::record::Sign::Own;
use super::record::{Family, Record, markers};
use crate::Format;

pub(super) static FAMILY: Family = Family {
    records: &[
        // [TOOL_CALLS]search_files{"pattern": "*.rs", "max_results": 5}
        Record::new(Format::MistralArgs, "mistral_args ministral devstral")
            .signs(&[Own(&["[TOOL_CALLS]", "[ARGS]"])]),
        // [TOOL_CALLS] [{"name": "set_light", "arguments": {"room": "kitchen", "level": 40, "on": true}, "id": "9mKbTqW0x"}]
        Record::new(Format::Mistral, "mistral").signs(&[Own(&["[TOOL_CALLS]"])]),
        // <TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</TOOLCALL>
        Record::new(Format::NemotronV2, "nemotron_v2 nemotron_deci").signs(&[Own(&["<TOOLCALL>"])]),
    ],
    markers: markers! {
        Separator MistralArgs: "args callid";
    },
};
