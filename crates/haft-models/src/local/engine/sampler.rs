//! Chooses the next token: by the sampling parameters, and within a JSON Schema if there is one.

use haft_core::{Generation, ModelError, ModelErrorKind};
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::json_schema_to_grammar;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;
use serde_json::Value;

/// What llama.cpp's own programs use if nothing is asked for
/// (`ggml-org/llama.cpp: common/common.h`, `common_params_sampling`).
const TEMPERATURE: f32 = 0.8;
const TOP_K: i32 = 40;
const TOP_P: f32 = 0.95;
const MIN_P: f32 = 0.05;

/// Over how many of the last tokens a repetition is punished, as there.
const PENALTY_TOKENS: i32 = 64;

/// The factor of a repetition that is not punished.
const NO_PENALTY: f32 = 1.0;

/// The sampling parameters of a request.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::local) struct Sampling {
    temperature: f32,
    top_k: i32,
    top_p: f32,
    min_p: f32,
    repeat_penalty: f32,
    frequency_penalty: f32,
    presence_penalty: f32,
    seed: Option<u32>,
}

impl Sampling {
    /// The parameters that a request asks for; its model's temperature if it asks for none.
    pub(in crate::local) fn of(wished: &Generation, temperature: Option<f64>) -> Self {
        let or = |value: Option<f64>, usual| value.map_or(usual, narrowed);
        Self {
            temperature: or(wished.temperature.or(temperature), TEMPERATURE),
            top_k: wished
                .top_k
                .map_or(TOP_K, |top| i32::try_from(top.max(0)).unwrap_or(i32::MAX)),
            top_p: or(wished.top_p, TOP_P),
            min_p: or(wished.min_p, MIN_P),
            // llama.cpp divides by it.
            repeat_penalty: Some(or(wished.repeat_penalty, NO_PENALTY))
                .filter(|penalty| *penalty > 0.0)
                .unwrap_or(NO_PENALTY),
            frequency_penalty: or(wished.frequency_penalty, 0.0),
            presence_penalty: or(wished.presence_penalty, 0.0),
            // The lower half, so that small seeds stay what they are.
            seed: wished.seed.map(|seed| seed as u32),
        }
    }

    fn chain(&self, model: &LlamaModel) -> LlamaSampler {
        let penalties = LlamaSampler::penalties(
            model.n_vocab(),
            PENALTY_TOKENS,
            self.repeat_penalty,
            self.frequency_penalty,
            self.presence_penalty,
        );
        if self.temperature <= 0.0 {
            return LlamaSampler::chain([penalties, LlamaSampler::greedy()], true);
        }
        let seed = self.seed.unwrap_or_else(|| fastrand::u32(..));
        LlamaSampler::chain(
            [
                penalties,
                LlamaSampler::top_k(self.top_k),
                LlamaSampler::top_p(self.top_p, 1),
                LlamaSampler::min_p(self.min_p, 1),
                LlamaSampler::temp(self.temperature),
                LlamaSampler::dist(seed),
            ],
            true,
        )
    }
}

impl Default for Sampling {
    fn default() -> Self {
        Self::of(&Generation::default(), None)
    }
}

/// A finite number as llama.cpp takes it.
fn narrowed(number: f64) -> f32 {
    let narrow = number as f32;
    if narrow.is_finite() { narrow } else { 0.0 }
}

/// The choice of tokens for one reply.
#[derive(Debug)]
pub(super) struct Sampler {
    chain: LlamaSampler,
    /// What the reply may be.
    grammar: Option<LlamaSampler>,
}

impl Sampler {
    /// Creates the sampler of a reply, which follows the schema if there is one.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Unsupported`] if the schema cannot be made a grammar.
    pub(super) fn new(
        model: &LlamaModel,
        sampling: &Sampling,
        schema: Option<&Value>,
    ) -> Result<Self, ModelError> {
        let grammar = match schema {
            None => None,
            Some(schema) => {
                let grammar = json_schema_to_grammar(&schema.to_string())
                    .map_err(|error| unsupported(&error.to_string()))?;
                let sampler = LlamaSampler::grammar(model, &grammar, "root");
                Some(sampler.map_err(|error| unsupported(&error.to_string()))?)
            }
        };
        Ok(Self {
            chain: sampling.chain(model),
            grammar,
        })
    }

    /// Chooses the next token after what the context has computed last.
    ///
    /// The grammar first looks at the chosen token alone: to look at the whole vocabulary takes far
    /// longer, and is only needed if the token does not fit.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Server`] if no token fits.
    pub(super) fn next(&mut self, context: &LlamaContext<'_>) -> Result<LlamaToken, ModelError> {
        let mut candidates = context.token_data_array_ith(-1);
        candidates.apply_sampler(&mut self.chain);
        let mut token = candidates.selected_token().ok_or_else(stuck)?;
        if let Some(grammar) = &mut self.grammar {
            let alone = vec![LlamaTokenData::new(token, 1.0, 0.0)];
            let mut alone = LlamaTokenDataArray::new(alone, false);
            alone.apply_sampler(grammar);
            let fits = alone.data.iter().all(|data| data.logit().is_finite());
            if !fits {
                let mut candidates = context.token_data_array_ith(-1);
                candidates.apply_sampler(grammar);
                candidates.data.retain(|data| data.logit().is_finite());
                if candidates.data.is_empty() {
                    return Err(stuck());
                }
                candidates.apply_sampler(&mut self.chain);
                token = candidates.selected_token().ok_or_else(stuck)?;
            }
            grammar.try_accept(token).map_err(|_| stuck())?;
        }
        self.chain.try_accept(token).map_err(|_| stuck())?;
        Ok(token)
    }
}

fn unsupported(problem: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Unsupported,
        "The local model cannot be held to this JSON Schema",
    )
    .with_hint("use a simpler schema, without references to other documents")
    .with_detail(problem)
}

fn stuck() -> ModelError {
    ModelError::new(
        ModelErrorKind::Server,
        "The local model has no token that continues its reply",
    )
    .with_hint("ask again, or use another model")
}
