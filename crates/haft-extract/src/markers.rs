//! The table of markers: every tag and special token that belongs to a call, to thinking or to
//! the frame of a reply, by its letters alone.
//!
//! Sources: the chat templates of the models and the parsers of `vllm-project/vllm`,
//! `sgl-project/sglang`, `ggml-org/llama.cpp` and `ollama/ollama` that read them. How a marker is
//! cut out of a text is in [`tag`](crate::tag).

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
    pub(crate) format: &'static str,
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
    let mut slot = slot(letters);
    loop {
        let index = INDEX
            .get(slot % SLOTS)
            .copied()
            .filter(|index| *index != EMPTY)?;
        let marker = MARKERS.get(usize::from(index))?;
        if marker.letters.as_bytes() == letters {
            return Some(marker);
        }
        slot += 1;
    }
}

/// How many places the index has: a few times as many as there are markers, so that most are
/// found at the first look.
const SLOTS: usize = 1024;

/// Marks a place of the index that no marker took.
const EMPTY: u8 = u8::MAX;

/// Where each marker stands in the table, by its letters. Every tag of a reply is looked up, which
/// a search in the sorted table would make several times as slow.
static INDEX: [u8; SLOTS] = index();

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "evaluated by the compiler, which refuses what is out of range"
)]
const fn index() -> [u8; SLOTS] {
    let mut index = [EMPTY; SLOTS];
    assert!(MARKERS.len() < EMPTY as usize);
    let mut at = 0;
    while at < MARKERS.len() {
        let mut slot = slot(MARKERS[at].letters.as_bytes());
        while index[slot % SLOTS] != EMPTY {
            slot += 1;
        }
        index[slot % SLOTS] = at as u8;
        at += 1;
    }
    index
}

/// The place of letters in the index, by their number, first, middle and last.
const fn slot(letters: &[u8]) -> usize {
    let (Some(first), Some(last)) = (letters.first(), letters.last()) else {
        return 0;
    };
    let (_, half) = letters.split_at(letters.len() / 2);
    let middle = match half.first() {
        Some(middle) => *middle,
        None => 0,
    };
    letters.len() * 149 + *first as usize * 31 + middle as usize * 7 + *last as usize
}

const fn marker(letters: &'static str, role: Role, format: &'static str) -> Marker {
    Marker {
        letters,
        role,
        format,
    }
}

