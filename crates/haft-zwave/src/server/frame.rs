//! Frames of WebSocket (RFC 6455), as a client reads and writes them.
//!
//! Just what one JSON protocol needs: no extensions, no fragments of its own. [`FrameReader`]
//! takes bytes cut anywhere and gives whole messages; a size is checked when it is announced,
//! before anything is kept for it.

/// A whole message from the server.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// Text; whether it is UTF-8 is for its reader to find out.
    Data(Vec<u8>),
    /// To be answered with a pong of the same content.
    Ping(Vec<u8>),
    /// The answer to a ping.
    Pong,
    /// The server ends the conversation.
    Close,
}

/// What a frame is (RFC 6455, section 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opcode {
    Continuation = 0x0,
    Text = 0x1,
    Binary = 0x2,
    Close = 0x8,
    Ping = 0x9,
    Pong = 0xA,
}

/// How the server broke the rules. After that nothing it sends can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    /// A message longer than the limit.
    TooLong,
    /// A frame that is none, in a few words.
    Malformed(&'static str),
}

/// A longer control frame is none (RFC 6455, section 5.5).
const MAX_CONTROL: usize = 125;
/// This length means that the true one follows in two bytes, the next one in eight.
const LENGTH_16: u8 = 126;
const LENGTH_64: u8 = 127;

/// Puts messages together from the bytes of the connection.
#[derive(Debug)]
pub(super) struct FrameReader {
    /// What was read but not yet taken.
    buffer: Vec<u8>,
    /// The message whose first frames have come.
    begun: Option<Vec<u8>>,
    /// The longest message, in bytes.
    limit: usize,
}

struct Header {
    last: bool,
    opcode: Opcode,
    /// Where the payload begins.
    start: usize,
    length: usize,
}

impl FrameReader {
    /// Reads messages of up to `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            begun: None,
            limit,
        }
    }

    /// More bytes of the connection.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole message, if it has come.
    pub(super) fn next(&mut self) -> Result<Option<Message>, Violation> {
        loop {
            let Some(header) = self.header()? else {
                return Ok(None);
            };
            let end = header.start + header.length;
            let Some(payload) = self.buffer.get(header.start..end) else {
                return Ok(None);
            };
            let payload = payload.to_vec();
            self.buffer.drain(..end);
            if let Some(message) = self.take(&header, payload)? {
                return Ok(Some(message));
            }
        }
    }

    fn header(&self) -> Result<Option<Header>, Violation> {
        let [first, second, rest @ ..] = self.buffer.as_slice() else {
            return Ok(None);
        };
        if first & 0x70 != 0 {
            return Err(Violation::Malformed("reserved bits are set"));
        }
        if second & 0x80 != 0 {
            return Err(Violation::Malformed("a server's frame is masked"));
        }
        let opcode =
            Opcode::of(first & 0x0F).ok_or(Violation::Malformed("an unknown kind of frame"))?;
        let (start, length) = match (second & 0x7F, rest) {
            (LENGTH_16, [high, low, ..]) => (4, u64::from(u16::from_be_bytes([*high, *low]))),
            (LENGTH_64, rest) => match rest.first_chunk::<8>() {
                Some(bytes) => (10, u64::from_be_bytes(*bytes)),
                None => return Ok(None),
            },
            (LENGTH_16, _) => return Ok(None),
            (length, _) => (2, u64::from(length)),
        };
        let last = first & 0x80 != 0;
        if opcode.is_control() && (!last || length > MAX_CONTROL as u64) {
            return Err(Violation::Malformed("a control frame is cut or too long"));
        }
        let begun = self.begun.as_ref().map_or(0, Vec::len);
        let room = self.limit.saturating_sub(begun);
        let length = usize::try_from(length).map_err(|_| Violation::TooLong)?;
        if !opcode.is_control() && length > room {
            return Err(Violation::TooLong);
        }
        Ok(Some(Header {
            last,
            opcode,
            start,
            length,
        }))
    }

    fn take(&mut self, header: &Header, payload: Vec<u8>) -> Result<Option<Message>, Violation> {
        let whole = match (header.opcode, self.begun.take()) {
            (Opcode::Text | Opcode::Binary, None) => payload,
            (Opcode::Continuation, Some(mut begun)) => {
                begun.extend_from_slice(&payload);
                begun
            }
            (Opcode::Text | Opcode::Binary | Opcode::Continuation, _) => {
                return Err(Violation::Malformed("frames of two messages are mixed"));
            }
            (control, begun) => {
                // A control frame may stand between the frames of a message.
                self.begun = begun;
                return Ok(Some(match control {
                    Opcode::Ping => Message::Ping(payload),
                    Opcode::Close => Message::Close,
                    _ => Message::Pong,
                }));
            }
        };
        if header.last {
            return Ok(Some(Message::Data(whole)));
        }
        self.begun = Some(whole);
        Ok(None)
    }
}

impl Opcode {
    fn of(bits: u8) -> Option<Self> {
        Some(match bits {
            0x0 => Self::Continuation,
            0x1 => Self::Text,
            0x2 => Self::Binary,
            0x8 => Self::Close,
            0x9 => Self::Ping,
            0xA => Self::Pong,
            _ => return None,
        })
    }

    fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// One whole frame of a client, which is masked so that no proxy takes it for something else.
pub(super) fn encode(opcode: Opcode, payload: &[u8], mask: [u8; 4]) -> Vec<u8> {
    const MASKED: u8 = 0x80;
    let mut frame = vec![0x80 | opcode as u8];
    match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
        (Ok(length), _) if usize::from(length) <= MAX_CONTROL => frame.push(MASKED | length),
        (_, Ok(length)) => {
            frame.push(MASKED | LENGTH_16);
            frame.extend_from_slice(&length.to_be_bytes());
        }
        _ => {
            frame.push(MASKED | LENGTH_64);
            frame.extend_from_slice(&(payload.len() as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(&mask);
    let masked = payload.iter().zip(mask.iter().cycle());
    frame.extend(masked.map(|(byte, mask)| byte ^ mask));
    frame
}

#[cfg(test)]
mod tests;
