//! What a scripted server can say, and how it can fail to say it.

use std::time::Duration;

use serde_json::Value;

/// One answer: status, headers, a body in pieces, and an end that need not be a proper one.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    /// Pieces of the body, each after a wait.
    pub(super) pieces: Vec<(Duration, Vec<u8>)>,
    pub(super) end: End,
}

/// What happens when the last piece was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The body is complete.
    Complete,
    /// The connection is closed although the body is not complete.
    Cut,
    /// The connection is reset.
    Reset,
    /// Nothing more comes until the client hangs up.
    Hang,
    /// Nothing is sent at all, not even a status, until the client hangs up.
    Silence,
}

impl Reply {
    /// A body of any kind, with status 200.
    #[must_use]
    pub fn new(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), content_type.to_owned())],
            pieces: vec![(Duration::ZERO, body.into())],
            end: End::Complete,
        }
    }

    /// Plain text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::new("text/plain", text)
    }

    /// One JSON text.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "reads better with json!")]
    pub fn json(value: Value) -> Self {
        Self::new("application/json", value.to_string())
    }

    /// Server-sent events: one `data:` line and a blank line for each text, in a piece of its
    /// own.
    #[must_use]
    pub fn sse<T: AsRef<str>>(events: impl IntoIterator<Item = T>) -> Self {
        let piece = |event: T| format!("data: {}\n\n", event.as_ref()).into_bytes();
        Self::new("text/event-stream", "").with_pieces(events.into_iter().map(piece))
    }

    /// One JSON text per line, each in a piece of its own.
    #[must_use]
    pub fn ndjson(values: impl IntoIterator<Item = Value>) -> Self {
        let piece = |value: Value| format!("{value}\n").into_bytes();
        Self::new("application/x-ndjson", "").with_pieces(values.into_iter().map(piece))
    }

    /// Takes the request and never says a word.
    #[must_use]
    pub fn silence() -> Self {
        Self {
            end: End::Silence,
            ..Self::text("")
        }
    }

    /// The same reply with another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The same reply with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same reply with another body, sent in these pieces.
    #[must_use]
    pub fn with_pieces(mut self, pieces: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let pieces = pieces.into_iter().map(|piece| (Duration::ZERO, piece));
        self.pieces = pieces.collect();
        self
    }

    /// The same body in pieces of `size` bytes, whatever they cut apart.
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

    /// The same reply with a wait before each piece.
    #[must_use]
    pub fn slowly(mut self, wait: Duration) -> Self {
        for piece in &mut self.pieces {
            piece.0 = wait;
        }
        self
    }

    /// Closes the connection after the last piece, although the body is not complete.
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

    /// Sends nothing more after the last piece, and does not end either.
    #[must_use]
    pub fn then_hang(self) -> Self {
        Self {
            end: End::Hang,
            ..self
        }
    }
}
