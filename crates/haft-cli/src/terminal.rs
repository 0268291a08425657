//! A question to the person at the terminal, and the line that is the answer.

use std::io::{self, BufRead, IsTerminal, Read};

/// In bytes: the longest line that a terminal hands over.
const LONGEST_LINE: u64 = 4096;

/// Whether somebody can be asked: questions go to stderr, answers come from stdin.
pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Shows the question and reads a line; none where the input ended or cannot be read. Nothing in
/// `question` may be the terminal's commands.
pub(crate) async fn ask(question: &str) -> Option<String> {
    forget_typed();
    anstream::eprint!("{question}");
    // A thread of its own: an interrupt does not wait until the line is read.
    let line = tokio::task::spawn_blocking(read_line).await;
    match line {
        Ok(Ok(Some(line))) => Some(line),
        Ok(Ok(None) | Err(_)) | Err(_) => {
            anstream::eprintln!();
            None
        }
    }
}

/// Discards what was typed before the question: it is not an answer.
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
