//! The formats in which models write calls: a file for each family, with the names, the markers and
//! what betrays each format in a chat template.
//!
//! A format of known parts is a variant in the list below, and a record and its markers in the file
//! of its family; `docs/contributing.md` goes through it. Here are the public [`Format`] and the
//! look-ups; what a record consists of is in `record`, `structural_tag` makes a grammar of one, and
//! `frame` has what belongs to no format: thinking, and tokens that are dropped.

#[macro_use]
mod record;

mod frame;
mod structural_tag;

use std::fmt;
use std::sync::LazyLock;

use memchr::memmem;

use crate::limits;
use record::{Family, Record};
pub(crate) use record::{Marker, Property, Role};
use rustc_hash::FxHashMap;

/// Makes the formats: for each family, which is a module of that name, the variants.
macro_rules! formats {
    ($($family:ident: $($variant:ident),+;)+) => {
        $(mod $family;)+

        /// A format by name. [`Format::Auto`] recognises all of them.
        ///
        /// ```
        /// use haft_extract::Format;
        ///
        /// assert_eq!(Format::named("qwen3_coder"), Some(Format::Qwen3Coder));
        /// assert_eq!(Format::named("Qwen2.5"), Some(Format::Hermes));
        /// assert_eq!(Format::named("morse"), None);
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Format {
            /// All of them: it is told from the reply.
            #[default]
            Auto,
            $($(
                #[doc = concat!("Described in `docs/formats/", stringify!($family), ".md`.")]
                $variant,
            )+)+
        }

        const ALL: &[Format] = &[Format::Auto, $($(Format::$variant),+),+];

        /// All families, in the order in which their signs are looked for in a template.
        static FAMILIES: &[&Family] = &[&frame::FAMILY, $(&$family::FAMILY),+];
    };
}

formats! {
    xml: Step3, MinimaxM3, MinimaxM2, SeedOss, Dots, Minicpm5, AnthropicXml;
    deepseek: DeepseekV41, DeepseekV32, DeepseekV4, Gigachat35, DeepseekV3, DeepseekV31, Gigachat3;
    kimi: KimiK3, KimiK2, Plamo3;
    channels: MuseAtem, Inkling, Beam, Harmony;
    glm: K2Horizon, IquestQ1, HyV3, Glm47, Glm45;
    qwen: Longcat, Qwen3Coder, MinimaxM1, Apriel, Granite4, Hermes, Ernie45;
    tokens: Apertus, Internlm, Cohere, CohereR, Phi4mini, Granite, Sarashina, Jamba, HunyuanA13b, Granite20bFc, Phi4;
    llama: Lfm2, Pythonic, Olmo3, FunctionaryV31, FunctionaryV32, Llama3Json, Firefunction, Xlam;
    gemma: Functiongemma, Gemma4, GemmaToolCode, Gemma3;
    mistral: MistralArgs, Mistral, NemotronV2;
    plain: React, BareJson, JsonFence, PlainCall;
}

/// All markers, by their letters, which no two of them share.
static MARKERS: LazyLock<FxHashMap<&[u8], Marker>> = LazyLock::new(|| {
    let all = FAMILIES.iter().flat_map(|family| family.markers);
    let markers = all.flat_map(Marker::each);
    markers.map(|it| (it.letters.as_bytes(), it)).collect()
});

fn records() -> impl Iterator<Item = &'static Record> {
    FAMILIES.iter().flat_map(|family| family.records)
}

/// The marker with these letters.
pub(crate) fn marker(letters: &[u8]) -> Option<&'static Marker> {
    MARKERS.get(letters)
}

impl Format {
    /// Its name, then other names by which servers and people know it.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.record().map_or("auto", |it| it.names).split(' ')
    }

    /// The format of that name: ours, or another by which a server or its users know it. Case and
    /// punctuation do not matter.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let wanted = folded(name);
        let is_meant = |format: &Self| format.names().any(|name| folded(name) == wanted);
        Self::all().find(is_meant)
    }

    /// The format that a chat template in Jinja (Hugging Face, llama.cpp) or Go (Ollama) asks the
    /// model for, if its markers show one. The template is not run.
    ///
    /// ```
    /// use haft_extract::Format;
    ///
    /// let template = "{%- for call in calls %}<tool_call>{{ call | tojson }}</tool_call>{% endfor %}";
    /// assert_eq!(Format::from_chat_template(template).map(Format::name), Some("hermes"));
    /// assert_eq!(Format::from_chat_template("<|im_start|>user\n{{ .Prompt }}<|im_end|>"), None);
    /// ```
    #[must_use]
    pub fn from_chat_template(template: &str) -> Option<Self> {
        if template.len() > limits::TEMPLATE {
            return None;
        }
        let holds = |part: &&str| memmem::find(template.as_bytes(), part.as_bytes()).is_some();
        let shown = records()
            .flat_map(|record| record.signs.iter().map(|sign| (sign, record.format)))
            .filter(|(sign, _)| sign.parts.iter().all(holds));
        // The first of those that say most.
        let shown = shown.min_by_key(|(sign, _)| sign.strength);
        shown.map(|(_, format)| format)
    }

    /// Its first name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names().next().unwrap_or("auto")
    }

    /// A call in this format; empty for [`Format::Auto`].
    ///
    /// ```
    /// use haft_extract::Format;
    ///
    /// assert_eq!(Format::PlainCall.example(), "get_weather(city=\"Oslo\")");
    /// ```
    #[must_use]
    pub fn example(self) -> String {
        let lines = self.record().map_or(&[][..], |record| record.example);
        let plain = |line: &&'static str| line.strip_prefix(' ').unwrap_or(line);
        lines.iter().map(plain).collect::<Vec<_>>().join("\n")
    }

    /// All formats, `auto` first.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().copied()
    }

    /// True if the format has this trait.
    pub(crate) fn has(self, wanted: Property) -> bool {
        self.record()
            .is_some_and(|it| it.properties.contains(&wanted))
    }

    fn record(self) -> Option<&'static Record> {
        records().find(|record| record.format == self)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The letters and digits of a name, in small letters.
pub(crate) fn folded(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests;
