//! The secrets that clients send: how they are created, and their hashes.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};

/// The beginning of every secret, by which scanners for leaked keys can find it.
const PREFIX: &str = "haft_";

/// The number of random bytes: nobody guesses 256 bits, so a fast hash protects them as well as a
/// slow one.
const BYTES: usize = 32;

/// The SHA-256 of a secret. Looking one up by hash reveals nothing about a secret by its timing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SecretHash([u8; 32]);

impl SecretHash {
    /// The hash of what a client sent.
    pub(crate) fn of(secret: &str) -> Self {
        let mut hash = [0; 32];
        let digest = digest(&SHA256, secret.as_bytes());
        for (to, from) in hash.iter_mut().zip(digest.as_ref()) {
            *to = *from;
        }
        Self(hash)
    }

    /// In base64, as stored.
    pub(super) fn encoded(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// From its stored form.
    pub(super) fn decoded(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretHash")
    }
}

/// A new secret, or `None` if the system has no random numbers.
pub(super) fn new_secret() -> Option<String> {
    let mut bytes = [0; BYTES];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)))
}

#[cfg(test)]
mod tests;
