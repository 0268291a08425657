//! Shared test support: scripted models, transcribers and speakers.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt;
use haft_agent::{Agent, AgentOptions, ToolNeedDetector, WebSearch};
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError, Tool, generate,
};
use haft_tools::{ToolExecutor, ToolManager};
use haft_voice::{
    Assistant, AssistantOptions, Pcm, Speech, Transcriber, UtteranceId, VoiceError, VoiceEvent,
    VoiceEvents,
};
use tokio::time::{Instant, sleep};

/// Half a second of a tone.
pub(crate) fn tone() -> Pcm {
    let samples = (0..8_000_i16).map(|index| if index % 40 < 20 { 8_000 } else { -8_000 });
    Pcm::new(samples.collect())
}

pub(crate) fn executor(tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> ToolExecutor {
    let mut manager = ToolManager::new();
    for tool in tools {
        manager.add(tool).unwrap();
    }
    ToolExecutor::new(manager)
}

pub(crate) fn agent(model: Arc<dyn ChatModel>, executor: ToolExecutor) -> Agent {
    let mut options = AgentOptions::default();
    options.web_search = WebSearch::off();
    // Repeated requests for a missing call are not tested here.
    options.tool_need = Some(ToolNeedDetector::new(|_, _| false));
    Agent::new(model, executor, options).unwrap()
}

pub(crate) fn assistant(model: impl ChatModel + 'static, executor: ToolExecutor) -> Assistant {
    Assistant::new(
        agent(Arc::new(model), executor),
        AssistantOptions::default(),
    )
    .unwrap()
}

/// A model that answers every question with these chunks, each after a delay.
#[derive(Clone, Debug)]
pub(crate) struct SlowModel(pub(crate) Vec<(u64, &'static str)>);

#[async_trait]
impl ChatModel for SlowModel {
    fn id(&self) -> &str {
        "slow"
    }

    fn bind_tools(&self, _: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(self.clone()))
    }

    fn stream(&self, _: &[Message], _: &CallOptions) -> ChatStream {
        let pieces = self.0.clone();
        generate(move |chunks| async move {
            let mut text = String::new();
            for (wait, piece) in pieces {
                sleep(Duration::from_millis(wait)).await;
                text.push_str(piece);
                chunks.emit(ChatChunk::Text(piece.to_owned())).await;
            }
            chunks.emit(ChatChunk::Done(AiMessage::new(text))).await;
            Ok(())
        })
    }
}

/// A transcriber that calls a function with the number of previous calls.
pub(crate) struct ScriptedTranscriber<F>(pub(crate) F, Mutex<usize>);

impl<F> ScriptedTranscriber<F> {
    pub(crate) fn new(hear: F) -> Arc<Self> {
        Arc::new(Self(hear, Mutex::new(0)))
    }

    pub(crate) fn asked(&self) -> usize {
        *self.1.lock().unwrap()
    }
}

impl<F> std::fmt::Debug for ScriptedTranscriber<F> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ScriptedTranscriber")
    }
}

/// The result of a scripted transcriber.
pub(crate) enum Hears {
    Words(String),
    Fails,
    Hangs,
    Breaks,
}

#[async_trait]
impl<F: Fn(usize) -> Hears + Send + Sync> Transcriber for ScriptedTranscriber<F> {
    async fn transcribe(&self, _: &Pcm) -> Result<String, VoiceError> {
        let count = {
            let mut asked = self.1.lock().unwrap();
            *asked += 1;
            *asked
        };
        match (self.0)(count) {
            Hears::Words(words) => Ok(words),
            Hears::Fails => Err(VoiceError::new(
                haft_voice::VoiceErrorKind::Transcription,
                "Speech-to-text failed",
            )),
            Hears::Hangs => std::future::pending().await,
            Hears::Breaks => panic!("a transcriber panics on purpose"),
        }
    }
}

/// Records the spoken sentences and their times; each sentence takes a fixed time.
#[derive(Debug)]
pub(crate) struct Speaker {
    pub(crate) takes: Duration,
    pub(crate) said: Mutex<Vec<(String, Instant)>>,
    pub(crate) done: Mutex<Vec<String>>,
    pub(crate) finished: Mutex<usize>,
}

impl Speaker {
    pub(crate) fn new(takes: Duration) -> Arc<Self> {
        Arc::new(Self {
            takes,
            said: Mutex::default(),
            done: Mutex::default(),
            finished: Mutex::default(),
        })
    }

    pub(crate) fn sentences(&self) -> Vec<String> {
        let said = self.said.lock().unwrap();
        said.iter().map(|(sentence, _)| sentence.clone()).collect()
    }
}

#[async_trait]
impl Speech for Speaker {
    async fn speak(&self, sentence: &str) -> Result<(), VoiceError> {
        let entry = (sentence.to_owned(), Instant::now());
        self.said.lock().unwrap().push(entry);
        sleep(self.takes).await;
        self.done.lock().unwrap().push(sentence.to_owned());
        Ok(())
    }

    async fn finish(&self) -> Result<(), VoiceError> {
        *self.finished.lock().unwrap() += 1;
        Ok(())
    }
}

pub(crate) async fn all(events: VoiceEvents) -> Vec<(UtteranceId, VoiceEvent)> {
    events.collect().await
}

pub(crate) fn answers(events: &[(UtteranceId, VoiceEvent)]) -> Vec<(u64, String)> {
    let answers = events.iter().filter_map(|(id, event)| match event {
        VoiceEvent::Answer { text, .. } => Some((id.number(), text.clone())),
        _ => None,
    });
    answers.collect()
}
