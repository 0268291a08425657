//! Decides whether tools can be sent to a server as the client wrote them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use haft_core::{ModelError, Tool};
use serde_json::Value;

use crate::ClientRequest;
use crate::names::WireNames;

/// The maximum number of cached lists for each kind of server, enough for the clients in use.
const MOST: usize = 64;

/// The maximum size of a cached list in bytes.
const LONGEST: usize = 64 * 1024;

/// Parses a client's request.
type Read = fn(&[u8]) -> Result<ClientRequest, ModelError>;

/// Encodes tools as an adapter does.
type Write = fn(&[Arc<dyn Tool>], &WireNames) -> serde_json::Result<Value>;

/// Cached decisions about lists of tools, by their text.
#[derive(Debug)]
pub(crate) struct KnownTools {
    read: Read,
    write: Write,
    /// The newest first. Lists are compared, not hashed: the length alone distinguishes nearly all
    /// of them.
    known: Mutex<VecDeque<(Bytes, bool)>>,
}

impl KnownTools {
    /// A cache for tools in requests that `read` parses and `write` encodes.
    pub(crate) const fn new(read: Read, write: Write) -> Self {
        Self {
            read,
            write,
            known: Mutex::new(VecDeque::new()),
        }
    }

    /// Whether the tools would be encoded unchanged; decided once for each list.
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
        // Copied, because the bytes are part of a whole request.
        known.push_front((Bytes::copy_from_slice(tools), pass));
        pass
    }

    fn judge(&self, tools: &[u8]) -> bool {
        let written = || {
            let by_client = serde_json::from_slice(tools).ok()?;
            let text = std::str::from_utf8(tools).ok()?;
            // The smallest request that is valid in every API.
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

/// Whether everything that an adapter writes is contained in what the client wrote; additional
/// fields of the client do no harm. An empty string of the adapter counts as missing.
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
