//! Our side of the protocol: requests from a server are refused, progress and list notifications
//! are handled.
//!
//! A server may request input from the user (elicitation) or a reply from a model (sampling). We
//! declare neither capability, so the first is declined (see [`elicitation`]), the second is
//! refused by the default of [`ClientHandler`], and the server has to continue without.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationCapability,
    ErrorData, FormElicitationCapability, Implementation, ProgressNotificationParam, ProgressToken,
    ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use tokio::sync::Notify;

use crate::session::elicitation;
use crate::session::list_changes::ListChanges;

/// The calls that wait for progress notifications.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress(Arc<Mutex<HashMap<ProgressToken, Arc<Notify>>>>);

impl Progress {
    /// Registers the call with this token for progress notifications until the result is dropped.
    pub(crate) fn watch(&self, token: ProgressToken) -> Watched {
        let signs = Arc::new(Notify::new());
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.insert(token.clone(), Arc::clone(&signs));
        Watched {
            progress: self.clone(),
            token,
            signs,
        }
    }

    fn tell(&self, token: &ProgressToken) {
        let calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(signs) = calls.get(token) {
            signs.notify_one();
        }
    }
}

/// A call that is registered for progress notifications.
#[derive(Debug)]
pub(crate) struct Watched {
    progress: Progress,
    token: ProgressToken,
    signs: Arc<Notify>,
}

impl Watched {
    /// Waits for the next notification.
    pub(crate) async fn sign(&self) {
        self.signs.notified().await;
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut calls = self
            .progress
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        calls.remove(&self.token);
    }
}

/// Our side of one connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    pub(crate) progress: Progress,
    /// Records that the server's tools have changed.
    pub(crate) list_changed: Arc<ListChanges>,
    /// See [`McpOptions::accept_defaults`](crate::McpOptions::accept_defaults).
    pub(crate) accept_defaults: bool,
}

impl Client {
    pub(crate) fn new(accept_defaults: bool) -> Self {
        Self {
            accept_defaults,
            ..Self::default()
        }
    }
}

impl ClientHandler for Client {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.progress.tell(&params.progress_token);
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.list_changed.tell();
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(elicitation::answer(&request, self.accept_defaults))
    }

    /// The version is the one of the `initialize` request that every server knows.
    fn get_info(&self) -> ClientConfig {
        let haft = Implementation::new("haft", env!("CARGO_PKG_VERSION"));
        let mut capabilities = ClientCapabilities::default();
        if self.accept_defaults {
            let form = FormElicitationCapability::default();
            capabilities.elicitation = Some(ElicitationCapability::new().with_form(form));
        }
        ClientConfig::new(capabilities, haft).with_protocol_version(ProtocolVersion::V_2025_11_25)
    }
}
