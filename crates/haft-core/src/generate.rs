//! Streams written as plain async functions.
//!
//! A function that emits is easier to read, to split and to test than a hand-written state
//! machine, and unlike a macro it can hand its emitter to other functions.
//!
//! A chunk of a reply passes through several of these streams. Passing it on costs one
//! uncontended lock, and no task is woken that is polled next anyway.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt};

/// The sending side of a stream made by [`generate`].
pub struct Emitter<T>(Option<Arc<Mutex<Channel<T>>>>);

/// The queue between the emitters of a stream and its reader.
struct Channel<T> {
    items: VecDeque<T>,
    /// The number of emitted items.
    emitted: u64,
    /// The number of items that the reader has taken.
    taken: u64,
    emitters: usize,
    /// Emitters that wait until their item is taken.
    waiting: Vec<Waker>,
    /// The waker of the reader while it waits.
    reader: Option<Waker>,
    /// The reader polls the body right now and checks for items afterwards.
    is_watched: bool,
    /// The reader was dropped.
    is_closed: bool,
}

impl<T> Default for Channel<T> {
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

impl<T> Channel<T> {
    /// Wakes the reader unless it checks for items anyway.
    fn wake_reader(&mut self) {
        if !self.is_watched
            && let Some(reader) = self.reader.take()
        {
            reader.wake();
        }
    }

    /// Takes the next item and wakes the waiting emitters, except those in the reader's own task,
    /// which is polled again anyway.
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

    /// True when item `number` was taken or the reader is gone; otherwise registers the emitter.
    fn is_taken(&mut self, number: u64, emitter: &Waker) -> bool {
        if self.is_closed || self.taken >= number {
            return true;
        }
        if !self.waiting.iter().any(|known| known.will_wake(emitter)) {
            self.waiting.push(emitter.clone());
        }
        false
    }
}

fn locked<T>(channel: &Mutex<Channel<T>>) -> MutexGuard<'_, Channel<T>> {
    channel.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Emitter<T> {
    /// An emitter without a reader: all items are dropped.
    #[must_use]
    pub fn silent() -> Self {
        Self(None)
    }

    /// Sends `item` to the reader of the stream and waits until it is taken.
    pub async fn emit(&self, item: T) {
        let Some(channel) = &self.0 else {
            return;
        };
        let number = {
            let mut channel = locked(channel);
            if channel.is_closed {
                return;
            }
            channel.items.push_back(item);
            channel.emitted += 1;
            channel.wake_reader();
            channel.emitted
        };
        poll_fn(
            |context| match locked(channel).is_taken(number, context.waker()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            },
        )
        .await;
    }
}

impl<T> Clone for Emitter<T> {
    fn clone(&self) -> Self {
        if let Some(channel) = &self.0 {
            locked(channel).emitters += 1;
        }
        Self(self.0.clone())
    }
}

impl<T> Drop for Emitter<T> {
    fn drop(&mut self) {
        if let Some(channel) = &self.0 {
            let mut channel = locked(channel);
            channel.emitters -= 1;
            // Without emitters the stream ends.
            channel.wake_reader();
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

/// A stream of the items that `body` emits, followed by its error if it returns one.
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
    let channel = Arc::new(Mutex::new(Channel::default()));
    Generated {
        body: Some(Box::pin(body(Emitter(Some(channel.clone()))))),
        error: None,
        channel,
    }
    .boxed()
}

/// The stream made by [`generate`].
struct Generated<T, E, B> {
    /// The body, until it has ended.
    body: Option<Pin<Box<B>>>,
    /// The error of the body, which follows its last item.
    error: Option<E>,
    channel: Arc<Mutex<Channel<T>>>,
}

// The body is boxed, and nothing else is pinned.
impl<T, E, B> Unpin for Generated<T, E, B> {}

impl<T, E, B> Generated<T, E, B>
where
    B: Future<Output = Result<(), E>>,
{
    fn poll_body(&mut self, context: &mut Context<'_>) {
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
            let mut channel = locked(&this.channel);
            if let Some(item) = channel.take(context.waker()) {
                return Poll::Ready(Some(Ok(item)));
            }
            channel.is_watched = true;
        }
        this.poll_body(context);
        let mut channel = locked(&this.channel);
        channel.is_watched = false;
        if let Some(item) = channel.take(context.waker()) {
            return Poll::Ready(Some(Ok(item)));
        }
        if this.body.is_none() {
            if let Some(error) = this.error.take() {
                return Poll::Ready(Some(Err(error)));
            }
            if channel.emitters == 0 {
                return Poll::Ready(None);
            }
        }
        match &mut channel.reader {
            Some(reader) => reader.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }
}

impl<T, E, B> Drop for Generated<T, E, B> {
    fn drop(&mut self) {
        // Dropping the body drops its emitters, which lock the channel.
        self.body = None;
        let mut channel = locked(&self.channel);
        channel.is_closed = true;
        for waiting in channel.waiting.drain(..) {
            waiting.wake();
        }
    }
}

#[cfg(test)]
mod tests;
