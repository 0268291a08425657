//! An open connection to a server over any transport.
//!
//! It is shared by all calls. The state of a child process is part of it: calls must fail at once
//! when the child exits, and its remaining processes are killed with the connection.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::service::{Peer, RoleClient, RunningService};
use tokio::sync::watch;

use crate::session::client::{Client, Progress};
use crate::session::list_changes::ListChanges;
use crate::transport::protocol_version::Protocol;
use crate::transport::trouble::Trouble;
use haft_tools::ProcessTree;

/// The running protocol service; the connection closes when it is dropped.
pub(crate) type Service = RunningService<RoleClient, Client>;

/// A connection. Dropping it closes it.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) peer: Peer<RoleClient>,
    /// The protocol in use.
    pub(crate) protocol: Protocol,
    pub(crate) progress: Progress,
    /// Tracks whether the list of tools is current.
    pub(crate) list_changes: Arc<ListChanges>,
    /// Whether forms are accepted with the server's defaults.
    pub(crate) accept_defaults: bool,
    /// The number of cancellation notices that are being sent.
    pub(crate) notices: watch::Sender<usize>,
    service: Mutex<Option<Service>>,
    /// The state of the child process, if there is one.
    child: Option<ChildState>,
}

#[derive(Clone, Debug)]
pub(crate) struct ChildState {
    /// True when no more data will come from it.
    pub(crate) ended: watch::Receiver<bool>,
    pub(crate) tree: ProcessTree,
    pub(crate) trouble: Trouble,
}

impl Connection {
    pub(crate) fn new(service: Service, protocol: Protocol, child: Option<ChildState>) -> Self {
        Self {
            peer: service.peer().clone(),
            protocol,
            progress: service.service().progress.clone(),
            list_changes: Arc::clone(&service.service().list_changed),
            accept_defaults: service.service().accept_defaults,
            notices: watch::Sender::default(),
            service: Mutex::new(Some(service)),
            child,
        }
    }

    /// Whether the connection can be used for calls.
    pub(crate) fn is_open(&self) -> bool {
        let has_ended = self
            .child
            .as_ref()
            .is_some_and(|child| *child.ended.borrow());
        !has_ended && !self.peer.is_transport_closed()
    }

    /// Whether the server is a child process.
    pub(crate) fn is_child(&self) -> bool {
        self.child.is_some()
    }

    /// Waits for the exit of the child process; never returns if there is none.
    pub(crate) async fn ended(&self) {
        match &self.child {
            // An error means that the pipe was dropped.
            Some(child) => {
                let _ = child.ended.clone().wait_for(|ended| *ended).await;
            }
            None => std::future::pending().await,
        }
    }

    /// Why a child process was cut off, if its output was the reason.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.child.as_ref()?.trouble.with_line()
    }

    /// Kills the remaining processes of a closed connection.
    pub(crate) fn kill(&self) {
        if let Some(child) = &self.child {
            child.tree.kill();
        }
        drop(self.take());
    }

    /// Takes the running service, to be closed properly.
    pub(crate) fn take(&self) -> Option<Service> {
        self.service
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}
