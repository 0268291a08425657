//! Whether tools can go to a server as the client wrote them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use haft_core::{ModelError, Tool};
use serde_json::Value;

use crate::ClientRequest;
use crate::names::WireNames;

/// So many lists of tools are remembered for each kind of server: those of the clients in use.
const MOST: usize = 64;

/// Bytes of a list that is remembered.
const LONGEST: usize = 64 * 1024;

/// How a client's request is read.
type Read = fn(&[u8]) -> Result<ClientRequest, ModelError>;

/// How an adapter writes tools.
type Write = fn(&[Arc<dyn Tool>], &WireNames) -> serde_json::Result<Value>;

/// What is known of lists of tools, by their text.
#[derive(Debug)]
pub(crate) struct KnownTools {
    read: Read,
    write: Write,
    /// The newest first. They are compared, not hashed: one look at the length tells nearly all of
    /// them apart.
    known: Mutex<VecDeque<(Bytes, bool)>>,
}

impl KnownTools {
    /// For tools in requests that `read` reads, and how an adapter writes such.
    pub(crate) const fn new(read: Read, write: Write) -> Self {
        Self {
            read,
            write,
            known: Mutex::new(VecDeque::new()),
        }
    }

    /// Whether tools would be written as they are; judged once for each list.
    pub(crate) fn pass(&self, tools: &Bytes) -> bool {
        if tools.len() > LONGEST {
            return self.judge(tools);
        }
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, pass)) = known().iter().find(|(text, _)| text == tools) {
            return *pass;
        }
        let pass = self.judge(tools);
        let mut known = known();
        known.truncate(MOST - 1);
        // A copy, as the bytes are part of a whole request.
        known.push_front((Bytes::copy_from_slice(tools), pass));
        pass
    }

    fn judge(&self, tools: &[u8]) -> bool {
        let written = || {
            let by_client = serde_json::from_slice(tools).ok()?;
            let text = std::str::from_utf8(tools).ok()?;
            // The least that is a request on every wire.
            let body =
                format!("{{\"model\":\"m\",\"max_tokens\":1,\"messages\":[],\"tools\":{text}}}");
            let tools = (self.read)(body.as_bytes()).ok()?.tools;
            let names = WireNames::new(&tools).ok()?;
            let written = (self.write)(&tools, &names).ok()?;
            Some(are_kept(&written, &by_client))
        };
        written().unwrap_or(false)
    }
}

/// Whether all that an adapter writes of a tool stands in what the client wrote; what the client
/// says beyond that does no harm. An adapter's empty text is as good as none.
fn are_kept(written: &Value, by_client: &Value) -> bool {
    match (written, by_client) {
        (Value::Array(written), Value::Array(by_client)) => {
            let mut pairs = written.iter().zip(by_client);
            written.len() == by_client.len() && pairs.all(|(one, other)| is_kept(one, other))
        }
        _ => false,
    }
}

fn is_kept(written: &Value, by_client: &Value) -> bool {
    let (Value::Object(written), Value::Object(by_client)) = (written, by_client) else {
        return false;
    };
    written
        .iter()
        .all(|(field, value)| match by_client.get(field) {
            Some(same) if same == value => true,
            Some(inner) => field == "function" && is_kept(value, inner),
            None => value == "",
        })
}
