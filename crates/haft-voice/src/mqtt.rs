//! Publishes transcripts and answers to an MQTT broker.
//!
//! The minimum for that: MQTT 3.1.1, no subscriptions, and each message acknowledged by the broker
//! (quality of service 1). `options` has the address and topics, `packet` the wire format,
//! `transport` the TCP or TLS connection.
//!
//! Publishing never blocks. While the broker is unreachable, up to 64 messages are queued and
//! further ones are dropped.

mod options;
mod packet;
mod transport;

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};

pub use self::options::MqttOptions;
use self::packet::{Packet, PacketReader};
use self::transport::Transport;
use crate::{VoiceError, VoiceErrorKind, VoiceEvent};

/// The maximum number of messages queued while the broker is unreachable.
const QUEUE: usize = 64;
/// The timeout of each step: connecting, sending a message, waiting for its acknowledgement.
const STEP: Duration = Duration::from_secs(10);
/// The interval of pings on an idle connection. The keep-alive interval sent to the broker is twice
/// as long.
const QUIET: Duration = Duration::from_secs(30);
/// The first pause between attempts to connect; each pause is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The timeout for sending queued messages at shutdown.
const FAREWELL: Duration = Duration::from_secs(2);

/// Publishes transcripts and answers to an MQTT broker in the background.
///
/// ```
/// use haft_voice::mqtt::{Mqtt, MqttOptions};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let options = MqttOptions::parse("mqtt://127.0.0.1:1")?;
/// // Nothing listens there, and nothing waits for it.
/// let mqtt = Mqtt::start(options);
/// mqtt.publish("voice/transcription", "Turn on the light");
/// # Ok::<_, haft_voice::VoiceError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct Mqtt {
    options: MqttOptions,
    queue: mpsc::Sender<Message>,
    worker: JoinHandle<()>,
}

#[derive(Clone, Debug)]
struct Message {
    topic: String,
    text: String,
}

/// A message that the broker has not acknowledged yet.
#[derive(Debug)]
struct Pending {
    message: Message,
    id: u16,
    /// The message may have reached the broker over an earlier connection.
    was_sent: bool,
}

impl Mqtt {
    /// Starts connecting to the broker in the background, until this is dropped.
    #[must_use]
    pub fn start(options: MqttOptions) -> Self {
        let (queue, messages) = mpsc::channel(QUEUE);
        let worker = tokio::spawn(work(options.clone(), messages));
        Self {
            options,
            queue,
            worker,
        }
    }

    /// Publishes transcripts and answers; never blocks. Call it with every event; other events are
    /// ignored.
    pub fn publish_event(&self, event: &VoiceEvent) {
        match event {
            VoiceEvent::Transcription { text, .. } => {
                self.publish(&self.options.transcription_topic, text);
            }
            VoiceEvent::Answer { text, .. } => self.publish(&self.options.answer_topic, text),
            _ => {}
        }
    }

    /// Publishes `text`; never blocks. While the broker is unreachable, 64 messages are queued and
    /// further ones are dropped.
    pub fn publish(&self, topic: &str, text: &str) {
        let message = Message {
            topic: topic.to_owned(),
            text: text.to_owned(),
        };
        if let Err(TrySendError::Full(message)) = self.queue.try_send(message) {
            tracing::warn!(
                topic = message.topic,
                "the MQTT broker is unreachable: not published"
            );
        }
    }

    /// Ends the background task after the queued messages were sent, or after 2 s.
    pub async fn finish(self) {
        drop(self.queue);
        let mut worker = self.worker;
        if timeout(FAREWELL, &mut worker).await.is_err() {
            worker.abort();
        }
    }
}

/// Sends messages until the last publisher is dropped.
async fn work(options: MqttOptions, mut messages: mpsc::Receiver<Message>) {
    let mut pending = None;
    let mut pause = FIRST_PAUSE;
    let mut last_told = String::new();
    loop {
        let mut line = match connect(&options).await {
            Ok(line) => {
                tracing::info!(broker = %options, "connected to the MQTT broker");
                pause = FIRST_PAUSE;
                last_told.clear();
                line
            }
            Err(error) => {
                // Each error is logged once: the broker may be unreachable for days.
                if error.detail() != last_told {
                    tracing::warn!(broker = %options, reason = error.detail(), "no MQTT broker");
                    error.detail().clone_into(&mut last_told);
                }
                if messages.is_closed() {
                    return;
                }
                sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
                continue;
            }
        };
        match line.serve(&mut messages, &mut pending).await {
            Ok(()) => return,
            Err(error) => {
                let reason = error.detail();
                tracing::warn!(broker = %options, reason, "the MQTT broker is gone");
            }
        }
        sleep(pause).await;
    }
}

