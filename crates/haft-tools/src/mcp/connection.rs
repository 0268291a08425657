//! A connection to a server that is ready, whatever is at its other end.

use std::sync::{Mutex, PoisonError};

use rmcp::service::{Peer, RoleClient, RunningService};
use tokio::sync::watch;

use super::client::{Client, Progress};
use crate::process::ProcessTree;

/// What keeps a connection going; it ends when this is dropped.
pub(crate) type Service = RunningService<RoleClient, Client>;

/// One connection. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) peer: Peer<RoleClient>,
    pub(crate) progress: Progress,
    /// Whether forms are accepted that the server has filled in.
    pub(crate) accept_defaults: bool,
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
}

impl Connection {
    pub(crate) fn new(service: Service, child: Option<ChildState>) -> Self {
        Self {
            peer: service.peer().clone(),
            progress: service.service().progress.clone(),
            accept_defaults: service.service().accept_defaults,
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

    /// Waits for the end of a child process; without one, for ever.
    pub(crate) async fn ended(&self) {
        match &self.child {
            // An error says that the pipe is gone altogether.
            Some(child) => {
                let _ = child.ended.clone().wait_for(|ended| *ended).await;
            }
            None => std::future::pending().await,
        }
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
