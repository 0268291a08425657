//! Keeps the list of a server's tools up to date.
//!
//! The list is read again when the server announces a change. Servers need not announce changes, so
//! approval, which must know the current definition, reads the list as well.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::SubscriptionFilter;
use rmcp::service::{Peer, RoleClient, ServiceError};
use tokio::time::{sleep, timeout};

use super::{ServerError, SupervisedServer};
use crate::definitions::listed_tool::ListedTool;
use crate::session::call::CallError;
use crate::session::connection::Connection;
use crate::session::list;
use crate::session::list_changes::ListChanges;
use crate::transport::protocol_version::Protocol;

/// The pause after an announcement, because servers announce each of many changes separately.
const LIST_PAUSE: Duration = Duration::from_millis(50);

impl SupervisedServer {
    /// The current definition of one of its tools, by the server's own name. The server is started
    /// if necessary, and the list is requested if it may have changed.
    pub(crate) async fn live(self: &Arc<Self>, tool: &str) -> Result<Arc<ListedTool>, ServerError> {
        let connection = self.connection().await.map_err(ServerError::Down)?;
        let changes = &connection.list_changes;
        if !changes.is_current() {
            let _reading = changes.reading().await;
            // Another call may have read the list meanwhile.
            if !changes.is_current() {
                let read = self.read_list(&connection).await;
                read.map_err(|error| ServerError::Call(CallError::Service(error)))?;
            }
        }
        self.find(tool).ok_or(ServerError::Gone)
    }

    /// Follows changes of the list until the connection closes.
    pub(super) fn keep_listed(self: &Arc<Self>, connection: &Arc<Connection>) {
        if promises_changes(&connection.peer) {
            let changes = Arc::clone(&connection.list_changes);
            match connection.protocol {
                Protocol::Legacy => changes.promise(true),
                Protocol::Modern => drop(tokio::spawn(subscribe(connection.peer.clone(), changes))),
            }
        }
        let server = Arc::clone(self);
        let connection = Arc::clone(connection);
        tokio::spawn(async move { server.follow(&connection).await });
    }

    /// Reads the list after every change until the connection closes.
    async fn follow(&self, connection: &Connection) {
        let mut closed = self.is_closed.subscribe();
        let changes = &connection.list_changes;
        loop {
            tokio::select! {
                () = changes.next() => {}
                () = connection.ended() => return,
                _ = closed.wait_for(|closed| *closed) => return,
            }
            sleep(LIST_PAUSE).await;
            let reading = async {
                let _reading = changes.reading().await;
                if changes.has_read_all() {
                    return Ok(());
                }
                self.read_list(connection).await
            };
            match timeout(self.options.start_timeout, reading).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(server = self.name, %error, "no list of tools"),
                Err(_) => tracing::warn!(server = self.name, "no list of tools in time"),
            }
            if !connection.is_open() {
                return;
            }
        }
    }

    async fn read_list(&self, connection: &Connection) -> Result<(), ServiceError> {
        let changes = &connection.list_changes;
        let announced = changes.announced();
        let listed = list::list(&connection.peer, &self.name).await?;
        let tools = listed.tools.len();
        tracing::debug!(server = self.name, tools, "MCP tools read");
        self.learn(connection.protocol, listed);
        changes.read(announced);
        Ok(())
    }
}

/// Whether the server promises to announce changes.
fn promises_changes(peer: &Peer<RoleClient>) -> bool {
    let info = peer.peer_info();
    let tools = info
        .as_ref()
        .and_then(|info| info.capabilities.tools.as_ref());
    tools.and_then(|tools| tools.list_changed) == Some(true)
}

/// In the newer revision, a client receives announcements only after subscribing.
async fn subscribe(peer: Peer<RoleClient>, changes: Arc<ListChanges>) {
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    match peer.listen(filter).await {
        Ok(mut subscription) => {
            changes.promise(true);
            // The list was read before the subscription began.
            changes.tell();
            while let Ok(Some(_)) = subscription.next().await {
                changes.tell();
            }
            changes.promise(false);
        }
        Err(error) => tracing::debug!(%error, "no word of changes in the list of tools"),
    }
}