/// A connection that the broker has accepted.
struct Line {
    stream: Transport,
    packets: PacketReader,
}

async fn connect(options: &MqttOptions) -> Result<Line, VoiceError> {
    let connecting = async {
        let transport = transport::open(options).await;
        let mut line = Line {
            stream: transport.map_err(|error| lost(error.to_string()))?,
            packets: PacketReader::default(),
        };
        let keep_alive = u16::try_from(QUIET.as_secs() * 2).unwrap_or(u16::MAX);
        line.send(&packet::connect(options, keep_alive)).await?;
        match line.next().await? {
            Packet::Connected(0) => Ok(line),
            Packet::Connected(code) => Err(lost(packet::refusal(code).to_owned())),
            _ => Err(lost("the server is not an MQTT broker".to_owned())),
        }
    };
    let connected = timeout(STEP, connecting).await;
    connected.unwrap_or_else(|_| Err(lost("it does not answer in time".to_owned())))
}

impl Line {
    /// Sends messages, one at a time, until the queue is closed.
    async fn serve(
        &mut self,
        messages: &mut mpsc::Receiver<Message>,
        pending: &mut Option<Pending>,
    ) -> Result<(), VoiceError> {
        let mut id: u16 = pending.as_ref().map_or(0, |pending| pending.id);
        if let Some(pending) = pending.as_mut() {
            self.publish(pending).await?;
        }
        let mut asked = false;
        let mut look = Instant::now() + read_timeout(pending.is_some());
        loop {
            tokio::select! {
                packet = self.next() => {
                    match packet? {
                        Packet::Published(known) if pending.as_ref().is_some_and(|pending| pending.id == known) => *pending = None,
                        Packet::Pong => asked = false,
                        _ => continue,
                    }
                }
                message = messages.recv(), if pending.is_none() => {
                    let Some(message) = message else {
                        return self.send(packet::DISCONNECT).await;
                    };
                    // Zero is not a valid packet identifier.
                    id = id.checked_add(1).unwrap_or(1);
                    let new = pending.insert(Pending { message, id, was_sent: false });
                    self.publish(new).await?;
                }
                () = sleep_until(look) => {
                    if asked || pending.is_some() {
                        return Err(lost("it does not answer in time".to_owned()));
                    }
                    asked = true;
                    self.send(packet::PING).await?;
                }
            }
            look = Instant::now() + read_timeout(asked || pending.is_some());
        }
    }

    async fn publish(&mut self, pending: &mut Pending) -> Result<(), VoiceError> {
        let Pending {
            message,
            id,
            was_sent,
        } = &*pending;
        let bytes = packet::publish(&message.topic, &message.text, *id, *was_sent);
        pending.was_sent = true;
        self.send(&bytes).await
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), VoiceError> {
        match timeout(STEP, self.stream.write_all(bytes)).await {
            Ok(sent) => sent.map_err(|error| lost(error.to_string())),
            Err(_) => Err(lost("it takes nothing more".to_owned())),
        }
    }

    /// The next packet. Dropping the future loses no data.
    async fn next(&mut self) -> Result<Packet, VoiceError> {
        loop {
            if let Some(packet) = self
                .packets
                .next_packet()
                .map_err(|why| lost(why.to_owned()))?
            {
                return Ok(packet);
            }
            let mut chunk = [0; 256];
            let read = self.stream.read(&mut chunk).await;
            match read.map_err(|error| lost(error.to_string()))? {
                0 => return Err(lost("it ended the connection".to_owned())),
                read => self.packets.push(chunk.get(..read).unwrap_or_default()),
            }
        }
    }
}

/// The read timeout, which is shorter while an answer is expected.
fn read_timeout(is_due: bool) -> Duration {
    if is_due { STEP } else { QUIET }
}

fn lost(detail: String) -> VoiceError {
    VoiceError::new(VoiceErrorKind::Protocol, "The MQTT broker cannot be used").with_detail(detail)
}

#[cfg(test)]
mod tests;
