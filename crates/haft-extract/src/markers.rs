//! The table of markers: every tag and special token that belongs to a call, to thinking or to
//! the frame of a reply, by its letters alone.
//!
//! Sources: the chat templates of the models and the parsers of `vllm-project/vllm`,
//! `sgl-project/sglang`, `ggml-org/llama.cpp` and `ollama/ollama` that read them. How a marker is
//! cut out of a text is in [`tag`](crate::tag).

use crate::Format;

/// What a marker means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Calls stand inside: `<tool_call>`, `[TOOL_CALLS]`.
    Wrapper,
    /// Ends what some wrapper opened, in families where the closing token has a name of its own.
    Close,
    /// Opens a call and has its name: `<function=N>`, `<invoke name="N">`.
    Invoke,
    /// Opens a parameter and has its name: `<parameter=K>`.
    Parameter,
    /// The name of a parameter stands inside: `<arg_key>`.
    Key,
    /// The value of a parameter stands inside: `<arg_value>`.
    Value,
    /// The type of a value stands inside: `<arg_type>`.
    Type,
    /// Stands between the name of a call and its arguments.
    Separator,
    /// A token that stands for a quotation mark.
    Quote,
    /// Thinking stands inside.
    Thinking,
    /// Ends thinking, in families where the closing token has a name of its own.
    ThinkingEnd,
    /// Part of the header of a channel.
    Channel,
    /// Belongs to the frame of a reply: dropped.
    Noise,
}

/// One marker.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    /// Its letters and digits, in small letters.
    pub(crate) letters: &'static str,
    /// What it means.
    pub(crate) role: Role,
    /// The format that it is typical of.
    pub(crate) format: Format,
}

impl Marker {
    /// True when it is recognised without its closing bracket.
    pub(crate) fn survives_damage(&self) -> bool {
        let is_short = self.letters.len() < 6;
        !is_short && !matches!(self.role, Role::Noise | Role::Thinking | Role::Channel)
    }

    /// True when some family writes it in square brackets. Others stand there in text and in
    /// programs: `[SEP]`, `[CALL] = 4`.
    pub(crate) fn is_square(&self) -> bool {
        match self.role {
            Role::Wrapper | Role::Separator => true,
            Role::Close => matches!(self.letters, "endtoolrequest" | "toolrequestend"),
            Role::Thinking => self.letters == "think",
            Role::ThinkingEnd | Role::Noise => self.letters.ends_with("finalresponse"),
            _ => false,
        }
    }

    /// True for a wrapper that its template closes with a tag of the same name.
    pub(crate) fn is_closed(&self, barred: bool) -> bool {
        const PREFIXES: [&str; 4] = ["dsml", "gcml", "atem", "ifm"];
        let has_prefix = PREFIXES
            .iter()
            .any(|prefix| self.letters.starts_with(prefix));
        let named = [
            "toolcall",
            "toolcalls",
            "toolcalling",
            "functioncalls",
            "dotsfunctioncall",
            "iquesttoolcall",
            "longcattoolcall",
            "minimaxtoolcall",
            "seedtoolcall",
            "tooluse",
        ];
        self.role == Role::Wrapper && (has_prefix || (!barred && named.contains(&self.letters)))
    }

    /// True when a colon and a suffix may follow its name: `<tool_call:7f3a>` of Hunyuan 4.
    pub(crate) fn takes_suffix(&self) -> bool {
        matches!(
            self.role,
            Role::Wrapper
                | Role::Close
                | Role::Key
                | Role::Value
                | Role::Separator
                | Role::Thinking
        )
    }
}

/// The marker with these letters.
pub(crate) fn find(letters: &[u8]) -> Option<&'static Marker> {
    let found = MARKERS.binary_search_by(|marker| marker.letters.as_bytes().cmp(letters));
    found.ok().and_then(|at| MARKERS.get(at))
}

const fn marker(letters: &'static str, role: Role, format: Format) -> Marker {
    Marker {
        letters,
        role,
        format,
    }
}

