//! The task of a connection: sends commands, hands out their answers, and applies events.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::{Answer, MAX_WAITING, NoResult, Order};
use crate::server::nodes::Network;
use crate::server::socket::Socket;
use crate::server::wire::Incoming;

/// A ping is sent after this time without messages; the connection ends after three times as long.
const PING_AFTER: Duration = Duration::from_secs(20);

/// The state of the task.
pub(super) struct Exchange {
    socket: Socket,
    network: Arc<Mutex<Network>>,
    waiting: HashMap<String, Waiting>,
    last_id: u64,
}

struct Waiting {
    command: &'static str,
    answer: oneshot::Sender<Answer>,
}

impl Exchange {
    pub(super) fn new(socket: Socket, network: Arc<Mutex<Network>>) -> Self {
        Self {
            socket,
            network,
            waiting: HashMap::new(),
            last_id: 0,
        }
    }

    /// Runs until the connection ends, and returns the reason.
    pub(super) async fn run(mut self, mut orders: mpsc::Receiver<Order>) -> String {
        let mut heard = Instant::now();
        loop {
            let silence = tokio::time::sleep(PING_AFTER);
            let done = tokio::select! {
                order = orders.recv() => match order {
                    Some(order) => self.send(order).await,
                    None => {
                        let _ = self.socket.close().await;
                        return "nobody needs it any more".to_owned();
                    }
                },
                message = self.socket.receive() => {
                    heard = Instant::now();
                    match message {
                        Ok(Some(data)) => {
                            self.read(&data);
                            Ok(())
                        }
                        Ok(None) => Ok(()),
                        Err(why) => Err(why),
                    }
                }
                () = silence, if heard.elapsed() < 3 * PING_AFTER => {
                    self.socket.ping().await
                }
                () = tokio::time::sleep_until(heard + 3 * PING_AFTER) => {
                    Err("it has been silent for a minute".to_owned())
                }
            };
            if let Err(why) = done {
                return why;
            }
        }
    }

    async fn send(&mut self, order: Order) -> Result<(), String> {
        if self.waiting.len() >= MAX_WAITING {
            self.waiting
                .retain(|_, waiting| !waiting.answer.is_closed());
        }
        self.last_id += 1;
        let id = self.last_id.to_string();
        let mut message = order.fields;
        message.insert("messageId".to_owned(), id.clone().into());
        message.insert("command".to_owned(), order.command.into());
        let waiting = Waiting {
            command: order.command,
            answer: order.answer,
        };
        self.waiting.insert(id, waiting);
        self.socket.send(Value::Object(message).to_string()).await
    }

    /// Handles a message. A malformed one is skipped, because the next ones may be valid.
    fn read(&mut self, data: &[u8]) {
        let incoming: Incoming<'_> = match serde_json::from_slice(data) {
            Ok(incoming) => incoming,
            Err(error) => {
                tracing::warn!(%error, "a message of the Z-Wave server cannot be read");
                return;
            }
        };
        match incoming.kind.as_str() {
            "result" => self.answer(incoming),
            "event" => {
                let event = incoming.event.map_or("null", RawValue::get);
                let event = serde_json::from_str(event).unwrap_or_default();
                self.network().apply(&event, Timestamp::now());
            }
            _ => {}
        }
    }

    fn answer(&mut self, incoming: Incoming<'_>) {
        let id = incoming.message_id.unwrap_or_default();
        let Some(waiting) = self.waiting.remove(&id) else {
            return;
        };
        let answer = match incoming.success {
            Some(true) => Ok(incoming.result.unwrap_or(RawValue::NULL).to_owned()),
            Some(false) => {
                let why = incoming.zwave_error_message.or(incoming.error_code);
                let why = why.unwrap_or_else(|| "no reason given".to_owned());
                Err(NoResult::Refused(why))
            }
            None => {
                let why = "the answer does not say whether it worked";
                Err(NoResult::Unclear(why.to_owned()))
            }
        };
        let answer = match answer {
            Ok(state) if waiting.command == "start_listening" => self.replace(&state),
            answer => answer,
        };
        // The caller may have given up.
        let _ = waiting.answer.send(answer);
    }

    fn replace(&mut self, state: &RawValue) -> Answer {
        let network = Network::read(state)
            .map_err(|error| NoResult::Unclear(format!("the state cannot be read: {error}")))?;
        *self.network() = network;
        Ok(RawValue::NULL.to_owned())
    }

    fn network(&self) -> MutexGuard<'_, Network> {
        self.network.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
