//! Converts audio to events and back.

use crate::wyoming::protocol::Event;
use crate::{Pcm, SAMPLE_RATE, VoiceError, VoiceErrorKind};

/// The size of an audio chunk in bytes: 1024 samples of 16 bits, as Home Assistant and satellites
/// send.
const PIECE: usize = 2048;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// Samples per second.
    pub(super) rate: u32,
    /// Bytes per sample.
    pub(super) width: u16,
    /// Interleaved channels.
    pub(super) channels: u16,
}

impl Format {
    /// The format of [`Pcm`].
    const PCM: Self = Self {
        rate: SAMPLE_RATE,
        width: 2,
        channels: 1,
    };

    /// The format in an `audio-start` or `audio-chunk` event.
    pub(super) fn of(event: &Event) -> Result<Self, VoiceError> {
        let whole = || {
            Some(Self {
                rate: event.number("rate").filter(|rate| *rate > 0)?,
                width: event.number("width").filter(|width| *width > 0)?,
                channels: event.number("channels").filter(|channels| *channels > 0)?,
            })
        };
        whole().ok_or_else(|| {
            let reason = format!("An event `{}` does not say what its sound is", event.kind);
            VoiceError::new(VoiceErrorKind::Protocol, reason)
        })
    }

    /// The event `kind` with this format.
    pub(super) fn event(self, kind: &str) -> Event {
        Event::new(kind)
            .with("rate", self.rate)
            .with("width", self.width)
            .with("channels", self.channels)
    }

    /// The duration of this many bytes in milliseconds.
    pub(super) fn milliseconds(self, bytes: usize) -> u64 {
        let second = u64::from(self.rate) * u64::from(self.width) * u64::from(self.channels);
        u64::try_from(bytes)
            .unwrap_or(u64::MAX)
            .saturating_mul(1000)
            / second.max(1)
    }

    /// Converts `bytes` of this format for speech-to-text.
    pub(super) fn pcm(self, bytes: &[u8]) -> Result<Pcm, VoiceError> {
        if self.width != 2 {
            let reason = format!(
                "Samples of {} bytes are not understood, only of 2",
                self.width
            );
            return Err(VoiceError::new(VoiceErrorKind::Audio, reason));
        }
        Pcm::from_bytes(bytes, self.rate, self.channels)
    }
}

/// `audio-start`, the chunks of `audio`, and `audio-stop`.
pub(super) fn events(audio: &Pcm) -> impl Iterator<Item = Event> {
    let pieces = audio.samples().chunks(PIECE / 2).map(|samples| {
        let bytes: Vec<u8> = samples
            .iter()
            .flat_map(|sample| sample.to_le_bytes())
            .collect();
        Format::PCM.event("audio-chunk").with_payload(bytes)
    });
    let start = std::iter::once(Format::PCM.event("audio-start"));
    start
        .chain(pieces)
        .chain(std::iter::once(Event::new("audio-stop")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn audio_survives_a_round_trip() {
        let audio = Pcm::new((0..3000).map(|sample| sample - 1500).collect());
        let events: Vec<Event> = events(&audio).collect();
        let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
        let chunk = "audio-chunk";
        assert_eq!(kinds, ["audio-start", chunk, chunk, chunk, "audio-stop"]);
        let bytes: Vec<u8> = events
            .iter()
            .flat_map(|event| event.payload.clone())
            .collect();
        let format = Format::of(&events[1]).unwrap();
        assert_eq!(format.pcm(&bytes).unwrap(), audio);
        assert_eq!(format.milliseconds(bytes.len()), 187);
    }

    #[test]
    fn a_format_without_a_number_is_refused() {
        for event in [
            Event::new("audio-start"),
            Format::PCM.event("audio-start").with("rate", 0),
            Format::PCM.event("audio-start").with("channels", "1"),
        ] {
            assert!(Format::of(&event).is_err(), "{event:?}");
        }
        let wide = Format {
            width: 4,
            ..Format::PCM
        };
        assert_eq!(wide.pcm(&[0; 8]).unwrap_err().kind(), VoiceErrorKind::Audio);
    }
}
