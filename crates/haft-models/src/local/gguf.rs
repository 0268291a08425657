//! Reads the head of a model file: what the model is, without its weights.
//!
//! The format is described in `ggml-org/ggml: docs/gguf.md`: a magic number, keys with values, and
//! a list of tensors with their places; the weights follow. The file is somebody else's, so every
//! length is bounded before anything is allocated.

use std::collections::HashMap;
use std::io::{self, BufRead, Seek, SeekFrom};

/// The first bytes of every model file.
const MAGIC: &[u8; 4] = b"GGUF";

/// The versions of the format that are read; version 1 had shorter lengths and is no longer found.
const VERSIONS: [u32; 2] = [2, 3];

/// The most keys and the most tensors; a model of 400 billion parameters has some thousand.
const MOST_ENTRIES: u64 = 1 << 17;

/// The longest text that is kept, in bytes; chat templates have some ten thousand.
const LONGEST_TEXT: u64 = 1 << 20;

/// The most items of a list; the largest vocabularies have some hundred thousand.
const MOST_ITEMS: u64 = 1 << 24;

/// The most dimensions of a tensor (`GGML_MAX_DIMS`).
const MOST_DIMENSIONS: u32 = 4;

/// The keys of the vocabulary's texts, and of the tokens that begin and end a text.
const TOKENS: &str = "tokenizer.ggml.tokens";
const BOS: &str = "tokenizer.ggml.bos_token_id";
const EOS: &str = "tokenizer.ggml.eos_token_id";

/// What a model file tells about its model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Head {
    /// The number of parameters.
    pub(super) parameters: u64,
    /// The context that the model was trained on, in tokens.
    pub(super) context: Option<u64>,
    /// The chat template, in Jinja.
    pub(super) template: Option<String>,
    /// The texts of the tokens that begin and end a text, which templates write.
    pub(super) bos: Option<String>,
    pub(super) eos: Option<String>,
    /// The bytes that the attention of one token takes, at 16 bits per number.
    pub(super) bytes_per_token: u64,
    /// Where the last tensor begins, counted from the start of the file.
    pub(super) last_tensor: u64,
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
        let mut last = 0;
        for _ in 0..tensors {
            let (parameters, offset) = reader.tensor()?;
            head.parameters = head.parameters.saturating_add(parameters);
            last = last.max(offset);
        }
        let alignment = values.number("general.alignment").unwrap_or(32).max(1);
        let end = reader.source.stream_position()?;
        head.last_tensor = (end.div_ceil(alignment))
            .saturating_mul(alignment)
            .saturating_add(last);
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

/// Reads the numbers and texts of a head.
struct Reader<R> {
    source: R,
}

impl<R: BufRead + Seek> Reader<R> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Unreadable> {
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, Unreadable> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> Result<u64, Unreadable> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    fn length(&mut self, most: u64, what: &'static str) -> Result<u64, Unreadable> {
        let length = self.u64()?;
        if length > most {
            return Err(Unreadable::Broken(what));
        }
        Ok(length)
    }

    fn text(&mut self) -> Result<String, Unreadable> {
        let length = self.length(LONGEST_TEXT, "length of a text")?;
        let length = usize::try_from(length).map_err(|_| Unreadable::Broken("length of a text"))?;
        let mut bytes = vec![0; length];
        self.source.read_exact(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Steps over bytes. A step behind the end of the file shows at the next read.
    fn skip(&mut self, bytes: u64) -> Result<(), Unreadable> {
        let bytes = i64::try_from(bytes).map_err(|_| Unreadable::Broken("length of a value"))?;
        self.source.seek_relative(bytes)?;
        Ok(())
    }

    /// Reads a value of this type (`gguf_metadata_value_type`).
    fn value(&mut self, kind: u32) -> Result<Value, Unreadable> {
        match kind {
            8 => Ok(Value::Text(self.text()?)),
            9 => self.list(),
            kind => self.scalar(kind),
        }
    }

    fn scalar(&mut self, kind: u32) -> Result<Value, Unreadable> {
        Ok(match kind {
            0 => Value::Number(u8::from_le_bytes(self.bytes()?).into()),
            2 => Value::Number(u16::from_le_bytes(self.bytes()?).into()),
            4 => Value::Number(self.u32()?.into()),
            5 => signed(i32::from_le_bytes(self.bytes()?).into()),
            10 => Value::Number(self.u64()?),
            11 => signed(i64::from_le_bytes(self.bytes()?)),
            other => {
                self.skip(width(other)?)?;
                Value::Other
            }
        })
    }

    fn list(&mut self) -> Result<Value, Unreadable> {
        let kind = self.u32()?;
        let items = self.length(MOST_ITEMS, "length of a list")?;
        match kind {
            8 => {
                for _ in 0..items {
                    let length = self.length(LONGEST_TEXT, "length of a text")?;
                    self.skip(length)?;
                }
                Ok(Value::List(None))
            }
            // The counts of heads per layer.
            4 | 5 => {
                let mut largest = None;
                for _ in 0..items {
                    if let Value::Number(number) = self.scalar(kind)? {
                        largest = largest.max(Some(number));
                    }
                }
                Ok(Value::List(largest))
            }
            9 => Err(Unreadable::Broken("type of a list")),
            other => {
                self.skip(items.saturating_mul(width(other)?))?;
                Ok(Value::List(None))
            }
        }
    }

    /// The number of parameters of the next tensor, and its place among the weights.
    fn tensor(&mut self) -> Result<(u64, u64), Unreadable> {
        let length = self.length(LONGEST_TEXT, "name of a tensor")?;
        self.skip(length)?;
        let dimensions = self.u32()?;
        if dimensions > MOST_DIMENSIONS {
            return Err(Unreadable::Broken("dimensions of a tensor"));
        }
        let mut parameters: u64 = 1;
        for _ in 0..dimensions {
            parameters = parameters.saturating_mul(self.u64()?);
        }
        let _kind = self.u32()?;
        Ok((parameters, self.u64()?))
    }

    /// The text of a token, from the list of texts that begins at `place`.
    fn token(&mut self, place: u64, id: Option<u64>) -> Result<Option<String>, Unreadable> {
        let Some(id) = id else { return Ok(None) };
        self.source.seek(SeekFrom::Start(place))?;
        let kind = self.u32()?;
        let items = self.length(MOST_ITEMS, "length of a list")?;
        if kind != 8 || id >= items {
            return Ok(None);
        }
        for _ in 0..id {
            let length = self.length(LONGEST_TEXT, "length of a text")?;
            self.skip(length)?;
        }
        self.text().map(Some)
    }
}

fn signed(number: i64) -> Value {
    u64::try_from(number).map_or(Value::Other, Value::Number)
}

/// The bytes of a value of a type without a length.
fn width(kind: u32) -> Result<u64, Unreadable> {
    match kind {
        // Numbers of 8 bits, and truth values.
        0 | 1 | 7 => Ok(1),
        2 | 3 => Ok(2),
        4..=6 => Ok(4),
        10..=12 => Ok(8),
        _ => Err(Unreadable::Broken("type of a value")),
    }
}

#[cfg(test)]
mod tests;
