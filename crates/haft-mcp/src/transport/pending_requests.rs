//! The requests that a server has not answered yet.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};

/// The ids of these requests.
#[derive(Debug, Default)]
pub(crate) struct PendingRequests(Mutex<HashSet<String>>);

impl PendingRequests {
    /// Removes a request; returns whether it was pending.
    pub(crate) fn remove(&self, id: &RequestId) -> bool {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.remove(&id.to_string())
    }

    /// Whether the server may send this message; what it answers is pending no longer.
    pub(crate) fn expects(&self, message: &ServerJsonRpcMessage) -> bool {
        let id = match message {
            JsonRpcMessage::Response(response) => &response.id,
            JsonRpcMessage::Error(error) => match &error.id {
                Some(id) => id,
                None => return true,
            },
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => return true,
        };
        let is_asked = self.remove(id);
        if !is_asked {
            tracing::debug!(%id, "an MCP server answers what nobody asked: dropped");
        }
        is_asked
    }

    /// Notes a request that is sent, or one that is cancelled.
    pub(crate) fn note(&self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                asked.insert(request.id.to_string());
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.remove(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
    }
}
