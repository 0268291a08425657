//! Audio in the format of speech-to-text: 16 kHz, mono, signed 16-bit samples.
//!
//! `wav.rs` reads and writes WAV files, `resample.rs` converts other sample rates.

use std::time::Duration;

mod resample;
mod wav;

use crate::error::VoiceError;

/// Samples per second; the rate of Whisper, Vosk and Wyoming satellites.
pub const SAMPLE_RATE: u32 = 16_000;

/// 16 kHz mono, signed 16-bit samples.
///
/// ```
/// use std::time::Duration;
/// use haft_voice::Pcm;
///
/// let audio = Pcm::new(vec![0; 16_000]);
/// assert_eq!(audio.duration(), Duration::from_secs(1));
/// assert_eq!(audio.energy(), 0.0);
/// assert_eq!(Pcm::from_wav(&audio.to_wav())?, audio);
/// # Ok::<_, haft_voice::VoiceError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pcm {
    samples: Vec<i16>,
}

impl Pcm {
    /// Audio with these samples, which must be 16 kHz mono.
    #[must_use]
    pub fn new(samples: Vec<i16>) -> Self {
        Self { samples }
    }

    /// Converts interleaved samples of another `rate` in hertz and number of `channels`: mixes the
    /// channels and resamples.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Audio`](crate::VoiceErrorKind::Audio) for a rate outside 1 to 768 kHz
    /// or channels outside 1 to 32.
    pub fn from_samples(samples: &[i16], rate: u32, channels: u16) -> Result<Self, VoiceError> {
        resample::resampled(samples, rate, channels).map(Self::new)
    }

    /// Converts little-endian bytes of 16-bit samples; an odd last byte is ignored.
    ///
    /// # Errors
    ///
    /// See [`from_samples`](Self::from_samples).
    pub fn from_bytes(bytes: &[u8], rate: u32, channels: u16) -> Result<Self, VoiceError> {
        let (pairs, _) = bytes.as_chunks::<2>();
        let samples: Vec<i16> = pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect();
        Self::from_samples(&samples, rate, channels)
    }

    /// The samples.
    #[must_use]
    pub fn samples(&self) -> &[i16] {
        &self.samples
    }

    /// The samples as little-endian bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.samples
            .iter()
            .flat_map(|sample| sample.to_le_bytes())
            .collect()
    }

    /// The duration of the audio.
    #[must_use]
    pub fn duration(&self) -> Duration {
        let samples = u64::try_from(self.samples.len()).unwrap_or(u64::MAX);
        Duration::from_nanos(samples.saturating_mul(1_000_000_000 / u64::from(SAMPLE_RATE)))
    }

    /// The root mean square of the samples, where 1.0 is full scale.
    #[must_use]
    pub fn energy(&self) -> f64 {
        if self.samples.is_empty() {
            return 0.0;
        }
        let squares: f64 = self
            .samples
            .iter()
            .map(|sample| (f64::from(*sample) / 32_768.0).powi(2))
            .sum();
        #[expect(clippy::cast_precision_loss, reason = "fewer samples than 2^52")]
        let count = self.samples.len() as f64;
        (squares / count).sqrt()
    }

    /// Reads a WAV file with integer samples of 8 to 32 bits or 32-bit floats, of any sample rate
    /// and number of channels.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Audio`](crate::VoiceErrorKind::Audio) for an invalid file or another
    /// encoding.
    pub fn from_wav(bytes: &[u8]) -> Result<Self, VoiceError> {
        wav::read(bytes)
    }

    /// The audio as a WAV file.
    #[must_use]
    pub fn to_wav(&self) -> Vec<u8> {
        wav::write(&self.samples)
    }
}

#[cfg(test)]
mod tests;
