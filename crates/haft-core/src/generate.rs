//! Streams written as plain async functions.
//!
//! A function that emits is easier to read, to split and to test than a hand-written state
//! machine, and unlike a macro it can hand its emitter to other functions.
//!
//! A piece of a reply goes through several of these on its way, so handing one on costs a lock
//! that is free, and wakes nobody who is looked at next anyway.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt};

/// Where the body of [`generate`] puts its items.
pub struct Emitter<T>(Option<Arc<Mutex<Passage<T>>>>);

/// What is between the emitters of a stream and its reader.
struct Passage<T> {
    items: VecDeque<T>,
    /// How many items were emitted.
    emitted: u64,
    /// How many of them the reader has taken.
    taken: u64,
    emitters: usize,
    /// Emitters whose item was not taken yet.
    waiting: Vec<Waker>,
    /// The reader, while it waits.
    reader: Option<Waker>,
    /// The body is at work, and after it the reader looks for items.
    is_watched: bool,
    /// The reader is gone.
    is_closed: bool,
}

impl<T> Default for Passage<T> {
    fn default() -> Self {
        Self {
            items: VecDeque::new(),
            emitted: 0,
            taken: 0,
            emitters: 1,
            waiting: Vec::new(),
            reader: None,
            is_watched: false,
            is_closed: false,
        }
    }
}

impl<T> Passage<T> {
    /// Wakes the reader where it would not look otherwise.
    fn call_reader(&mut self) {
        if !self.is_watched
            && let Some(reader) = self.reader.take()
        {
            reader.wake();
        }
    }

    /// The next item. Whoever waits for that is woken, except where the reader, who is about to
    /// look again, is who would wake.
    fn take(&mut self, reader: &Waker) -> Option<T> {
        let item = self.items.pop_front()?;
        self.taken += 1;
        for waiting in self.waiting.drain(..) {
            if !waiting.will_wake(reader) {
                waiting.wake();
            }
        }
        Some(item)
    }

    /// True when the item that was emitted as this one need not be waited for any more.
    fn is_through(&mut self, number: u64, emitter: &Waker) -> bool {
        if self.is_closed || self.taken >= number {
            return true;
        }
        if !self.waiting.iter().any(|known| known.will_wake(emitter)) {
            self.waiting.push(emitter.clone());
        }
        false
    }
}

fn locked<T>(passage: &Mutex<Passage<T>>) -> MutexGuard<'_, Passage<T>> {
    passage.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Emitter<T> {
    /// An emitter that nobody listens to.
    #[must_use]
    pub fn silent() -> Self {
        Self(None)
    }

    /// Hands `item` to the reader of the stream, and waits until it was taken.
    pub async fn emit(&self, item: T) {
        let Some(passage) = &self.0 else {
            return;
        };
        let number = {
            let mut passage = locked(passage);
            if passage.is_closed {
                return;
            }
            passage.items.push_back(item);
            passage.emitted += 1;
            passage.call_reader();
            passage.emitted
        };
        poll_fn(
            |context| match locked(passage).is_through(number, context.waker()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            },
        )
        .await;
    }
}

impl<T> Clone for Emitter<T> {
    fn clone(&self) -> Self {
        if let Some(passage) = &self.0 {
            locked(passage).emitters += 1;
        }
        Self(self.0.clone())
    }
}

impl<T> Drop for Emitter<T> {
    fn drop(&mut self) {
        if let Some(passage) = &self.0 {
            let mut passage = locked(passage);
            passage.emitters -= 1;
            // The stream may be over now.
            passage.call_reader();
        }
    }
}

impl<T> fmt::Debug for Emitter<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Emitter")
            .field("is_silent", &self.0.is_none())
            .finish()
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
    let passage = Arc::new(Mutex::new(Passage::default()));
    Generated {
        body: Some(Box::pin(body(Emitter(Some(passage.clone()))))),
        error: None,
        passage,
    }
    .boxed()
}

/// The reader's side.
struct Generated<T, E, B> {
    /// Until it has ended.
    body: Option<Pin<Box<B>>>,
    /// What it ended in, which comes after its last item.
    error: Option<E>,
    passage: Arc<Mutex<Passage<T>>>,
}

// The body has a place of its own, and nothing else is pinned.
impl<T, E, B> Unpin for Generated<T, E, B> {}

impl<T, E, B> Generated<T, E, B>
where
    B: Future<Output = Result<(), E>>,
{
    fn work(&mut self, context: &mut Context<'_>) {
        if let Some(body) = &mut self.body
            && let Poll::Ready(end) = body.as_mut().poll(context)
        {
            self.body = None;
            self.error = end.err();
        }
    }
}

impl<T, E, B> Stream for Generated<T, E, B>
where
    B: Future<Output = Result<(), E>>,
{
    type Item = Result<T, E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        {
            let mut passage = locked(&this.passage);
            if let Some(item) = passage.take(context.waker()) {
                return Poll::Ready(Some(Ok(item)));
            }
            passage.is_watched = true;
        }
        this.work(context);
        let mut passage = locked(&this.passage);
        passage.is_watched = false;
        if let Some(item) = passage.take(context.waker()) {
            return Poll::Ready(Some(Ok(item)));
        }
        if this.body.is_none() {
            if let Some(error) = this.error.take() {
                return Poll::Ready(Some(Err(error)));
            }
            if passage.emitters == 0 {
                return Poll::Ready(None);
            }
        }
        match &mut passage.reader {
            Some(reader) => reader.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }
}

impl<T, E, B> Drop for Generated<T, E, B> {
    fn drop(&mut self) {
        // What the body holds goes first, its emitter too.
        self.body = None;
        let mut passage = locked(&self.passage);
        passage.is_closed = true;
        for waiting in passage.waiting.drain(..) {
            waiting.wake();
        }
    }
}

#[cfg(test)]
mod tests;
