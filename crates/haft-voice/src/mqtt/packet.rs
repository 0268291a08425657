//! Packets of MQTT 3.1.1 (OASIS standard, 2014), as far as a client that only publishes needs them.
//! Section numbers are those of the standard.

use super::MqttOptions;

/// PINGREQ (3.12).
pub(super) const PING: &[u8] = &[0xC0, 0];
/// DISCONNECT (3.14).
pub(super) const DISCONNECT: &[u8] = &[0xE0, 0];
/// The maximum size of a received packet in bytes; a broker sends no longer one to such a client.
const LIMIT: usize = 1024;

/// A packet from the broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packet {
    /// CONNACK: 0 if the connection is accepted, or the reason for the refusal (3.2).
    Connected(u8),
    /// PUBACK: the broker has the message with this identifier (3.4).
    Published(u16),
    /// PINGRESP (3.13).
    Pong,
    /// Any other packet; ignored.
    Other,
}

/// Decodes packets from the bytes of the connection.
#[derive(Debug, Default)]
pub(super) struct PacketReader {
    buffer: Vec<u8>,
}

impl PacketReader {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete packet, if it has arrived; an error if the data is malformed.
    pub(super) fn next_packet(&mut self) -> Result<Option<Packet>, &'static str> {
        let [kind, rest @ ..] = self.buffer.as_slice() else {
            return Ok(None);
        };
        let Some(Length { body, encoded }) = Length::read(rest)? else {
            return Ok(None);
        };
        if body > LIMIT {
            return Err("it sends longer packets than a broker should");
        }
        let end = 1 + encoded + body;
        let Some(body) = self.buffer.get(1 + encoded..end) else {
            return Ok(None);
        };
        let packet = match (kind >> 4, body) {
            (2, [_, code]) => Packet::Connected(*code),
            (4, [high, low]) => Packet::Published(u16::from_be_bytes([*high, *low])),
            (13, []) => Packet::Pong,
            (2 | 4 | 13, _) => return Err("it sends a damaged packet"),
            _ => Packet::Other,
        };
        self.buffer.drain(..end);
        Ok(Some(packet))
    }
}

/// The remaining length of a packet (2.2.3), in bytes.
struct Length {
    body: usize,
    /// The size of the encoded length.
    encoded: usize,
}

impl Length {
    /// Reads the length at the beginning of `bytes`; `None` if it is not complete.
    fn read(bytes: &[u8]) -> Result<Option<Self>, &'static str> {
        let mut body = 0;
        for (at, byte) in bytes.iter().take(4).enumerate() {
            body |= usize::from(byte & 0x7F) << (7 * at);
            if byte & 0x80 == 0 {
                let encoded = at + 1;
                return Ok(Some(Self { body, encoded }));
            }
        }
        match bytes.len() {
            0..4 => Ok(None),
            _ => Err("it sends a damaged packet"),
        }
    }
}

/// CONNECT: opens a clean session (3.1).
pub(super) fn connect(options: &MqttOptions, keep_alive: u16) -> Vec<u8> {
    let (user, password) = (&options.user, &options.password);
    // A password without a user name is not allowed.
    let password = password.as_ref().filter(|_| user.is_some());
    let mut flags = 0x02;
    flags |= if user.is_some() { 0x80 } else { 0 };
    flags |= if password.is_some() { 0x40 } else { 0 };
    let mut body = text("MQTT");
    body.extend([4, flags]);
    body.extend(keep_alive.to_be_bytes());
    body.extend(text(&options.client));
    for part in [user.as_ref(), password].into_iter().flatten() {
        body.extend(text(part));
    }
    packet(0x10, &body)
}

/// PUBLISH: a message that the broker acknowledges with `id` (3.3); `again` marks a repetition.
pub(super) fn publish(topic: &str, message: &str, id: u16, again: bool) -> Vec<u8> {
    let mut body = text(topic);
    body.extend(id.to_be_bytes());
    body.extend(message.as_bytes());
    packet(if again { 0x3A } else { 0x32 }, &body)
}

/// The reason for a refused connection (3.2.2.3).
pub(super) fn refusal(code: u8) -> &'static str {
    match code {
        1 => "it does not speak MQTT 3.1.1",
        2 => "it does not take the client's name",
        3 => "it is not available",
        4 => "it does not know this user and password",
        5 => "it does not let this client in",
        _ => "it refuses the connection",
    }
}

fn packet(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    let mut length = body.len();
    loop {
        let low = u8::try_from(length % 128).unwrap_or(0);
        length /= 128;
        bytes.push(if length > 0 { low | 0x80 } else { low });
        if length == 0 {
            break;
        }
    }
    bytes.extend(body);
    bytes
}

/// A string with its length as prefix (1.5.3); cut at the maximum length.
fn text(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    let mut bytes = length.to_be_bytes().to_vec();
    bytes.extend(text.bytes().take(usize::from(length)));
    bytes
}

#[cfg(test)]
mod tests;
