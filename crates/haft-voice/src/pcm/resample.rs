//! Resamples audio to 16 kHz mono.
//!
//! Speech-to-text tolerates more distortion than a listener, so this is the simplest method that
//! does not alias high frequencies into speech: for downsampling, each sample is the mean of the
//! samples that it replaces; for upsampling, samples are interpolated linearly.

use super::SAMPLE_RATE;
use crate::error::{VoiceError, VoiceErrorKind};

/// The supported sample rates in hertz, from old telephones to studio recordings.
const RATES: std::ops::RangeInclusive<u32> = 1_000..=768_000;
const MOST_CHANNELS: u16 = 32;

pub(super) fn resampled(samples: &[i16], rate: u32, channels: u16) -> Result<Vec<i16>, VoiceError> {
    if !RATES.contains(&rate) || channels == 0 || channels > MOST_CHANNELS {
        let message = format!("Audio of {rate} Hz and {channels} channels cannot be used");
        return Err(VoiceError::new(VoiceErrorKind::Audio, message)
            .with_hint("speech-to-text takes 16000 Hz, mono"));
    }
    let mono = mixed(samples, channels);
    Ok(match rate {
        SAMPLE_RATE => mono,
        rate if rate > SAMPLE_RATE => averaged(&mono, rate),
        rate => interpolated(&mono, rate),
    })
}

/// Mixes the channels by their mean.
fn mixed(samples: &[i16], channels: u16) -> Vec<i16> {
    if channels == 1 {
        return samples.to_vec();
    }
    samples
        .chunks_exact(usize::from(channels))
        .map(mean)
        .collect()
}

fn mean(samples: &[i16]) -> i16 {
    let sum: i64 = samples.iter().map(|sample| i64::from(*sample)).sum();
    let count = i64::try_from(samples.len()).unwrap_or(i64::MAX).max(1);
    i16::try_from(sum / count).unwrap_or_default()
}

/// The position in audio of `from` hertz at which sample `index` of audio of `to` hertz begins.
fn place(index: u64, from: u32, to: u32) -> usize {
    usize::try_from(index * u64::from(from) / u64::from(to)).unwrap_or(usize::MAX)
}

fn length(samples: &[i16], rate: u32) -> u64 {
    let length = u64::try_from(samples.len()).unwrap_or_default();
    length * u64::from(SAMPLE_RATE) / u64::from(rate)
}

fn averaged(samples: &[i16], rate: u32) -> Vec<i16> {
    (0..length(samples, rate))
        .map(|index| {
            let begin = place(index, rate, SAMPLE_RATE);
            let end = place(index + 1, rate, SAMPLE_RATE);
            samples.get(begin..end).map(mean).unwrap_or_default()
        })
        .collect()
}

fn interpolated(samples: &[i16], rate: u32) -> Vec<i16> {
    let at = |index: usize| i64::from(samples.get(index).copied().unwrap_or_default());
    let last = samples.len().saturating_sub(1);
    let steps = i64::from(SAMPLE_RATE);
    (0..length(samples, rate))
        .map(|index| {
            let before = place(index, rate, SAMPLE_RATE);
            let after = (before + 1).min(last);
            let part = index * u64::from(rate) % u64::from(SAMPLE_RATE);
            let part = i64::try_from(part).unwrap_or_default();
            let value = (at(before) * (steps - part) + at(after) * part) / steps;
            i16::try_from(value).unwrap_or_default()
        })
        .collect()
}
