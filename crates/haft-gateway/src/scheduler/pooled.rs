//! A model that several upstreams have, as one [`ChatModel`].
//!
//! A request goes to one of them. Until a part of the reply was delivered, another one may take
//! over; after that a failure is final. A reply that is not streamed to the client is delivered
//! when it is complete. The agent is not aware of any of this.

use std::borrow::Cow;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use async_trait::async_trait;
use futures_util::{FutureExt, Stream, StreamExt, TryStreamExt, stream};
use haft_core::{
    CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError, ModelErrorKind, Tool,
};
use haft_models::StablePrefix;

use super::sessions::session_of;
use super::{Choice, Lease, Member, Upstreams, Wanted};

/// Which model a request wants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedModel<'a> {
    pub(crate) name: &'a str,
    /// Whether the reply is streamed to the client.
    pub(crate) is_streamed: bool,
    /// See [`Overrides::stable_prefix`](crate::Overrides::stable_prefix).
    pub(crate) stable_prefix: Option<bool>,
}

/// A model by its name.
#[derive(Clone, Debug)]
pub(super) struct PooledModel {
    upstreams: Upstreams,
    name: Arc<str>,
    is_streamed: bool,
    stable_prefix: Option<bool>,
    tools: Arc<[Arc<dyn Tool>]>,
    /// The model with the tools bound, for each upstream that was used.
    bound: Arc<Mutex<HashMap<usize, Arc<dyn ChatModel>>>>,
}

impl PooledModel {
    pub(super) fn new(upstreams: Upstreams, wanted: &WantedModel<'_>) -> Result<Self, ModelError> {
        let model = Self {
            upstreams,
            name: wanted.name.into(),
            is_streamed: wanted.is_streamed,
            stable_prefix: wanted.stable_prefix,
            tools: Arc::new([]),
            bound: Arc::default(),
        };
        if model.upstreams.is_sole() {
            // Creates one now, so that an invalid name or key is reported at once.
            model.at(0)?;
        }
        Ok(model)
    }

    fn member(&self, upstream: usize) -> Result<&Arc<Member>, ModelError> {
        self.upstreams.0.members.get(upstream).ok_or_else(|| {
            let message = format!("No model server has the model \"{}\"", self.name);
            ModelError::new(ModelErrorKind::ModelNotFound, message)
        })
    }

    /// The model of this upstream, with the tools bound.
    fn at(&self, upstream: usize) -> Result<Arc<dyn ChatModel>, ModelError> {
        let mut bound = self.bound.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = bound.get(&upstream) {
            return Ok(model.clone());
        }
        let model = self.member(upstream)?.model(&self.name)?;
        let model = if self.tools.is_empty() {
            model
        } else {
            model.bind_tools(&self.tools)?
        };
        bound.insert(upstream, model.clone());
        Ok(model)
    }