/// Sorted by letters.
static MARKERS: &[Marker] = &[
    marker("actionend", Role::Close, Format::Internlm),
    marker("actionstart", Role::Wrapper, Format::Internlm),
    marker("argkey", Role::Key, Format::Glm45),
    marker("args", Role::Separator, Format::MistralArgs),
    marker("argtype", Role::Type, Format::Glm45),
    marker("argvalue", Role::Value, Format::Glm45),
    marker("assistant", Role::Noise, Format::Auto),
    marker("assistantend", Role::Noise, Format::Auto),
    marker("assistantstart", Role::Noise, Format::Auto),
    marker("atemfunctioncalls", Role::Wrapper, Format::MuseAtem),
    marker("ateminvoke", Role::Invoke, Format::MuseAtem),
    marker("atemparameter", Role::Parameter, Format::MuseAtem),
    marker("beginfinalresponse", Role::ThinkingEnd, Format::Apriel),
    marker("beginofsentence", Role::Noise, Format::Auto),
    marker("beginofsolution", Role::Noise, Format::Auto),
    marker("beginoftext", Role::Noise, Format::Auto),
    marker("beginofthought", Role::Thinking, Format::Hermes),
    marker("call", Role::Channel, Format::Harmony),
    marker("callid", Role::Separator, Format::MistralArgs),
    marker("channel", Role::Channel, Format::Harmony),
    marker("chatbottoken", Role::Noise, Format::Auto),
    marker("close", Role::Channel, Format::KimiK3),
    marker("constrain", Role::Channel, Format::Harmony),
    marker("content", Role::Channel, Format::FunctionaryV32),
    marker("contentinvoketooljson", Role::Channel, Format::Inkling),
    marker("contentinvoketooltext", Role::Channel, Format::Inkling),
    marker("contentmodelendsampling", Role::Noise, Format::Auto),
    marker("contenttext", Role::Channel, Format::Inkling),
    marker("contentthinking", Role::Channel, Format::Inkling),
    marker("contenttoolerror", Role::Channel, Format::Inkling),
    marker("dotsfunctioncall", Role::Wrapper, Format::Dots),
    marker("dsmlcalls", Role::Wrapper, Format::DeepseekV32),
    marker("dsmlfunctioncall", Role::Wrapper, Format::DeepseekV32),
    marker("dsmlfunctioncalls", Role::Wrapper, Format::DeepseekV32),
    marker("dsmlinvoke", Role::Invoke, Format::DeepseekV32),
    marker("dsmlparameter", Role::Parameter, Format::DeepseekV32),
    marker("dsmltool", Role::Invoke, Format::DeepseekV32),
    marker("dsmltoolcall", Role::Wrapper, Format::DeepseekV32),
    marker("dsmltoolcalls", Role::Wrapper, Format::DeepseekV32),
    marker("dsmltools", Role::Wrapper, Format::DeepseekV32),
    marker("dsmltooluse", Role::Wrapper, Format::DeepseekV32),
    marker("end", Role::Channel, Format::Harmony),
    marker("endaction", Role::Close, Format::Cohere),
    marker("endfinalresponse", Role::Noise, Format::Auto),
    marker("endfunctioncall", Role::Close, Format::Functiongemma),
    marker("endfunctionresponse", Role::Noise, Format::Auto),
    marker("endheaderid", Role::Noise, Format::Auto),
    marker("endmessage", Role::Channel, Format::Inkling),
    marker("endofrole", Role::Noise, Format::Auto),
    marker("endofsentence", Role::Noise, Format::Auto),
    marker("endofsolution", Role::Noise, Format::Auto),
    marker("endoftext", Role::Noise, Format::Auto),
    marker("endofthought", Role::ThinkingEnd, Format::Hermes),
    marker("endoftoolcall", Role::Close, Format::HyV3),
    marker("endofturn", Role::Noise, Format::Auto),
    marker("endofturntoken", Role::Noise, Format::Auto),
    marker("endresponse", Role::Noise, Format::Auto),
    marker("endtext", Role::Noise, Format::Auto),
    marker("endthinking", Role::ThinkingEnd, Format::Cohere),
    marker("endtoolrequest", Role::Close, Format::Hermes),
    marker("eom", Role::Channel, Format::Harmony),
    marker("eomid", Role::Noise, Format::Auto),
    marker("eos", Role::Noise, Format::Auto),
    marker("eot", Role::Noise, Format::Auto),
    marker("eotid", Role::Noise, Format::Auto),
    marker("escape", Role::Quote, Format::Functiongemma),
    marker("from", Role::Channel, Format::FunctionaryV32),
    marker("function", Role::Invoke, Format::Qwen3Coder),
    marker("functioncall", Role::Wrapper, Format::Granite20bFc),
    marker("functioncallbegin", Role::Wrapper, Format::Hermes),
    marker("functioncallend", Role::Close, Format::Hermes),
    marker("functioncalls", Role::Wrapper, Format::Olmo3),
    marker("functions", Role::Wrapper, Format::Minicpm5),
    marker("gcmlcalls", Role::Wrapper, Format::Gigachat35),
    marker("gcmlfunctioncalls", Role::Wrapper, Format::Gigachat35),
    marker("gcmlinvoke", Role::Invoke, Format::Gigachat35),
    marker("gcmlparameter", Role::Parameter, Format::Gigachat35),
    marker("gcmltoolcalls", Role::Wrapper, Format::Gigachat35),
    marker("headerend", Role::Noise, Format::Auto),
    marker("headerstart", Role::Noise, Format::Auto),
    marker("ifmargkey", Role::Key, Format::K2Horizon),
    marker("ifmargtype", Role::Type, Format::K2Horizon),
    marker("ifmargvalue", Role::Value, Format::K2Horizon),
    marker("ifmthink", Role::Thinking, Format::K2Horizon),
    marker("ifmthinkfast", Role::Thinking, Format::K2Horizon),
    marker("ifmthinkfaster", Role::Thinking, Format::K2Horizon),
    marker("ifmtoolcall", Role::Wrapper, Format::K2Horizon),
    marker("ifmtoolcalls", Role::Wrapper, Format::K2Horizon),
    marker("imend", Role::Noise, Format::Auto),
    marker("imstart", Role::Noise, Format::Auto),
    marker("innerprefix", Role::Thinking, Format::Apertus),
    marker("innersuffix", Role::ThinkingEnd, Format::Apertus),
    marker("interpreter", Role::Wrapper, Format::Internlm),
    marker("invoke", Role::Invoke, Format::AnthropicXml),
    marker("iquesttoolcall", Role::Wrapper, Format::IquestQ1),
    marker("longcatargkey", Role::Key, Format::Longcat),
    marker("longcatargvalue", Role::Value, Format::Longcat),
    marker("longcattoolcall", Role::Wrapper, Format::Longcat),
    marker("message", Role::Channel, Format::Harmony),
    marker("messagemodel", Role::Channel, Format::Inkling),
    marker("messagesep", Role::Noise, Format::Auto),
    marker("minimaxtoolcall", Role::Wrapper, Format::MinimaxM2),
    marker("mmthink", Role::Thinking, Format::Hermes),
    marker("observation", Role::Noise, Format::Auto),
    marker("open", Role::Channel, Format::KimiK3),
    marker("param", Role::Parameter, Format::Minicpm5),
    marker("parameter", Role::Parameter, Format::Qwen3Coder),
    marker("plamobeginresponseplamo", Role::Noise, Format::Auto),
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
    marker("plamoendplamo", Role::Noise, Format::Auto),
    marker("plamoendresponseplamo", Role::Noise, Format::Auto),
    marker("plamoendthinkplamo", Role::ThinkingEnd, Format::Plamo3),
    marker("plamoendtoolargumentsplamo", Role::Close, Format::Plamo3),
    marker("plamoendtoolnameplamo", Role::Separator, Format::Plamo3),
    marker("plamoendtoolrequestplamo", Role::Close, Format::Plamo3),
    marker("plamoendtoolrequestsplamo", Role::Close, Format::Plamo3),
    marker("plamomsg", Role::Separator, Format::Plamo3),
    marker("plamomsgplamo", Role::Separator, Format::Plamo3),
    marker("plamotag", Role::Noise, Format::Auto),
    marker("plugin", Role::Wrapper, Format::Internlm),
    marker("pythonend", Role::Close, Format::Pythonic),
    marker("pythonstart", Role::Wrapper, Format::Pythonic),
    marker("pythontag", Role::Wrapper, Format::Llama3Json),
    marker("quote", Role::Quote, Format::Gemma4),
    marker("reasoning", Role::Thinking, Format::Hermes),
    marker("recipient", Role::Channel, Format::FunctionaryV32),
    marker("return", Role::Channel, Format::Harmony),
    marker("rflparameter", Role::Parameter, Format::Beam),
    marker("roleend", Role::Noise, Format::Auto),
    marker("rolesep", Role::Separator, Format::Gigachat3),
    marker("s", Role::Noise, Format::Auto),
    marker("seedthink", Role::Thinking, Format::Hermes),
    marker("seedtoolcall", Role::Wrapper, Format::SeedOss),
    marker("sep", Role::Channel, Format::KimiK3),
    marker("start", Role::Channel, Format::Harmony),
    marker("startaction", Role::Wrapper, Format::Cohere),
    marker("startfunctioncall", Role::Wrapper, Format::Functiongemma),
    marker("startfunctionresponse", Role::Noise, Format::Auto),
    marker("startheaderid", Role::Noise, Format::Auto),
    marker("startofrole", Role::Noise, Format::Auto),
    marker("startoftext", Role::Noise, Format::Auto),
    marker("startofturn", Role::Noise, Format::Auto),
    marker("startresponse", Role::Noise, Format::Auto),
    marker("starttext", Role::Noise, Format::Auto),
    marker("startthinking", Role::Thinking, Format::Cohere),
    marker("steptmlinvoke", Role::Invoke, Format::Step3),
    marker("steptmlparameter", Role::Parameter, Format::Step3),
    marker("systemend", Role::Noise, Format::Auto),
    marker("think", Role::Thinking, Format::Hermes),
    marker("thinking", Role::Thinking, Format::Hermes),
    marker("thought", Role::Thinking, Format::Hermes),
    marker("thoughtend", Role::ThinkingEnd, Format::Hermes),
    marker("thoughts", Role::Thinking, Format::Hermes),
    marker("thoughtstart", Role::Thinking, Format::Hermes),
    marker("tool", Role::Wrapper, Format::Hermes),
    marker("toolcall", Role::Wrapper, Format::Hermes),
    marker("toolcallargumentbegin", Role::Separator, Format::KimiK2),
    marker("toolcallargumentsbegin", Role::Separator, Format::KimiK2),
    marker("toolcallbegin", Role::Wrapper, Format::DeepseekV3),
    marker("toolcallend", Role::Close, Format::Lfm2),
    marker("toolcalling", Role::Wrapper, Format::Hermes),
    marker("toolcalls", Role::Wrapper, Format::HunyuanA13b),
    marker("toolcallsbegin", Role::Wrapper, Format::DeepseekV3),
    marker("toolcallsectionbegin", Role::Wrapper, Format::KimiK2),
    marker("toolcallsectionend", Role::Close, Format::KimiK2),
    marker("toolcallsend", Role::Close, Format::DeepseekV3),
    marker("toolcallssectionbegin", Role::Wrapper, Format::KimiK2),
    marker("toolcallssectionend", Role::Close, Format::KimiK2),
    marker("toolcallstart", Role::Wrapper, Format::Lfm2),
    marker("toolcode", Role::Wrapper, Format::GemmaToolCode),
    marker("tooloutputbegin", Role::Noise, Format::Auto),
    marker("tooloutputend", Role::Noise, Format::Auto),
    marker("tooloutputsbegin", Role::Noise, Format::Auto),
    marker("tooloutputsend", Role::Noise, Format::Auto),
    marker("toolrequest", Role::Wrapper, Format::Hermes),
    marker("toolrequestend", Role::Close, Format::Hermes),
    marker("toolresponse", Role::Noise, Format::Auto),
    marker("toolresponses", Role::Noise, Format::Auto),
    marker("tools", Role::Wrapper, Format::Hermes),
    marker("toolsep", Role::Separator, Format::DeepseekV31),
    marker("toolsprefix", Role::Wrapper, Format::Apertus),
    marker("toolssuffix", Role::Close, Format::Apertus),
    marker("tooluse", Role::Wrapper, Format::Hermes),
    marker("turn", Role::Noise, Format::Auto),
];

#[cfg(test)]
mod tests;
