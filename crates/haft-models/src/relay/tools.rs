//! Whether tools can go to a server as the client wrote them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use serde_json::Value;

/// So many lists of tools are remembered for each kind of server: those of the clients in use.
const MOST: usize = 64;

/// Bytes of a list that is remembered.
const LONGEST: usize = 64 * 1024;

/// What is known of lists of tools, by their text.
#[derive(Debug, Default)]
pub(crate) struct KnownTools(Mutex<Option<HashMap<Bytes, bool>>>);

impl KnownTools {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Whether `judge` finds that tools may pass; asked once for each list.
    pub(crate) fn pass(&self, tools: &Bytes, judge: impl FnOnce(&[u8]) -> bool) -> bool {
        if tools.len() > LONGEST {
            return judge(tools);
        }
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().as_ref().and_then(|known| known.get(tools).copied());
        if let Some(pass) = found {
            return pass;
        }
        let pass = judge(tools);
        let mut known = known();
        let known = known.get_or_insert_default();
        if known.len() >= MOST {
            known.clear();
        }
        // A copy, as the bytes are part of a whole request.
        known.insert(Bytes::copy_from_slice(tools), pass);
        pass
    }
}

/// Whether all that an adapter writes of a tool stands in what the client wrote; what the client
/// says beyond that does no harm. An adapter's empty text is as good as none.
pub(crate) fn are_kept(written: &Value, by_client: &Value) -> bool {
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
