//! Reads the numbers, texts and lists of a model file's head. Every length is bounded.

use std::io::{BufRead, Seek, SeekFrom};

use super::{Unreadable, Value};

/// The longest text that is kept, in bytes; chat templates have some ten thousand.
const LONGEST_TEXT: u64 = 1 << 20;

/// The most items of a list; the largest vocabularies have some hundred thousand.
const MOST_ITEMS: u64 = 1 << 24;

/// The most dimensions of a tensor (`GGML_MAX_DIMS`).
const MOST_DIMENSIONS: u32 = 4;

/// The bytes of a tensor (`ggml-org/ggml: include/ggml.h` numbers the types, `src/ggml-common.h` has
/// the sizes of their blocks); zero if its type is not known, so that its size is not checked.
fn bytes_of(parameters: u64, kind: u32) -> u64 {
    let (numbers_of_block, bytes_of_block) = match kind {
        0 => (1, 4),
        1 | 30 => (1, 2),
        2 | 20 => (32, 18),
        3 => (32, 20),
        6 => (32, 22),
        7 => (32, 24),
        8 => (32, 34),
        10 => (256, 84),
        11 => (256, 110),
        12 => (256, 144),
        13 => (256, 176),
        14 => (256, 210),
        23 => (256, 136),
        39 => (32, 17),
        _ => return 0,
    };
    (parameters.div_ceil(numbers_of_block)).saturating_mul(bytes_of_block)
}

/// A tensor in the list of a head.
pub(super) struct Tensor {
    pub(super) parameters: u64,
    /// Where it ends, counted from the begin of the weights.
    pub(super) end: u64,
}

/// Reads the numbers and texts of a head.
pub(super) struct Reader<R> {
    pub(super) source: R,
}

impl<R: BufRead + Seek> Reader<R> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Unreadable> {
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Unreadable> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> Result<u64, Unreadable> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    pub(super) fn length(&mut self, most: u64, what: &'static str) -> Result<u64, Unreadable> {
        let length = self.u64()?;
        if length > most {
            return Err(Unreadable::Broken(what));
        }
        Ok(length)
    }

    pub(super) fn text(&mut self) -> Result<String, Unreadable> {
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
    pub(super) fn value(&mut self, kind: u32) -> Result<Value, Unreadable> {
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

    pub(super) fn tensor(&mut self) -> Result<Tensor, Unreadable> {
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
        let kind = self.u32()?;
        let begin = self.u64()?;
        Ok(Tensor {
            end: begin.saturating_add(bytes_of(parameters, kind)),
            parameters,
        })
    }

    /// The text of a token, from the list of texts that begins at `place`.
    pub(super) fn token(
        &mut self,
        place: u64,
        id: Option<u64>,
    ) -> Result<Option<String>, Unreadable> {
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
