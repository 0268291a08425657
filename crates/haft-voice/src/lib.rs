//! Voice assistant: transcribes utterances and speaks the answers, with the agent's tools.
//!
//! # Brief overview
//!
//! A [`BackgroundTranscriber`] accepts [`Utterance`]s without ever blocking its caller. Audio goes
//! to a [`Transcriber`], the transcript to an [`Assistant`], the sentences of the answer to a
//! [`Speech`], and each step is reported as a [`VoiceEvent`]. The assistant holds an
//! [`Agent`](haft_agent::Agent) and with it the tool executor that the caller made; no tool is
//! called here. Unambiguous commands are executed by the embedded command engine with the same
//! executor, in milliseconds; the model answers everything else.
//!
//! [`wyoming`] connects this to Home Assistant, and `mqtt` (a feature, on by default) publishes
//! transcripts and answers. [`CommandTranscriber`] and [`HttpTranscriber`] are speech-to-text,
//! [`CommandSpeech`] is text-to-speech. The crate is built on `haft-agent`.
//!
//! The life of an utterance through the files: `background` queues it; `background/ears` drops
//! silence (`pcm` is the audio format) and transcribes the rest with a `transcriber` (`command`,
//! `http` or `wyoming`); `wake` checks the wake phrase; `assistant` chooses the local engine
//! (`local`) or the model; `sentences` splits the streamed reply, `speakable` removes markup and
//! `spoken` limits the length; `background/mouth` speaks each sentence while the reply goes on.
//!
//! ```
//! use futures_util::StreamExt;
//! use haft_agent::Agent;
//! use haft_voice::{Assistant, AssistantOptions, VoiceEvent};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let agent = Agent::builder()
//!     .model("builtin")
//!     .tool(haft_tools::get_current_datetime())
//!     .build()
//!     .await?;
//! let assistant = Assistant::new(agent, AssistantOptions::default())?;
//! let mut events = assistant.answer("What time is it?");
//! while let Some(event) = events.next().await {
//!     if let VoiceEvent::Sentence(sentence) = event {
//!         assert!(sentence.starts_with("It is"), "{sentence}");
//!     }
//! }
//! # Ok::<_, haft_voice::VoiceError>(())
//! # }).unwrap();
//! ```

mod assistant;
mod background;
mod command;
mod error;
mod event;
mod http;
mod local;
#[cfg(feature = "mqtt")]
pub mod mqtt;
mod pcm;
mod program;
mod sentences;
mod speakable;
mod spoken;
mod temporary;
mod transcriber;
mod transcript;
mod utterance;
mod wake;
pub mod wyoming;

pub use assistant::{Assistant, AssistantOptions, SPOKEN_GUIDANCE, VoiceStream};
pub use background::{
    BackgroundOptions, BackgroundTranscriber, Canceller, UtteranceId, VoiceEvents,
};
pub use command::{CommandSpeech, CommandTranscriber};
pub use error::{VoiceError, VoiceErrorKind};
pub use event::{DropReason, Responder, VoiceEvent};
pub use http::HttpTranscriber;
pub use pcm::{Pcm, SAMPLE_RATE};
pub use program::Program;
pub use transcriber::{Speech, Transcriber};
pub use utterance::Utterance;
pub use wake::WakePhrase;