/// Sorted by letters.
static MARKERS: &[Marker] = &[
    marker("actionend", Role::Close, "internlm"),
    marker("actionstart", Role::Wrapper, "internlm"),
    marker("argkey", Role::Key, "glm45"),
    marker("args", Role::Separator, "mistral_args"),
    marker("argtype", Role::Type, "glm45"),
    marker("argvalue", Role::Value, "glm45"),
    marker("assistant", Role::Noise, "auto"),
    marker("assistantend", Role::Noise, "auto"),
    marker("assistantstart", Role::Noise, "auto"),
    marker("atemfunctioncalls", Role::Wrapper, "muse_atem"),
    marker("ateminvoke", Role::Invoke, "muse_atem"),
    marker("atemparameter", Role::Parameter, "muse_atem"),
    marker("beginfinalresponse", Role::ThinkingEnd, "apriel"),
    marker("beginofsentence", Role::Noise, "auto"),
    marker("beginofsolution", Role::Noise, "auto"),
    marker("beginoftext", Role::Noise, "auto"),
    marker("beginofthought", Role::Thinking, "hermes"),
    marker("call", Role::Channel, "harmony"),
    marker("callid", Role::Separator, "mistral_args"),
    marker("channel", Role::Channel, "harmony"),
    marker("chatbottoken", Role::Noise, "auto"),
    marker("close", Role::Channel, "kimi_k3"),
    marker("constrain", Role::Channel, "harmony"),
    marker("content", Role::Channel, "functionary_v32"),
    marker("contentinvoketooljson", Role::Channel, "inkling"),
    marker("contentinvoketooltext", Role::Channel, "inkling"),
    marker("contentmodelendsampling", Role::Noise, "auto"),
    marker("contenttext", Role::Channel, "inkling"),
    marker("contentthinking", Role::Channel, "inkling"),
    marker("contenttoolerror", Role::Channel, "inkling"),
    marker("dotsfunctioncall", Role::Wrapper, "dots"),
    marker("dsmlcalls", Role::Wrapper, "deepseek_v32"),
    marker("dsmlfunctioncall", Role::Wrapper, "deepseek_v32"),
    marker("dsmlfunctioncalls", Role::Wrapper, "deepseek_v32"),
    marker("dsmlinvoke", Role::Invoke, "deepseek_v32"),
    marker("dsmlparameter", Role::Parameter, "deepseek_v32"),
    marker("dsmltool", Role::Invoke, "deepseek_v32"),
    marker("dsmltoolcall", Role::Wrapper, "deepseek_v32"),
    marker("dsmltoolcalls", Role::Wrapper, "deepseek_v32"),
    marker("dsmltools", Role::Wrapper, "deepseek_v32"),
    marker("dsmltooluse", Role::Wrapper, "deepseek_v32"),
    marker("end", Role::Channel, "harmony"),
    marker("endaction", Role::Close, "cohere"),
    marker("endfinalresponse", Role::Noise, "auto"),
    marker("endfunctioncall", Role::Close, "functiongemma"),
    marker("endfunctionresponse", Role::Noise, "auto"),
    marker("endheaderid", Role::Noise, "auto"),
    marker("endmessage", Role::Channel, "inkling"),
    marker("endofrole", Role::Noise, "auto"),
    marker("endofsentence", Role::Noise, "auto"),
    marker("endofsolution", Role::Noise, "auto"),
    marker("endoftext", Role::Noise, "auto"),
    marker("endofthought", Role::ThinkingEnd, "hermes"),
    marker("endoftoolcall", Role::Close, "hy_v3"),
    marker("endofturn", Role::Noise, "auto"),
    marker("endofturntoken", Role::Noise, "auto"),
    marker("endresponse", Role::Noise, "auto"),
    marker("endtext", Role::Noise, "auto"),
    marker("endthinking", Role::ThinkingEnd, "cohere"),
    marker("endtoolrequest", Role::Close, "hermes"),
    marker("eom", Role::Channel, "harmony"),
    marker("eomid", Role::Noise, "auto"),
    marker("eos", Role::Noise, "auto"),
    marker("eot", Role::Noise, "auto"),
    marker("eotid", Role::Noise, "auto"),
    marker("escape", Role::Quote, "functiongemma"),
    marker("from", Role::Channel, "functionary_v32"),
    marker("function", Role::Invoke, "qwen3_coder"),
    marker("functioncall", Role::Wrapper, "granite_20b_fc"),
    marker("functioncallbegin", Role::Wrapper, "hermes"),
    marker("functioncallend", Role::Close, "hermes"),
    marker("functioncalls", Role::Wrapper, "olmo3"),
    marker("functions", Role::Wrapper, "minicpm5"),
    marker("gcmlcalls", Role::Wrapper, "gigachat35"),
    marker("gcmlfunctioncalls", Role::Wrapper, "gigachat35"),
    marker("gcmlinvoke", Role::Invoke, "gigachat35"),
    marker("gcmlparameter", Role::Parameter, "gigachat35"),
    marker("gcmltoolcalls", Role::Wrapper, "gigachat35"),
    marker("headerend", Role::Noise, "auto"),
    marker("headerstart", Role::Noise, "auto"),
    marker("ifmargkey", Role::Key, "k2_horizon"),
    marker("ifmargtype", Role::Type, "k2_horizon"),
    marker("ifmargvalue", Role::Value, "k2_horizon"),
    marker("ifmthink", Role::Thinking, "k2_horizon"),
    marker("ifmthinkfast", Role::Thinking, "k2_horizon"),
    marker("ifmthinkfaster", Role::Thinking, "k2_horizon"),
    marker("ifmtoolcall", Role::Wrapper, "k2_horizon"),
    marker("ifmtoolcalls", Role::Wrapper, "k2_horizon"),
    marker("imend", Role::Noise, "auto"),
    marker("imstart", Role::Noise, "auto"),
    marker("innerprefix", Role::Thinking, "apertus"),
    marker("innersuffix", Role::ThinkingEnd, "apertus"),
    marker("interpreter", Role::Wrapper, "internlm"),
    marker("invoke", Role::Invoke, "anthropic_xml"),
    marker("iquesttoolcall", Role::Wrapper, "iquest_q1"),
    marker("longcatargkey", Role::Key, "longcat"),
    marker("longcatargvalue", Role::Value, "longcat"),
    marker("longcattoolcall", Role::Wrapper, "longcat"),
    marker("message", Role::Channel, "harmony"),
    marker("messagemodel", Role::Channel, "inkling"),
    marker("messagesep", Role::Noise, "auto"),
    marker("minimaxtoolcall", Role::Wrapper, "minimax_m2"),
    marker("mmthink", Role::Thinking, "hermes"),
    marker("observation", Role::Noise, "auto"),
    marker("open", Role::Channel, "kimi_k3"),
    marker("param", Role::Parameter, "minicpm5"),
    marker("parameter", Role::Parameter, "qwen3_coder"),
    marker("plamobeginresponseplamo", Role::Noise, "auto"),
    marker("plamobeginthinkplamo", Role::Thinking, "plamo3"),
    marker("plamobegintoolargumentsplamo", Role::Separator, "plamo3"),
    marker("plamobegintoolnameplamo", Role::Separator, "plamo3"),
    marker("plamobegintoolrequestplamo", Role::Wrapper, "plamo3"),
    marker("plamobegintoolrequestsplamo", Role::Wrapper, "plamo3"),
    marker("plamoconstrain", Role::Separator, "plamo3"),
    marker("plamoconstrainplamo", Role::Separator, "plamo3"),
    marker("plamoendplamo", Role::Noise, "auto"),
    marker("plamoendresponseplamo", Role::Noise, "auto"),
    marker("plamoendthinkplamo", Role::ThinkingEnd, "plamo3"),
    marker("plamoendtoolargumentsplamo", Role::Close, "plamo3"),
    marker("plamoendtoolnameplamo", Role::Separator, "plamo3"),
    marker("plamoendtoolrequestplamo", Role::Close, "plamo3"),
    marker("plamoendtoolrequestsplamo", Role::Close, "plamo3"),
    marker("plamomsg", Role::Separator, "plamo3"),
    marker("plamomsgplamo", Role::Separator, "plamo3"),
    marker("plamotag", Role::Noise, "auto"),
    marker("plugin", Role::Wrapper, "internlm"),
    marker("pythonend", Role::Close, "pythonic"),
    marker("pythonstart", Role::Wrapper, "pythonic"),
    marker("pythontag", Role::Wrapper, "llama3_json"),
    marker("quote", Role::Quote, "gemma4"),
    marker("reasoning", Role::Thinking, "hermes"),
    marker("recipient", Role::Channel, "functionary_v32"),
    marker("return", Role::Channel, "harmony"),
    marker("rflparameter", Role::Parameter, "beam"),
    marker("roleend", Role::Noise, "auto"),
    marker("rolesep", Role::Separator, "gigachat3"),
    marker("s", Role::Noise, "auto"),
    marker("seedthink", Role::Thinking, "hermes"),
    marker("seedtoolcall", Role::Wrapper, "seed_oss"),
    marker("sep", Role::Channel, "kimi_k3"),
    marker("start", Role::Channel, "harmony"),
    marker("startaction", Role::Wrapper, "cohere"),
    marker("startfunctioncall", Role::Wrapper, "functiongemma"),
    marker("startfunctionresponse", Role::Noise, "auto"),
    marker("startheaderid", Role::Noise, "auto"),
    marker("startofrole", Role::Noise, "auto"),
    marker("startoftext", Role::Noise, "auto"),
    marker("startofturn", Role::Noise, "auto"),
    marker("startresponse", Role::Noise, "auto"),
    marker("starttext", Role::Noise, "auto"),
    marker("startthinking", Role::Thinking, "cohere"),
    marker("steptmlinvoke", Role::Invoke, "step3"),
    marker("steptmlparameter", Role::Parameter, "step3"),
    marker("systemend", Role::Noise, "auto"),
    marker("think", Role::Thinking, "hermes"),
    marker("thinking", Role::Thinking, "hermes"),
    marker("thought", Role::Thinking, "hermes"),
    marker("thoughtend", Role::ThinkingEnd, "hermes"),
    marker("thoughts", Role::Thinking, "hermes"),
    marker("thoughtstart", Role::Thinking, "hermes"),
    marker("tool", Role::Wrapper, "hermes"),
    marker("toolcall", Role::Wrapper, "hermes"),
    marker("toolcallargumentbegin", Role::Separator, "kimi_k2"),
    marker("toolcallargumentsbegin", Role::Separator, "kimi_k2"),
    marker("toolcallbegin", Role::Wrapper, "deepseek_v3"),
    marker("toolcallend", Role::Close, "lfm2"),
    marker("toolcalling", Role::Wrapper, "hermes"),
    marker("toolcalls", Role::Wrapper, "hunyuan_a13b"),
    marker("toolcallsbegin", Role::Wrapper, "deepseek_v3"),
    marker("toolcallsectionbegin", Role::Wrapper, "kimi_k2"),
    marker("toolcallsectionend", Role::Close, "kimi_k2"),
    marker("toolcallsend", Role::Close, "deepseek_v3"),
    marker("toolcallssectionbegin", Role::Wrapper, "kimi_k2"),
    marker("toolcallssectionend", Role::Close, "kimi_k2"),
    marker("toolcallstart", Role::Wrapper, "lfm2"),
    marker("toolcode", Role::Wrapper, "gemma_tool_code"),
    marker("tooloutputbegin", Role::Noise, "auto"),
    marker("tooloutputend", Role::Noise, "auto"),
    marker("tooloutputsbegin", Role::Noise, "auto"),
    marker("tooloutputsend", Role::Noise, "auto"),
    marker("toolrequest", Role::Wrapper, "hermes"),
    marker("toolrequestend", Role::Close, "hermes"),
    marker("toolresponse", Role::Noise, "auto"),
    marker("toolresponses", Role::Noise, "auto"),
    marker("tools", Role::Wrapper, "hermes"),
    marker("toolsep", Role::Separator, "deepseek_v31"),
    marker("toolsprefix", Role::Wrapper, "apertus"),
    marker("toolssuffix", Role::Close, "apertus"),
    marker("tooluse", Role::Wrapper, "hermes"),
    marker("turn", Role::Noise, "auto"),
];

#[cfg(test)]
mod tests;
