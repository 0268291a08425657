//! The contents of a store, encrypted with the key of a file.
//!
//! Encrypted are questions, answers, and the arguments and results of calls: all that the engine
//! stores of a workflow, the questions of schedules, and the titles and messages of sessions. Ids, names of tools and queues, states and
//! times are not. The cipher is XChaCha20-Poly1305, whose nonces are long enough to be random.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chacha20poly1305::aead::{Aead, Generate};
use chacha20poly1305::{Key, KeyInit, XChaCha20Poly1305, XNonce};
use durare::{Error, Serializer, SerializerCodec};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::database::make_private;
use crate::error::{DurableError, DurableErrorKind};

/// The length of a nonce in bytes.
const NONCE: usize = 24;

/// The key of an encrypted store.
#[derive(Clone)]
pub struct StoreKey(Arc<XChaCha20Poly1305>);

impl StoreKey {
    /// Writes a new random key into a new file, which only the user can read.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Key`] when there is such a file, or it cannot be written.
    pub fn create(file: &Path) -> Result<(), DurableError> {
        if file.exists() {
            return Err(unusable(file, "is there already", "name another file"));
        }
        make_private(file)?;
        let key = BASE64.encode(Key::generate());
        let written = std::fs::write(file, format!("{key}\n"));
        written.map_err(|_| unusable(file, "cannot be written", "name another file"))
    }

    /// Reads the key in a file: 32 bytes in base64.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Key`] when the file cannot be read or holds no key.
    pub fn read(file: &Path) -> Result<Self, DurableError> {
        let text = std::fs::read_to_string(file)
            .map_err(|_| unusable(file, "cannot be read", "check its name and its permissions"))?;
        let bytes = BASE64.decode(text.trim()).unwrap_or_default();
        let hint = "make one with `haft store key FILE`";
        let key = XChaCha20Poly1305::new_from_slice(&bytes)
            .map_err(|_| unusable(file, "holds no key", hint))?;
        Ok(Self(Arc::new(key)))
    }

    /// How the engine stores values with this key.
    pub(crate) fn serializer(&self) -> Serializer {
        Serializer::custom(Arc::new(self.clone()))
    }

    /// Encrypts a value: a random nonce and the sealed JSON, in base64.
    pub(crate) fn seal(&self, value: &Value) -> durare::Result<String> {
        let json = serde_json::to_vec(value)?;
        let nonce = XNonce::generate();
        let sealed = self.0.encrypt(&nonce, json.as_slice());
        let sealed = sealed.map_err(|_| Error::Serialization("a value is too long".to_owned()))?;
        Ok(BASE64.encode([nonce.as_slice(), &sealed].concat()))
    }

    /// Decrypts a value.
    pub(crate) fn unseal(&self, text: &str) -> durare::Result<Value> {
        let wrong = || Error::Serialization("a value was sealed with another key".to_owned());
        let bytes = BASE64.decode(text).map_err(|_| wrong())?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE).ok_or_else(wrong)?;
        let nonce = XNonce::try_from(nonce).map_err(|_| wrong())?;
        let json = self.0.decrypt(&nonce, sealed).map_err(|_| wrong())?;
        Ok(serde_json::from_slice(&json)?)
    }
}

/// The stored form of a value of haft's own tables: sealed with the key, or as JSON without one.
pub(crate) fn stored<T: Serialize>(
    key: Option<&StoreKey>,
    value: &T,
) -> Result<String, DurableError> {
    let value = serde_json::to_value(value).map_err(Error::from)?;
    Ok(match key {
        Some(key) => key.seal(&value)?,
        None => value.to_string(),
    })
}

/// Reads a value of haft's own tables. What was stored before the store had a key is JSON, which
/// is told from base64 by its first letter.
pub(crate) fn read<T: DeserializeOwned>(
    key: Option<&StoreKey>,
    text: &str,
) -> Result<T, DurableError> {
    let value = match key {
        Some(key) if !text.starts_with(['{', '"']) => key.unseal(text)?,
        _ => serde_json::from_str(text).map_err(Error::from)?,
    };
    serde_json::from_value(value).map_err(|error| DurableError::unreadable(&error))
}

impl SerializerCodec for StoreKey {
    fn name(&self) -> &'static str {
        "haft_xchacha20poly1305"
    }

    fn encode(&self, value: &Value) -> durare::Result<String> {
        self.seal(value)
    }

    fn decode(&self, stored: &str) -> durare::Result<Value> {
        self.unseal(stored)
    }
}

/// Without the key itself.
impl fmt::Debug for StoreKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StoreKey")
    }
}

fn unusable(file: &Path, what: &str, hint: &'static str) -> DurableError {
    let message = format!("The key file {} {what}", file.display());
    DurableError::new(DurableErrorKind::Key, message, hint)
}