    /// The conversation as this upstream receives it.
    fn messages_for<'a>(
        &self,
        upstream: usize,
        messages: &'a [Message],
    ) -> Result<Cow<'a, [Message]>, ModelError> {
        let is_stable = self
            .member(upstream)?
            .takes_stable_prefix(self.stable_prefix);
        Ok(if is_stable {
            StablePrefix::of(messages).into_messages()
        } else {
            Cow::Borrowed(messages)
        })
    }

    /// The reply of the only upstream, if it has a free slot.
    fn at_once(&self, messages: &[Message], options: &CallOptions) -> Option<ChatStream> {
        if !self.upstreams.is_sole() {
            return None;
        }
        let wanted = Wanted {
            choices: vec![Choice::any(0)],
            session: None,
            share: options.queue_share.clone(),
            context: options.request_context.clone(),
        };
        let permit = self.upstreams.0.slots.take_now(&wanted)?;
        let context = options.request_context.as_deref();
        let lease = Lease::new(self.upstreams.clone(), permit, context)?;
        let model = self.at(0).ok()?;
        let reply = model.stream(&self.messages_for(0, messages).ok()?, options);
        Some(LeasedReply::new(self, lease, reply).boxed())
    }

    /// Reads the part of a reply that must have arrived before it is passed on: the first content,
    /// or all of it if the reply is not streamed to the client.
    async fn opening(&self, reply: &mut ChatStream) -> Result<Vec<ChatChunk>, ModelError> {
        let mut chunks = Vec::new();
        loop {
            match reply.next().await {
                Some(Ok(ChatChunk::Text(text) | ChatChunk::Reasoning(text))) if text.is_empty() => {
                }
                Some(Ok(chunk)) => {
                    let is_whole = matches!(chunk, ChatChunk::Done(_));
                    let is_content = is_content(&chunk);
                    chunks.push(chunk);
                    if is_whole || (self.is_streamed && is_content) {
                        return Ok(chunks);
                    }
                }
                Some(Err(error)) => return Err(error),
                None => {
                    let message = "The reply ended before it was complete";
                    return Err(ModelError::new(ModelErrorKind::CutStream, message));
                }
            }
        }
    }

    /// The reply of the first upstream that begins one.
    async fn begun(
        self,
        messages: Vec<Message>,
        options: CallOptions,
    ) -> Result<ChatStream, ModelError> {
        let wanted = Wanted {
            choices: self.upstreams.choices(&self.name).await?,
            session: Some(session_of(&self.name, StablePrefix::of(&messages).stable())),
            share: options.queue_share.clone(),
            context: options.request_context.clone(),
        };
        let asked = Arc::new((messages, options));
        let ask = |upstream| {
            let (this, asked) = (self.clone(), asked.clone());
            async move {
                let (messages, options) = &*asked;
                let messages = this.messages_for(upstream, messages)?;
                let mut reply = this.at(upstream)?.stream(&messages, options);
                let chunks = this.opening(&mut reply).await?;
                Ok(stream::iter(chunks.into_iter().map(Ok))
                    .chain(reply)
                    .boxed())
            }
            .boxed()
        };
        let (reply, lease) = self.upstreams.first(wanted, ask).await?;
        let other = lease.member().stands_in(&self.name).map(str::to_owned);
        let name = other.map(|model| Ok(ChatChunk::AnsweredBy(model)));
        let reply = stream::iter(name).chain(reply).boxed();
        Ok(LeasedReply::new(&self, lease, reply).boxed())
    }
}

#[async_trait]
impl ChatModel for PooledModel {
    fn id(&self) -> &str {
        &self.name
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        let model = Self {
            tools: tools.into(),
            bound: Arc::default(),
            ..self.clone()
        };
        if model.upstreams.is_sole() {
            model.at(0)?;
        }
        Ok(Arc::new(model))
    }

    /// The smallest context, because the request must fit whichever upstream is chosen.
    fn context(&self) -> Option<u64> {
        if self.upstreams.is_sole() {
            return self.at(0).ok()?.context();
        }
        let known = self.upstreams.known_choices(&self.name);
        let models = known
            .choices
            .iter()
            .filter_map(|one| self.at(one.upstream).ok());
        models.filter_map(|model| model.context()).min()
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let options = &CallOptions {
            in_one_piece: !self.is_streamed && self.upstreams.answers_in_one_piece(),
            ..options.clone()
        };
        if let Some(reply) = self.at_once(messages, options) {
            return reply;
        }
        let begun = self.clone().begun(messages.to_vec(), options.clone());
        stream::once(begun).try_flatten().boxed()
    }
}

/// Whether a chunk is a part of the reply, rather than something about it.
fn is_content(chunk: &ChatChunk) -> bool {
    !matches!(
        chunk,
        ChatChunk::ServerFields(_) | ChatChunk::FieldsDropped(_)
    )
}

/// A running reply with the lease of its slot.
struct LeasedReply {
    reply: ChatStream,
    lease: Option<Lease>,
    has_begun: bool,
    name: Arc<str>,
}

impl LeasedReply {
    fn new(model: &PooledModel, lease: Lease, reply: ChatStream) -> Self {
        Self {
            reply,
            lease: Some(lease),
            has_begun: false,
            name: model.name.clone(),
        }
    }

    fn note(&mut self, chunk: &Result<ChatChunk, ModelError>) {
        match chunk {
            Ok(ChatChunk::Done(_)) => {
                if let Some(lease) = self.lease.take() {
                    lease.member().note_loaded(&self.name);
                    lease.done();
                }
            }
            Ok(chunk) if self.has_begun || !is_content(chunk) => {}
            Ok(_) => {
                self.has_begun = true;
                if let Some(lease) = &self.lease {
                    lease.began();
                }
            }
            Err(error) => {
                if let Some(lease) = self.lease.take() {
                    lease.failed(error);
                }
            }
        }
    }
}

impl Stream for LeasedReply {
    type Item = Result<ChatChunk, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.reply.poll_next_unpin(context);
        if let Poll::Ready(Some(chunk)) = &polled {
            self.note(chunk);
        }
        polled
    }
}
