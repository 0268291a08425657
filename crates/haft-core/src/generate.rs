//! Streams written as plain async functions.
//!
//! A function that emits is easier to read, to split and to test than a hand-written state
//! machine, and unlike a macro it can hand its emitter to other functions.

use std::future::{Future, ready};

use futures_channel::mpsc;
use futures_util::stream::{self, BoxStream};
use futures_util::{SinkExt, StreamExt};

/// Where the body of [`generate`] puts its items.
#[derive(Debug)]
pub struct Emitter<T>(Option<mpsc::Sender<T>>);

impl<T> Clone for Emitter<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Emitter<T> {
    /// An emitter that nobody listens to.
    #[must_use]
    pub fn silent() -> Self {
        Self(None)
    }

    /// Hands `item` to the reader of the stream, and waits until it was taken.
    pub async fn emit(&self, item: T) {
        if let Some(sender) = &self.0 {
            // A reader that is gone drops this future too, so there is nobody to tell.
            let _ = sender.clone().send(item).await;
        }
    }
}

/// A stream of what `body` emits, ended by its error if it returns one.
///
/// Nothing runs before the stream is polled, and dropping the stream drops the body.
///
/// ```
/// use futures_util::StreamExt;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let stream = haft_core::generate(|emitter| async move {
///     emitter.emit(1).await;
///     Err("enough")
/// });
/// assert_eq!(stream.collect::<Vec<_>>().await, [Ok(1), Err("enough")]);
/// # });
/// ```
pub fn generate<T, E, F, B>(body: F) -> BoxStream<'static, Result<T, E>>
where
    T: Send + 'static,
    E: Send + 'static,
    F: FnOnce(Emitter<T>) -> B,
    B: Future<Output = Result<(), E>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(0);
    let end =
        stream::once(body(Emitter(Some(sender)))).filter_map(|result| ready(result.err().map(Err)));
    stream::select(receiver.map(Ok), end).boxed()
}
