//! Asks the user at the terminal a question, and reads the answer line; how wide the terminal is.

use std::io::{self, BufRead, IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum length in bytes of a line from a terminal.
const LONGEST_LINE: u64 = 4096;

/// Whether the user can be asked: questions go to stderr, answers come from stdin.
pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// The width of a terminal that does not tell: an old standard.
const USUAL_WIDTH: usize = 80;

/// The width where nobody looks: lines on a pipe are not cut.
const PIPE_WIDTH: usize = 10_000;

/// The columns of the terminal that stdout is.
pub(crate) fn width() -> usize {
    if !io::stdout().is_terminal() {
        return PIPE_WIDTH;
    }
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(io::stdout())
        && size.ws_col > 0
    {
        return size.ws_col.into();
    }
    USUAL_WIDTH
}

/// Shows the question and reads a line; `None` if the input ended or cannot be read. `question`
/// must not contain escape sequences.
pub(crate) async fn ask(question: &str) -> Option<String> {
    forget_typed();
    anstream::eprint!("{question}");
    // A separate thread, so that an interrupt does not wait for the line. After an interrupt the
    // thread must not take a line that is meant for somebody else.
    let asking = Asking(Arc::new(AtomicBool::new(true)));
    let is_asking = asking.0.clone();
    let line = tokio::task::spawn_blocking(move || read_line(&is_asking)).await;
    drop(asking);
    match line {
        Ok(Ok(Some(line))) => Some(line),
        Ok(Ok(None) | Err(_)) | Err(_) => {
            anstream::eprintln!();
            None
        }
    }
}

/// Discards input that was typed before the question, because it is not an answer.
fn forget_typed() {
    #[cfg(unix)]
    if let Err(error) =
        rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush)
    {
        tracing::debug!(%error, "what was typed ahead is not forgotten");
    }
}

/// True until the question is dropped.
struct Asking(Arc<AtomicBool>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Reads a line, unless the question is dropped before there is one.
fn read_line(is_asking: &AtomicBool) -> io::Result<Option<String>> {
    #[cfg(unix)]
    loop {
        let has_line = has_line()?;
        // Asked again after the wait: what came meanwhile is not an answer.
        if !is_asking.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if has_line {
            break;
        }
    }
    #[cfg(not(unix))]
    let _ = is_asking;
    let mut line = String::new();
    let length = io::stdin().lock().take(LONGEST_LINE).read_line(&mut line)?;
    Ok((length > 0).then_some(line))
}

/// Waits a moment for a line, or for the end of the input.
#[cfg(unix)]
fn has_line() -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    const MOMENT: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut fds, Some(&MOMENT)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
