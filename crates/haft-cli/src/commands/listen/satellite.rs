//! A satellite as the source of utterances, and the observers of its events.

use std::sync::Arc;

use haft::voice::mqtt::Mqtt;
use haft::voice::wyoming::{Satellite, SatelliteVoice, WyomingAddress};
use haft::voice::{Pcm, VoiceError, VoiceErrorKind, VoiceEvent};
use tokio::sync::mpsc;

/// The maximum number of waiting utterances: only a few are spoken during one answer.
const WAITING: usize = 8;

/// Starts listening to the satellite at `address`; returns the utterances and the handle of its
/// loudspeaker.
pub(super) fn listen(address: WyomingAddress) -> (mpsc::Receiver<Pcm>, SatelliteVoice) {
    let (satellite, voice) = Satellite::new(address);
    let (sender, heard) = mpsc::channel(WAITING);
    tokio::spawn(satellite.run(move |audio| {
        sender.try_send(audio).map_err(|_| {
            VoiceError::new(VoiceErrorKind::Full, "Too many utterances wait to be heard")
        })
    }));
    (heard, voice)
}

/// The observers of events besides the trace.
#[derive(Debug, Default)]
pub(super) struct Observers {
    pub(super) satellite: Option<SatelliteVoice>,
    pub(super) mqtt: Option<Arc<Mqtt>>,
}

impl Observers {
    pub(super) fn event(&self, event: &VoiceEvent) {
        if let Some(satellite) = &self.satellite {
            satellite.tell(event);
        }
        if let Some(mqtt) = &self.mqtt {
            mqtt.publish_event(event);
        }
    }

    /// Waits until all observers have received the last events.
    pub(super) async fn finish(self) {
        if let Some(mqtt) = self.mqtt.and_then(Arc::into_inner) {
            mqtt.finish().await;
        }
    }
}
