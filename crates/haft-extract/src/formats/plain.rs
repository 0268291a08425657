//! Without markers: calls that nothing announces but their own form.
//!
//! * They count where the line or the fence holds nothing but calls of bound tools, and where the
//!   text around them makes the call instead of mentioning it.
//! * `plain_call` is what haft teaches models that have no format of their own.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/plain.md`.

use super::record::Sign::Common;
use super::record::{Family, Record};
use crate::Format;

pub(super) static FAMILY: Family = Family {
    records: &[
        // Action: get_weather
        // Action Input: {"city": "Oslo"}
        Record::new(Format::React, "react").signs(&[Common(&["Action Input:", "Observation:"])]),
        // {"name": "get_weather", "arguments": {"city": "Oslo"}}
        Record::new(Format::BareJson, "bare_json json"),
        // ```json
        // {"name": "get_weather", "arguments": {"city": "Oslo"}}
        // ```
        Record::new(Format::JsonFence, "json_fence"),
        // get_weather(city="Oslo")
        Record::new(Format::PlainCall, "plain_call"),
    ],
    markers: &[],
};
