//! The replies of a scripted server, including the ways in which they fail.

use std::time::Duration;

use serde_json::Value;

/// One reply: status, headers, a body in pieces, and how the response ends.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    /// Pieces of the body, each with the delay before it.
    pub(super) pieces: Vec<(Duration, Vec<u8>)>,
    pub(super) end: End,
}

/// What happens after the last piece was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The response is complete.
    Complete,
    /// The connection is closed before the body is complete.
    Cut,
    /// The connection is reset.
    Reset,
    /// The connection stays open and silent until the client disconnects.
    Hang,
    /// Not even a status is sent until the client disconnects.
    Silence,
}

impl Reply {
    /// A reply with status 200 and this body.
    #[must_use]
    pub fn new(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), content_type.to_owned())],
            pieces: vec![(Duration::ZERO, body.into())],
            end: End::Complete,
        }
    }

    /// Whether it is a chat completion, or no JSON with status 200: what a server says that was
    /// asked about its models and has no answer to that.
    pub(super) fn tells_no_facts(&self) -> bool {
        let mut headers = self.headers.iter();
        let is_json =
            headers.any(|(name, value)| name == "content-type" && value == "application/json");
        let mut pieces = self.pieces.iter();
        let is_chat =
            pieces.any(|(_, piece)| String::from_utf8_lossy(piece).contains("\"choices\""));
        self.status != 200 || !is_json || is_chat
    }

    /// A plain text reply.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::new("text/plain", text)
    }

    /// A JSON reply.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "reads better with json!")]
    pub fn json(value: Value) -> Self {
        Self::new("application/json", value.to_string())
    }

    /// Server-sent events: one `data:` line and a blank line for each text, each event in its own
    /// piece.
    #[must_use]
    pub fn sse<T: AsRef<str>>(events: impl IntoIterator<Item = T>) -> Self {
        let piece = |event: T| format!("data: {}\n\n", event.as_ref()).into_bytes();
        Self::new("text/event-stream", "").with_pieces(events.into_iter().map(piece))
    }

    /// Newline-delimited JSON: one value per line, each line in its own piece.
    #[must_use]
    pub fn ndjson(values: impl IntoIterator<Item = Value>) -> Self {
        let piece = |value: Value| format!("{value}\n").into_bytes();
        Self::new("application/x-ndjson", "").with_pieces(values.into_iter().map(piece))
    }

    /// Accepts the request and never responds.
    #[must_use]
    pub fn silence() -> Self {
        Self {
            end: End::Silence,
            ..Self::text("")
        }
    }

    /// Sets the status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Replaces the body with these pieces.
    #[must_use]
    pub fn with_pieces(mut self, pieces: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let pieces = pieces.into_iter().map(|piece| (Duration::ZERO, piece));
        self.pieces = pieces.collect();
        self
    }

    /// Splits the body into pieces of `size` bytes, regardless of character boundaries.
    #[must_use]
    pub fn in_pieces_of(self, size: usize) -> Self {
        let body: Vec<u8> = self
            .pieces
            .iter()
            .flat_map(|(_, piece)| piece)
            .copied()
            .collect();
        let pieces: Vec<Vec<u8>> = body.chunks(size.max(1)).map(<[u8]>::to_vec).collect();
        self.with_pieces(pieces)
    }

    /// Waits for `wait` before each piece.
    #[must_use]
    pub fn slowly(mut self, wait: Duration) -> Self {
        for piece in &mut self.pieces {
            piece.0 = wait;
        }
        self
    }

    /// Closes the connection after the last piece, before the body is complete.
    #[must_use]
    pub fn then_cut(self) -> Self {
        Self {
            end: End::Cut,
            ..self
        }
    }

    /// Resets the connection after the last piece.
    #[must_use]
    pub fn then_reset(self) -> Self {
        Self {
            end: End::Reset,
            ..self
        }
    }

    /// Keeps the connection open after the last piece and sends nothing more.
    #[must_use]
    pub fn then_hang(self) -> Self {
        Self {
            end: End::Hang,
            ..self
        }
    }
}
