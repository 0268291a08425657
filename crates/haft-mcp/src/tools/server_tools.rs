//! A server with its tools as shared objects.
//!
//! A tool whose definition is unchanged stays the same object: callers compare objects to detect
//! changes, and reuse an executor that was made for them.

use std::sync::{Arc, Mutex, PoisonError};

use crate::supervisor::supervised_server::SupervisedServer;
use crate::tools::tool::McpTool;

/// A server and the tools that were made of its list.
#[derive(Debug)]
pub(crate) struct ServerTools {
    pub(crate) server: Arc<SupervisedServer>,
    /// The tools of the last known list.
    made: Mutex<Vec<Arc<McpTool>>>,
}

impl ServerTools {
    /// A server whose tools are not created yet.
    pub(crate) fn new(server: Arc<SupervisedServer>) -> Self {
        Self {
            server,
            made: Mutex::default(),
        }
    }

    /// The last known tools, in the server's order and with its names.
    pub(crate) fn tools(&self) -> Vec<Arc<McpTool>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = self.server.tools().into_iter();
        let tools = listed.map(|listed| {
            let same = made.iter().find(|tool| tool.is(&listed)).map(Arc::clone);
            same.unwrap_or_else(|| Arc::new(McpTool::new(&self.server, listed)))
        });
        *made = tools.collect();
        made.clone()
    }
}
