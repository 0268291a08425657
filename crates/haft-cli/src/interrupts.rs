//! Handles Ctrl-C and other shutdown signals: running work is cancelled and reported.
//!
//! Closing the terminal and Ctrl-\ are handled as well. `main` ends the remaining child processes.

use std::io;
#[cfg(unix)]
use std::io::IsTerminal;

use futures_util::future::BoxFuture;
use haft::tools::{CallUnderWay, calls_under_way};
use tokio::signal;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind};
use tokio::sync::oneshot;

use crate::failure::{Exit, Failure};

/// Handles shutdown signals from the creation of this value on; before, they end the process.
#[derive(Debug)]
pub(crate) struct Interrupts {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    terminate: Signal,
    #[cfg(unix)]
    quit: Signal,
    /// `None` if the process was started with `nohup`, to outlive the terminal.
    #[cfg(unix)]
    hangup: Option<Signal>,
}

/// The process received a shutdown signal.
#[derive(Clone, Debug)]
pub(crate) struct Interrupted {
    pub(crate) exit: Exit,
    /// The calls that were running at that time.
    under_way: Vec<CallUnderWay>,
}

impl Interrupted {
    /// At this moment.
    fn now(exit: Exit) -> Self {
        Self {
            exit,
            under_way: calls_under_way(),
        }
    }

    /// A sentence about the calls that were running, if there were any.
    pub(crate) fn under_way(&self) -> Option<String> {
        under_way(&self.under_way)
    }
}

/// A sentence about calls that were cut off, if there are any.
pub(crate) fn under_way(calls: &[CallUnderWay]) -> Option<String> {
    let calls: Vec<_> = calls.iter().map(ToString::to_string).collect();
    (!calls.is_empty()).then(|| calls.join("; "))
}

impl From<Interrupted> for Failure {
    fn from(interrupted: Interrupted) -> Self {
        let message = match interrupted.under_way() {
            None => "interrupted".to_owned(),
            Some(calls) => format!("interrupted; {calls}"),
        };
        Self {
            exit: interrupted.exit,
            ..Self::new(message)
        }
    }
}

impl Interrupts {
    pub(crate) fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        let hangup = match is_hangup_ignored() {
            true => None,
            false => Some(signal::unix::signal(SignalKind::hangup())?),
        };
        Ok(Self {
            #[cfg(unix)]
            interrupt: signal::unix::signal(SignalKind::interrupt())?,
            #[cfg(unix)]
            terminate: signal::unix::signal(SignalKind::terminate())?,
            #[cfg(unix)]
            quit: signal::unix::signal(SignalKind::quit())?,
            #[cfg(unix)]
            hangup,
        })
    }

    /// The signals to read the settings again: SIGHUP, unless a terminal would send it when it is
    /// closed. From now on it is no shutdown signal.
    #[cfg(unix)]
    pub(crate) fn reloads(&mut self) -> Option<Signal> {
        match io::stdin().is_terminal() || io::stderr().is_terminal() {
            true => None,
            false => self.hangup.take(),
        }
    }

    /// Runs `work`, or cancels it at the next shutdown signal.
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

    /// Serves until a shutdown signal, then until `serve` has finished its running work. `serve`
    /// receives a future that completes at the first signal, which is also reported to `ending`. A
    /// second signal ends the process without waiting.
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
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        Interrupted::now(tokio::select! {
            _ = self.interrupt.recv() => Exit::Interrupted,
            _ = self.terminate.recv() => Exit::Terminated,
            _ = self.quit.recv() => Exit::Quit,
            _ = hangup => Exit::HungUp,
        })
    }

    #[cfg(not(unix))]
    async fn next(&mut self) -> Interrupted {
        if signal::ctrl_c().await.is_err() {
            // Without a handler, the signal ends the process.
            std::future::pending::<()>().await;
        }
        Interrupted::now(Exit::Interrupted)
    }
}

/// Whether the process was started with `nohup`, whose effect a handler would undo. Only Linux
/// shows that: the lowest bit of the ignored signals stands for SIGHUP.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 == 1)
}
