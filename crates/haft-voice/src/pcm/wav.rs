//! WAV files: RIFF chunks, of which `fmt ` and `data` are used.
//!
//! Programs that stream to a pipe write a length of 0 or of all ones, because they do not know it.
//! In that case, and in a truncated file, the data extends to the end.

use super::{Pcm, SAMPLE_RATE};
use crate::error::{VoiceError, VoiceErrorKind};

/// Format codes, as registered in RFC 2361.
const WHOLE_NUMBERS: u16 = 1;
const FLOATS: u16 = 3;
/// The actual format code is at the start of the extended header.
const EXTENSIBLE: u16 = 0xFFFE;

/// The content of the `fmt ` chunk.
#[derive(Clone, Copy)]
struct Format {
    coding: u16,
    channels: u16,
    rate: u32,
    bits: u16,
}

pub(super) fn read(bytes: &[u8]) -> Result<Pcm, VoiceError> {
    let not_wav = || unreadable("This is no WAV file");
    if bytes.get(..4) != Some(b"RIFF") || bytes.get(8..12) != Some(b"WAVE") {
        return Err(not_wav());
    }
    let mut rest = bytes.get(12..).unwrap_or_default();
    let mut format = None;
    while let Some((name, length, body)) = chunk(rest) {
        match name {
            b"fmt " => format = Some(header(body).ok_or_else(not_wav)?),
            b"data" => {
                let format = format.ok_or_else(not_wav)?;
                let length = match length {
                    0 => body.len(),
                    length => length.min(body.len()),
                };
                let samples = samples(body.get(..length).unwrap_or_default(), format)?;
                return Pcm::from_samples(&samples, format.rate, format.channels);
            }
            _ => {}
        }
        // Chunks begin at even offsets.
        rest = body
            .get(length.saturating_add(length % 2)..)
            .unwrap_or_default();
    }
    Err(unreadable("There is no sound in this WAV file"))
}

/// The id of a chunk, its stated length, and all bytes after it.
fn chunk(bytes: &[u8]) -> Option<(&[u8; 4], usize, &[u8])> {
    let (name, rest) = bytes.split_first_chunk::<4>()?;
    let (length, body) = rest.split_first_chunk::<4>()?;
    Some((
        name,
        usize::try_from(u32::from_le_bytes(*length)).ok()?,
        body,
    ))
}

fn header(body: &[u8]) -> Option<Format> {
    let two = |at: usize| Some(u16::from_le_bytes(*body.get(at..)?.first_chunk()?));
    let coding = match two(0)? {
        EXTENSIBLE => two(24)?,
        coding => coding,
    };
    Some(Format {
        coding,
        channels: two(2)?,
        rate: u32::from_le_bytes(*body.get(4..)?.first_chunk()?),
        bits: two(14)?,
    })
}

/// The most significant 16 bits of every sample.
fn samples(data: &[u8], format: Format) -> Result<Vec<i16>, VoiceError> {
    Ok(match (format.coding, format.bits) {
        (WHOLE_NUMBERS, 8) => data
            .iter()
            .map(|byte| (i16::from(*byte) - 128) << 8)
            .collect(),
        (WHOLE_NUMBERS, 16) => each(data, i16::from_le_bytes),
        (WHOLE_NUMBERS, 24) => each(data, |[_, low, high]| i16::from_le_bytes([low, high])),
        (WHOLE_NUMBERS, 32) => each(data, |[_, _, low, high]| i16::from_le_bytes([low, high])),
        (FLOATS, 32) => each(data, |bytes| whole(f32::from_le_bytes(bytes))),
        (coding, bits) => {
            let message = format!("WAV coding {coding} with {bits} bits cannot be read");
            return Err(unreadable(&message));
        }
    })
}

fn each<const N: usize>(data: &[u8], sample: impl Fn([u8; N]) -> i16) -> Vec<i16> {
    let (whole, _) = data.as_chunks::<N>();
    whole.iter().map(|bytes| sample(*bytes)).collect()
}

/// The cast from a float saturates, and turns NaN into 0.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn whole(sample: f32) -> i16 {
    (sample * 32_768.0) as i16
}

fn unreadable(message: &str) -> VoiceError {
    VoiceError::new(VoiceErrorKind::Audio, message)
        .with_hint("use WAV with 16-bit samples, for example 16000 Hz, mono")
}

pub(super) fn write(samples: &[i16]) -> Vec<u8> {
    let bytes = u32::try_from(samples.len() * 2).unwrap_or(u32::MAX - 36);
    let mut file = Vec::with_capacity(44 + samples.len() * 2);
    file.extend(b"RIFF");
    file.extend((bytes + 36).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    file.extend(WHOLE_NUMBERS.to_le_bytes());
    file.extend(1_u16.to_le_bytes());
    file.extend(SAMPLE_RATE.to_le_bytes());
    file.extend((SAMPLE_RATE * 2).to_le_bytes());
    file.extend(2_u16.to_le_bytes());
    file.extend(16_u16.to_le_bytes());
    file.extend(b"data");
    file.extend(bytes.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}
