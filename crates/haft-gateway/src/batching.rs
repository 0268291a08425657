//! Combines items of a stream that are already available into one write.
//!
//! The events of a model server often arrive together. Writing each of them separately would cost a
//! system call for every word, so everything that is available is written at once; nothing waits
//! for further events.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

/// The maximum size of a write in bytes, after which it is sent even if more is available: as much
/// as hyper writes at once.
pub(crate) const MAX_PIECE: usize = 16 * 1024;

/// The maximum number of further items per write: a server that sends without a pause must not
/// delay it forever.
pub(crate) const MAX_LOOKS: usize = 32;

/// The result of `next` if it is available at once, or after other tasks have had one turn: the
/// task that reads from the model server passes its data on event by event.
pub(crate) async fn at_once<F: Future>(mut next: Pin<&mut F>) -> Option<F::Output> {
    let mut had_their_turn = false;
    poll_fn(|context| match next.as_mut().poll(context) {
        Poll::Ready(next) => Poll::Ready(Some(next)),
        Poll::Pending if had_their_turn => Poll::Ready(None),
        Poll::Pending => {
            had_their_turn = true;
            context.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await
}
