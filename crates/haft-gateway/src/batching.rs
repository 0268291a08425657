//! How much of a stream goes out at once.
//!
//! A model server's events often arrive together. Writing each of them to the client by itself
//! would cost a system call for every word, so what is there already goes out in one piece, and
//! nothing waits for more.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// The size in bytes at which a piece goes out although more is there: as much as hyper writes at
/// once.
pub(crate) const MAX_PIECE: usize = 16 * 1024;

/// How many times more is looked for before what there is goes out: a server that sends without a
/// pause must not keep it back.
pub(crate) const MAX_LOOKS: usize = 32;

/// What `next` gives, if it is there already: at once, or after the tasks that are about to hand
/// it on had their turn. What the connection to the model server has received comes from there
/// event by event.
pub(crate) async fn at_once<F: Future>(next: F) -> Option<F::Output> {
    let mut had_their_turn = false;
    let mut next = pin!(next);
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
