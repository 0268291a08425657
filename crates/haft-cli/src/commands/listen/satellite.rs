//! A satellite as the source of utterances, and the observers of its events.

use std::sync::Arc;

use haft::voice::mqtt::Mqtt;
use haft::voice::wyoming::{Satellite, SatelliteVoice, WyomingAddress};
use haft::voice::{Pcm, VoiceError, VoiceErrorKind, VoiceEvent};
use tokio::sync::mpsc;

/// How many utterances of a satellite may wait: few are spoken while one is answered.
const WAITING: usize = 8;

/// Begins to listen to the satellite at `address`; what it hears, and the way to its loudspeaker.
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
pub(super) struct Told {
    pub(super) satellite: Option<SatelliteVoice>,
    pub(super) mqtt: Option<Arc<Mqtt>>,
}

impl Told {
    pub(super) fn event(&self, event: &VoiceEvent) {
        if let Some(satellite) = &self.satellite {
            satellite.tell(event);
        }
        if let Some(mqtt) = &self.mqtt {
            mqtt.publish_event(event);
        }
    }

    /// Lets everybody hear what was said last.
    pub(super) async fn finish(self) {
        if let Some(mqtt) = self.mqtt.and_then(Arc::into_inner) {
            mqtt.finish().await;
        }
    }
}
