//! Ctrl-C and the other request to end: what runs is dropped, and whoever waited learns of it.

use std::io;

use tokio::signal;

use crate::failure::{Exit, Failure};

/// Requests to end, from the moment on when this was made; before it, they end the process.
#[derive(Debug)]
pub(crate) struct Interrupts {
    #[cfg(unix)]
    interrupt: signal::unix::Signal,
    #[cfg(unix)]
    terminate: signal::unix::Signal,
}

/// Somebody wants the process to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interrupted(pub(crate) Exit);

impl From<Interrupted> for Failure {
    fn from(Interrupted(exit): Interrupted) -> Self {
        Self {
            exit,
            ..Self::new("interrupted")
        }
    }
}

impl Interrupts {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            interrupt: signal::unix::signal(signal::unix::SignalKind::interrupt())?,
            #[cfg(unix)]
            terminate: signal::unix::signal(signal::unix::SignalKind::terminate())?,
        })
    }

    /// Does `work`, or drops it at the next request to end.
    pub(crate) async fn unless<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Result<T, Interrupted> {
        tokio::select! {
            biased;
            interrupted = self.next() => Err(interrupted),
            done = work => Ok(done),
        }
    }

    #[cfg(unix)]
    async fn next(&mut self) -> Interrupted {
        tokio::select! {
            _ = self.interrupt.recv() => Interrupted(Exit::Interrupted),
            _ = self.terminate.recv() => Interrupted(Exit::Terminated),
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) -> Interrupted {
        if signal::ctrl_c().await.is_err() {
            // Without a handler the system itself ends the process.
            std::future::pending::<()>().await;
        }
        Interrupted(Exit::Interrupted)
    }
}
