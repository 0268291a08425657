//! Computes replies of a loaded model, one at a time.
//!
//! What was computed stays: a prompt that begins like the one before is only read from where it
//! differs. That is most of the time of a small model, whose prompts are longer than its replies.

use std::num::NonZeroU32;
use std::thread::available_parallelism;

use haft_core::{ModelError, ModelErrorKind, StopReason, Usage};
use llama_cpp_2::DecodeError;
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use tracing::debug;

use super::sampler::Sampler;
use super::{Piece, Request, backend};
use crate::local::file::ModelFile;
use crate::local::written::Written;

/// How many tokens of a prompt are read at once. More are hardly faster on a processor, and nothing
/// can be stopped in between.
const BATCH: usize = 64;

/// The one sequence that the context holds.
const SEQUENCE: u32 = 0;

/// A loaded model with its context.
#[derive(Debug)]
pub(super) struct Session<'m> {
    model: &'m LlamaModel,
    context: LlamaContext<'m>,
    /// The tokens that the context has computed.
    computed: Vec<LlamaToken>,
    batch: LlamaBatch<'static>,
}

impl<'m> Session<'m> {
    /// Creates the context of a loaded model.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] if there is not enough memory for it.
    pub(super) fn new(model: &'m LlamaModel, file: &ModelFile) -> Result<Self, ModelError> {
        let batch = u32::try_from(BATCH).unwrap_or(u32::MAX);
        let threads = threads();
        let parameters = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(file.context))
            .with_n_batch(batch)
            .with_n_ubatch(batch)
            .with_n_threads(threads)
            .with_n_threads_batch(threads);
        let context = model
            .new_context(backend()?, parameters)
            .map_err(|error| no_context(file, &error.to_string()))?;
        debug!(threads, context = file.context, "the local model is loaded");
        Ok(Self {
            model,
            context,
            computed: Vec::new(),
            batch: LlamaBatch::new(BATCH, 1),
        })
    }

    /// Answers a request and hands its text to `tell`, as long as it is wanted; `None` if it is no
    /// longer.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::ContextOverflow`] if the prompt leaves no room for a reply.
    pub(super) fn answer(
        &mut self,
        request: &Request,
        is_wanted: &dyn Fn() -> bool,
        tell: &dyn Fn(String) -> bool,
    ) -> Result<Option<Piece>, ModelError> {
        let prompt = self.tokens(request);
        let room = self.room(prompt.len())?;
        let schema = request.schema.as_deref();
        let mut sampler = Sampler::new(self.model, &request.sampling, schema)?;
        let kept = self.keep_common(&prompt);
        let mut usage = Usage {
            input_tokens: count(prompt.len()),
            output_tokens: 0,
            cached_input_tokens: count(kept),
        };
        let mut rest = prompt.get(kept..).unwrap_or_default();
        while !rest.is_empty() {
            if !is_wanted() {
                return Ok(None);
            }
            let (piece, behind) = rest.split_at(rest.len().min(BATCH));
            self.compute(piece, behind.is_empty())?;
            rest = behind;
        }
        let limit = request
            .max_tokens
            .map_or(room, |most| room.min(most.into()));
        let vocabulary = self.model.vocab();
        let mut written = Written::new(&request.stop);
        let mut reason = StopReason::MaxTokens;
        while usage.output_tokens < limit {
            if !is_wanted() {
                return Ok(None);
            }
            let token = sampler.next(&self.context)?;
            usage.output_tokens += 1;
            if vocabulary.is_eog(token) {
                reason = StopReason::EndTurn;
                break;
            }
            let piece = vocabulary.token_to_piece(token, request.writes_special, None);
            let text = written.push(&piece);
            if !text.is_empty() && !tell(text) {
                return Ok(None);
            }
            if written.is_stopped() {
                reason = StopReason::EndTurn;
                break;
            }
            if usage.output_tokens < limit {
                self.compute(&[token], true)?;
            }
        }
        let held = written.finish();
        if !held.is_empty() && !tell(held) {
            return Ok(None);
        }
        Ok(Some(Piece::End { usage, reason }))
    }

    /// The tokens of the prompt. The first token of a text is added here if the model wants one, so
    /// it is not taken from the template too.
    fn tokens(&self, request: &Request) -> Vec<LlamaToken> {
        let vocabulary = self.model.vocab();
        let mut prompt = request.prompt.as_str();
        if vocabulary.should_add_bos() && !request.bos.is_empty() {
            prompt = prompt.strip_prefix(&request.bos).unwrap_or(prompt);
        }
        vocabulary.tokenize(prompt.as_bytes(), true, true)
    }

    /// How many tokens fit behind a prompt of this length.
    fn room(&self, prompt: usize) -> Result<u64, ModelError> {
        let context = u64::from(self.context.n_ctx());
        match context.checked_sub(count(prompt)) {
            Some(room) if room > 0 && prompt > 0 => Ok(room),
            _ => Err(overflow(prompt, context)),
        }
    }

    /// Forgets what was computed behind the beginning that both texts share, and returns how many
    /// tokens that beginning has. The last token is always computed again: what follows it is asked.
    fn keep_common(&mut self, prompt: &[LlamaToken]) -> usize {
        let pairs = self.computed.iter().zip(prompt);
        let common = pairs
            .take_while(|(computed, asked)| computed == asked)
            .count();
        let kept = common.min(prompt.len().saturating_sub(1));
        let from = u32::try_from(kept).unwrap_or_default();
        // Recurrent models cannot forget a part.
        let is_kept = self
            .context
            .clear_kv_cache_seq(Some(SEQUENCE), Some(from), None)
            .unwrap_or(false);
        if is_kept {
            self.computed.truncate(kept);
            return kept;
        }
        self.forget();
        0
    }

    fn forget(&mut self) {
        self.context.clear_kv_cache();
        self.computed.clear();
    }

    /// Computes tokens behind those that are computed; `is_last` if what follows is asked.
    fn compute(&mut self, tokens: &[LlamaToken], is_last: bool) -> Result<(), ModelError> {
        self.batch.clear();
        for (index, token) in tokens.iter().enumerate() {
            let place = i32::try_from(self.computed.len() + index).unwrap_or(i32::MAX);
            let is_asked = is_last && index + 1 == tokens.len();
            self.batch
                .add(*token, place, &[0], is_asked)
                .map_err(|error| failed(&error.to_string()))?;
        }
        match self.context.decode(&mut self.batch) {
            Ok(()) => {
                self.computed.extend_from_slice(tokens);
                Ok(())
            }
            Err(error) => {
                let length = self.computed.len() + tokens.len();
                self.forget();
                Err(match error {
                    DecodeError::NoKvCacheSlot => overflow(length, self.context.n_ctx().into()),
                    error => failed(&error.to_string()),
                })
            }
        }
    }
}

/// Half of the processor's threads, which are its cores: a second thread on a core only slows both
/// down.
fn threads() -> i32 {
    let threads = available_parallelism().map_or(1, usize::from);
    i32::try_from(threads / 2).unwrap_or(i32::MAX).max(1)
}

fn count(tokens: usize) -> u64 {
    u64::try_from(tokens).unwrap_or(u64::MAX)
}

fn overflow(prompt: usize, context: u64) -> ModelError {
    ModelError::new(
        ModelErrorKind::ContextOverflow,
        format!(
            "The conversation has {prompt} tokens, and the local model has a context of {context}"
        ),
    )
    .with_hint(
        "start a new conversation, bind fewer tools, or give the model a larger context, as far as \
         it was trained on one ([model] context)",
    )
}

fn failed(problem: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Server,
        "The local model failed while it computed a reply",
    )
    .with_hint("ask again; -v shows what llama.cpp says")
    .with_detail(problem)
}

fn no_context(file: &ModelFile, problem: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Configuration,
        format!(
            "There is no room for a context of {} tokens for {}",
            file.context,
            file.path.display()
        ),
    )
    .with_hint("use a smaller context ([model] context)")
    .with_detail(problem)
}
