//! A connection to a server that is ready, whatever is at its other end.
//!
//! It is shared by all calls. A child process at its other end is known here too: calls must hear
//! at once when it ends, and what is left of it is killed with the connection.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::service::{Peer, RoleClient, RunningService};
use tokio::sync::watch;

use crate::session::client::{Client, Progress};
use crate::session::list_changes::ListChanges;
use crate::transport::protocol_version::Protocol;
use crate::transport::trouble::Trouble;
use haft_tools::ProcessTree;

/// What keeps a connection going; it ends when this is dropped.
pub(crate) type Service = RunningService<RoleClient, Client>;

/// One connection. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) peer: Peer<RoleClient>,
    /// How the server is spoken to.
    pub(crate) protocol: Protocol,
    pub(crate) progress: Progress,
    /// Told when the list of tools is no longer true.
    pub(crate) list_changes: Arc<ListChanges>,
    /// Whether forms are accepted that the server has filled in.
    pub(crate) accept_defaults: bool,
    /// Notices on their way to the server that nobody waits for a call any more.
    pub(crate) notices: watch::Sender<usize>,
    service: Mutex<Option<Service>>,
    /// Of a child process.
    child: Option<ChildState>,
}

/// How a child process is.
#[derive(Clone, Debug)]
pub(crate) struct ChildState {
    /// True when nothing more will come from it.
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

    /// Whether calls make sense.
    pub(crate) fn is_open(&self) -> bool {
        let has_ended = self
            .child
            .as_ref()
            .is_some_and(|child| *child.ended.borrow());
        !has_ended && !self.peer.is_transport_closed()
    }

    /// Whether a child process is at its other end.
    pub(crate) fn is_child(&self) -> bool {
        self.child.is_some()
    }

    /// Waits for the end of a child process; never returns where there is none.
    pub(crate) async fn ended(&self) {
        match &self.child {
            // An error says that the pipe is gone altogether.
            Some(child) => {
                let _ = child.ended.clone().wait_for(|ended| *ended).await;
            }
            None => std::future::pending().await,
        }
    }

    /// Why a child process was cut off, where its output was the reason.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.child.as_ref()?.trouble.with_line()
    }

    /// Ends what is left of a connection that is over, its processes first.
    pub(crate) fn kill(&self) {
        if let Some(child) = &self.child {
            child.tree.kill();
        }
        drop(self.take());
    }

    /// What keeps it going, to be ended in good order.
    pub(crate) fn take(&self) -> Option<Service> {
        self.service
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}
