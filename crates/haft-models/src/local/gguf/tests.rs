//! Heads of model files, written here byte by byte.

use std::io::Cursor;

use super::*;

/// A model file that is written for a test.
#[derive(Clone, Default)]
pub(in crate::local) struct Sample {
    keys: u64,
    tensors: u64,
    values: Vec<u8>,
    places: Vec<u8>,
    weights: u64,
}

impl Sample {
    /// A model with a vocabulary, a template, and two tensors.
    pub(in crate::local) fn whole() -> Self {
        let mut sample = Self::default();
        sample.text("general.architecture", "llama");
        sample.number("llama.context_length", 4096);
        sample.number("llama.block_count", 2);
        sample.number("llama.embedding_length", 64);
        sample.number("llama.attention.head_count", 4);
        sample.number("llama.attention.head_count_kv", 2);
        sample.texts(TOKENS, &["<s>", "</s>", "a"]);
        sample.number(BOS, 0);
        sample.number(EOS, 1);
        sample.text("tokenizer.chat_template", "{{ messages }}");
        sample.tensor(&[64, 3], 0, 64 * 3 * 4);
        sample.tensor(&[64, 3], 8, 6 * 34);
        sample
    }

    fn key(&mut self, key: &str, kind: u32) {
        self.keys += 1;
        put_text(&mut self.values, key);
        self.values.extend(kind.to_le_bytes());
    }

    pub(in crate::local) fn text(&mut self, key: &str, text: &str) {
        self.key(key, 8);
        put_text(&mut self.values, text);
    }

    pub(in crate::local) fn number(&mut self, key: &str, number: u32) {
        self.key(key, 4);
        self.values.extend(number.to_le_bytes());
    }

    fn texts(&mut self, key: &str, texts: &[&str]) {
        self.key(key, 9);
        self.values.extend(8_u32.to_le_bytes());
        self.values.extend((texts.len() as u64).to_le_bytes());
        for text in texts {
            put_text(&mut self.values, text);
        }
    }

    fn numbers(&mut self, key: &str, numbers: &[u32]) {
        self.key(key, 9);
        self.values.extend(4_u32.to_le_bytes());
        self.values.extend((numbers.len() as u64).to_le_bytes());
        for number in numbers {
            self.values.extend(number.to_le_bytes());
        }
    }

    fn tensor(&mut self, dimensions: &[u64], kind: u32, bytes: u64) {
        self.tensors += 1;
        put_text(&mut self.places, "weight");
        self.places.extend((dimensions.len() as u32).to_le_bytes());
        for dimension in dimensions {
            self.places.extend(dimension.to_le_bytes());
        }
        self.places.extend(kind.to_le_bytes());
        self.places.extend(self.weights.to_le_bytes());
        self.weights += bytes;
    }

    /// The bytes of the file.
    pub(in crate::local) fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(3_u32.to_le_bytes());
        bytes.extend(self.tensors.to_le_bytes());
        bytes.extend(self.keys.to_le_bytes());
        bytes.extend(&self.values);
        bytes.extend(&self.places);
        bytes.resize(bytes.len().next_multiple_of(32), 0);
        bytes.resize(bytes.len() + self.weights as usize, 7);
        bytes
    }
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn read(bytes: Vec<u8>) -> Result<Head, Unreadable> {
    Head::read(Cursor::new(bytes))
}

#[test]
fn a_head_tells_what_the_model_is() {
    let bytes = Sample::whole().bytes();
    let length = bytes.len() as u64;
    let head = read(bytes).unwrap();
    assert_eq!(head.parameters, Some(2 * 64 * 3));
    assert_eq!(head.context, Some(4096));
    assert_eq!(head.template.as_deref(), Some("{{ messages }}"));
    assert_eq!(head.bos.as_deref(), Some("<s>"));
    assert_eq!(head.eos.as_deref(), Some("</s>"));
    // Two layers, two heads of 16 numbers, keys and values, two bytes each.
    assert_eq!(head.bytes_per_token, 2 * 2 * (16 + 16) * 2);
    assert_eq!(head.file_length, length);
}

#[test]
fn heads_that_differ_by_layer_count_as_the_largest() {
    let mut sample = Sample::whole();
    sample.numbers("llama.attention.head_count_kv", &[1, 4]);
    let head = read(sample.bytes()).unwrap();
    assert_eq!(head.bytes_per_token, 2 * 4 * (16 + 16) * 2);
}

#[test]
fn a_head_that_is_cut_anywhere_is_an_error() {
    let sample = Sample::whole();
    let bytes = sample.bytes();
    let head = bytes.len() - sample.weights as usize;
    for length in 4..head - 32 {
        let error = read(bytes[..length].to_vec()).unwrap_err();
        assert!(matches!(error, Unreadable::Cut), "{length}: {error:?}");
    }
    assert!(matches!(read(vec![]), Err(Unreadable::NotGguf)));
    assert!(matches!(
        read(b"GGML....".to_vec()),
        Err(Unreadable::NotGguf)
    ));
}

#[test]
fn lengths_that_cannot_be_right_allocate_nothing() {
    let mut bytes = Sample::whole().bytes();
    bytes[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(matches!(read(bytes), Err(Unreadable::Broken(_))));

    let mut bytes = Sample::whole().bytes();
    // The length of the first key.
    bytes[24..32].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    assert!(matches!(read(bytes), Err(Unreadable::Broken(_))));
}

#[test]
fn a_version_that_is_not_known_is_named() {
    let mut bytes = Sample::whole().bytes();
    bytes[4..8].copy_from_slice(&9_u32.to_le_bytes());
    assert!(matches!(read(bytes), Err(Unreadable::Version(9))));
}

#[test]
fn one_of_several_files_does_not_tell_the_size() {
    let mut sample = Sample::whole();
    sample.number("split.count", 2);
    assert_eq!(read(sample.bytes()).unwrap().parameters, None);
}
