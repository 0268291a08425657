//! Reads the head of a model file: what the model is, without its weights.
//!
//! The format is described in `ggml-org/ggml: docs/gguf.md`: a magic number, keys with values, and
//! a list of tensors with their places; the weights follow. The file is somebody else's, so every
//! length is bounded before anything is allocated.

mod reader;

use std::collections::HashMap;
use std::io::{self, BufRead, Seek};

use self::reader::Reader;

/// The first bytes of every model file.
const MAGIC: &[u8; 4] = b"GGUF";

/// The versions of the format that are read; version 1 had shorter lengths and is no longer found.
const VERSIONS: [u32; 2] = [2, 3];

/// The most keys and the most tensors; a model of 400 billion parameters has some thousand.
const MOST_ENTRIES: u64 = 1 << 17;

/// The keys of the vocabulary's texts, and of the tokens that begin and end a text.
const TOKENS: &str = "tokenizer.ggml.tokens";
const BOS: &str = "tokenizer.ggml.bos_token_id";
const EOS: &str = "tokenizer.ggml.eos_token_id";

/// What a model file tells about its model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Head {
    /// The number of parameters; `None` if this is one of several files of a model.
    pub(super) parameters: Option<u64>,
    /// The context that the model was trained on, in tokens.
    pub(super) context: Option<u64>,
    /// The chat template, in Jinja.
    pub(super) template: Option<String>,
    /// The texts of the tokens that begin and end a text, which templates write.
    pub(super) bos: Option<String>,
    pub(super) eos: Option<String>,
    /// The bytes that the attention of one token takes, at 16 bits per number.
    pub(super) bytes_per_token: u64,
    /// The length that the file has at least: the end of its last tensor.
    pub(super) file_length: u64,
}

/// Why a file is not understood.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// It does not begin like a model file.
    NotGguf,
    /// A version that is not known.
    Version(u32),
    /// It ends before its head does.
    Cut,
    /// A length or a type that cannot be right.
    Broken(&'static str),
    /// It cannot be read.
    Io(io::Error),
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Cut,
            _ => Self::Io(error),
        }
    }
}

impl Head {
    /// Reads the head of a file.
    pub(super) fn read(source: impl BufRead + Seek) -> Result<Self, Unreadable> {
        let mut reader = Reader { source };
        let mut magic = [0; 4];
        match reader.source.read_exact(&mut magic) {
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
            _ if &magic != MAGIC => return Err(Unreadable::NotGguf),
            _ => {}
        }
        let version = reader.u32()?;
        if !VERSIONS.contains(&version) {
            return Err(Unreadable::Version(version));
        }
        let tensors = reader.length(MOST_ENTRIES, "number of tensors")?;
        let keys = reader.length(MOST_ENTRIES, "number of keys")?;
        let mut values = Values::default();
        for _ in 0..keys {
            let key = reader.text()?;
            let kind = reader.u32()?;
            if key == TOKENS {
                values.vocabulary = Some(reader.source.stream_position()?);
            }
            let value = reader.value(kind)?;
            values.known.insert(key, value);
        }
        let mut head = values.head();
        let mut parameters: u64 = 0;
        let mut weights = 0;
        for _ in 0..tensors {
            let tensor = reader.tensor()?;
            parameters = parameters.saturating_add(tensor.parameters);
            weights = weights.max(tensor.end);
        }
        let is_whole = values.number("split.count").unwrap_or(1) <= 1;
        head.parameters = is_whole.then_some(parameters);
        let alignment = values.number("general.alignment").unwrap_or(32).max(1);
        let end = reader.source.stream_position()?;
        let begin = end.div_ceil(alignment).saturating_mul(alignment);
        head.file_length = begin.saturating_add(weights);
        if let Some(place) = values.vocabulary {
            head.bos = reader.token(place, values.number(BOS))?;
            head.eos = reader.token(place, values.number(EOS))?;
        }
        Ok(head)
    }
}

/// A value of the head, as far as it is of interest.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(u64),
    Text(String),
    /// A list of numbers has its largest one here: head counts may differ by layer.
    List(Option<u64>),
    Other,
}

/// The values by their keys.
#[derive(Debug, Default)]
struct Values {
    known: HashMap<String, Value>,
    /// Where the list of the vocabulary's texts begins.
    vocabulary: Option<u64>,
}

impl Values {
    fn number(&self, key: &str) -> Option<u64> {
        match self.known.get(key)? {
            Value::Number(number) => Some(*number),
            Value::List(largest) => *largest,
            Value::Text(_) | Value::Other => None,
        }
    }

    fn text(&self, key: &str) -> Option<&str> {
        match self.known.get(key)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn head(&self) -> Head {
        let family = self.text("general.architecture").unwrap_or_default();
        let of_family = |key: &str| self.number(&format!("{family}.{key}"));
        Head {
            context: of_family("context_length"),
            template: self.text("tokenizer.chat_template").map(str::to_owned),
            bytes_per_token: bytes_per_token(of_family).unwrap_or_default(),
            ..Head::default()
        }
    }
}

/// What one token of the context takes: a key and a value in each layer, two bytes per number.
fn bytes_per_token(of_family: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let layers = of_family("block_count")?;
    let heads = of_family("attention.head_count")?;
    let key_heads = of_family("attention.head_count_kv").unwrap_or(heads);
    let usual = || of_family("embedding_length")?.checked_div(heads);
    let key = of_family("attention.key_length").or_else(usual)?;
    let value = of_family("attention.value_length").or_else(usual)?;
    layers
        .checked_mul(key_heads)?
        .checked_mul(key.checked_add(value)?)?
        .checked_mul(2)
}

#[cfg(test)]
pub(super) mod tests;
