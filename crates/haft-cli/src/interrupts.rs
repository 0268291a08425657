//! Ctrl-C and the other request to end: what runs is dropped, and whoever waited learns of it.

use std::io;

use futures_util::future::BoxFuture;
use tokio::signal;
use tokio::sync::oneshot;

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

    /// Serves until a request to end, then until `serve` is done with what is under way. It is
    /// given what is over at the first such request; `ending` is told of it. A second one does
    /// not wait.
    pub(crate) async fn end_well<T, F: Future<Output = T>>(
        &mut self,
        serve: impl FnOnce(BoxFuture<'static, ()>) -> F,
        ending: impl FnOnce(),
    ) -> Result<T, Interrupted> {
        let (end, ended) = oneshot::channel::<()>();
        let ended = Box::pin(async {
            let _ = ended.await;
        });
        let mut serving = Box::pin(serve(ended));
        match self.unless(&mut serving).await {
            Ok(served) => Ok(served),
            Err(_) => {
                ending();
                drop(end);
                self.unless(serving).await
            }
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
