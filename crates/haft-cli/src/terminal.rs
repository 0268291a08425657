//! Asks the user at the terminal a question, and reads the answer line.

use std::io::{self, BufRead, IsTerminal, Read};

/// The maximum length in bytes of a line from a terminal.
const LONGEST_LINE: u64 = 4096;

/// Whether the user can be asked: questions go to stderr, answers come from stdin.
pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Shows the question and reads a line; `None` if the input ended or cannot be read. `question`
/// must not contain escape sequences.
pub(crate) async fn ask(question: &str) -> Option<String> {
    forget_typed();
    anstream::eprint!("{question}");
    // A separate thread, so that an interrupt does not wait for the line.
    let line = tokio::task::spawn_blocking(read_line).await;
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

fn read_line() -> io::Result<Option<String>> {
    let mut line = String::new();
    let length = io::stdin().lock().take(LONGEST_LINE).read_line(&mut line)?;
    Ok((length > 0).then_some(line))
}
