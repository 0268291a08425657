//! Scenario 001-03: utterances are answered in the background with the injected executor, and no
//! failure can block or crash the caller.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{
    Hears, ScriptedTranscriber, SlowModel, Speaker, agent, all, answers, assistant, executor, tone,
};
use futures_util::StreamExt;
use haft_core::{AiMessage, ToolCall, ToolOutput};
use haft_testing::{ScriptedModel, SpyTool};
use haft_tools::{Approval, Approve, ExecutorOptions, ToolExecutor, ToolManager};
use haft_voice::{
    Assistant, AssistantOptions, BackgroundOptions, BackgroundTranscriber, DropReason, Pcm,
    Responder, VoiceErrorKind, VoiceEvent, WakePhrase,
};
use serde_json::json;
use tokio::time::Instant;

fn call(name: &str) -> AiMessage {
    AiMessage::new("").with_tool_calls([ToolCall::new(name, json!({}), "call_1")])
}

/// An executor and a tool that count their calls.
fn spied(decide: fn() -> Approval) -> (ToolExecutor, Arc<SpyTool>, Arc<AtomicUsize>) {
    let tool = Arc::new(SpyTool::new("feed_cat", |_| {
        Ok(ToolOutput::from("The cat is fed."))
    }));
    let mut tools = ToolManager::new();
    tools.add(tool.clone() as Arc<dyn haft_core::Tool>).unwrap();
    let dispatched = Arc::new(AtomicUsize::new(0));
    let counter = dispatched.clone();
    let approve: Approve = Arc::new(move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move { decide() })
    });
    let executor = ToolExecutor::with_options(tools, ExecutorOptions::default(), Some(approve));
    (executor, tool, dispatched)
}

#[tokio::test]
async fn s001_03_tools_run_through_the_injected_executor_alone() {
    let (executor, tool, dispatched) = spied(|| Approval::Allowed);
    let model = ScriptedModel::saying([call("feed_cat"), AiMessage::new("Done, the cat is fed.")]);
    let transcriber = ScriptedTranscriber::new(|_| Hears::Words("Feed the cat".to_owned()));
    let (voice, events) = BackgroundTranscriber::start(
        assistant(model.clone(), executor),
        Some(transcriber),
        None,
        BackgroundOptions::default(),
    );
    let id = voice.hear(tone()).unwrap();
    drop(voice);
    let events = all(events).await;
    assert_eq!(dispatched.load(Ordering::SeqCst), 1);
    assert_eq!(tool.seen().len(), 1);
    assert_eq!(answers(&events), [(1, "Done, the cat is fed.".to_owned())]);
    let kinds: Vec<&str> = events.iter().map(|(_, event)| kind(event)).collect();
    let expected = [
        "transcription",
        "intent",
        "tool started",
        "tool finished",
        "sentence",
        "answer",
    ];
    assert_eq!(kinds, expected);
    assert!(events.iter().all(|(event, _)| *event == id));
}

#[tokio::test]
async fn s001_03_what_the_executor_refuses_never_runs() {
    let (executor, tool, dispatched) = spied(|| Approval::Denied("no".to_owned()));
    let model = ScriptedModel::saying([call("feed_cat"), AiMessage::new("I may not.")]);
    let events = heard(assistant(model, executor), ["Feed the cat"]).await;
    assert_eq!(
        (dispatched.load(Ordering::SeqCst), tool.seen().len()),
        (1, 0)
    );
    assert_eq!(answers(&events)[0].1, "I may not.");
}

#[tokio::test]
async fn s001_03_local_commands_use_the_same_executor() {
    let spy = Arc::new(Mutex::new(Vec::new()));
    let seen = spy.clone();
    let approve: Approve = Arc::new(move |request| {
        seen.lock().unwrap().push(request.call.name.clone());
        Box::pin(async { Approval::Allowed })
    });
    let mut tools = ToolManager::new();
    for tool in haft_zwave::zwave_tools(haft_zwave::Home::demo()) {
        tools.add(tool).unwrap();
    }
    let executor = ToolExecutor::with_options(tools, ExecutorOptions::default(), Some(approve));
    let model = ScriptedModel::saying([]);
    let events = heard(
        assistant(model.clone(), executor),
        ["Turn off the kitchen light"],
    )
    .await;
    assert_eq!(model.requests().len(), 0);
    assert_eq!(*spy.lock().unwrap(), ["control_zwave_device"]);
    let by = events.iter().find_map(|(_, event)| match event {
        VoiceEvent::Intent { by, .. } => Some(*by),
        _ => None,
    });
    assert_eq!(by, Some(Responder::Local));
    assert!(answers(&events)[0].1.contains("off"), "{events:?}");
}

#[tokio::test]
async fn local_commands_can_be_switched_off() {
    let tools = haft_zwave::zwave_tools(haft_zwave::Home::demo());
    let model = ScriptedModel::saying([AiMessage::new("Sorry, I cannot.")]);
    let agent = agent(Arc::new(model.clone()), executor(tools));
    let mut options = AssistantOptions::default();
    options.local_commands = false;
    let assistant = Assistant::new(agent, options).unwrap();
    let events = heard(assistant, ["Turn off the kitchen light"]).await;
    assert_eq!(model.requests().len(), 1);
    assert_eq!(answers(&events)[0].1, "Sorry, I cannot.");
}

#[tokio::test]
async fn silence_and_clicks_are_not_transcribed() {
    let transcriber = ScriptedTranscriber::new(|_| Hears::Words("[noise]".to_owned()));
    let (voice, events) = BackgroundTranscriber::start(
        assistant(ScriptedModel::saying([]), executor([])),
        Some(transcriber.clone()),
        None,
        BackgroundOptions::default(),
    );
    let click = Pcm::new(vec![20_000; 2_399]);
    for audio in [click, Pcm::new(vec![0; 16_000]), Pcm::default()] {
        voice.hear(audio).unwrap();
    }
    voice.hear(" ... ").unwrap();
    drop(voice);
    let reasons: Vec<DropReason> = all(events)
        .await
        .into_iter()
        .map(|(_, event)| match event {
            VoiceEvent::Dropped(reason) => reason,
            other => panic!("{other:?}"),
        })
        .collect();
    use DropReason::{Click, NoWords, Silence};
    assert_eq!(reasons, [Click, Silence, Click, NoWords]);
    assert_eq!(transcriber.asked(), 0);
}

#[tokio::test]
async fn fifty_simultaneous_utterances_are_answered_without_blocking() {
    let replies = (1..=50).map(|number| AiMessage::new(format!("Answer {number}.")));
    let transcriber = ScriptedTranscriber::new(|count| Hears::Words(format!("Question {count}")));
    let (voice, events) = BackgroundTranscriber::start(
        assistant(ScriptedModel::saying(replies), executor([])),
        Some(transcriber),
        None,
        BackgroundOptions::default(),
    );
    // Without an await, no other task runs meanwhile.
    for _ in 0..50 {
        voice.hear(tone()).unwrap();
    }
    drop(voice);
    let expected: Vec<_> = (1..=50)
        .map(|number| (number, format!("Answer {number}.")))
        .collect();
    assert_eq!(answers(&all(events).await), expected);
}

#[tokio::test]
async fn a_full_queue_is_an_error() {
    let mut options = BackgroundOptions::default();
    options.waiting = 2;
    let replies = ["One.", "Two."].map(AiMessage::new);
    let assistant = assistant(ScriptedModel::saying(replies), executor([]));
    let (voice, events) = BackgroundTranscriber::start(assistant, None, None, options);
    voice.hear("first thing").unwrap();
    voice.hear("second thing").unwrap();
    let error = voice.hear("third thing").unwrap_err();
    assert_eq!(error.kind(), VoiceErrorKind::Full);
    drop(voice);
    assert_eq!(answers(&all(events).await).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_failing_transcriber_loses_one_utterance() {
    let transcriber = ScriptedTranscriber::new(|count| match count {
        1 => Hears::Fails,
        2 => Hears::Hangs,
        3 => Hears::Breaks,
        _ => Hears::Words("Still there?".to_owned()),
    });
    let speaker = Speaker::new(Duration::ZERO);
    let (voice, events) = BackgroundTranscriber::start(
        assistant(
            ScriptedModel::saying([AiMessage::new("Yes.")]),
            executor([]),
        ),
        Some(transcriber),
        Some(speaker.clone()),
        BackgroundOptions::default(),
    );
    for _ in 0..4 {
        voice.hear(tone()).unwrap();
    }
    drop(voice);
    let events = all(events).await;
    let kinds: Vec<VoiceErrorKind> = events
        .iter()
        .filter_map(|(_, event)| match event {
            VoiceEvent::Error(error) => Some(error.kind()),
            _ => None,
        })
        .collect();
    use VoiceErrorKind::{Timeout, Transcription};
    assert_eq!(kinds, [Transcription, Timeout, Transcription]);
    assert_eq!(answers(&events), [(4, "Yes.".to_owned())]);
    let said = speaker.sentences();
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(
        said[..3]
            .iter()
            .all(|sentence| sentence.starts_with("Sorry, ")),
        "{said:?}"
    );
    assert_eq!(*speaker.finished.lock().unwrap(), 4);
}

#[tokio::test]
async fn a_model_failure_is_spoken_and_the_next_question_is_answered() {
    let failure = haft_core::ModelError::new(haft_core::ModelErrorKind::Connect, "Nobody there");
    let model = ScriptedModel::new([Err(failure), Ok(AiMessage::new("Here I am."))]);
    let events = heard(
        assistant(model, executor([])),
        ["Who was Bach?", "And now?"],
    )
    .await;
    let Some(VoiceEvent::Error(error)) = events
        .iter()
        .map(|(_, event)| event)
        .find(|event| matches!(event, VoiceEvent::Error(_)))
    else {
        panic!("{events:?}");
    };
    assert!(error.spoken().starts_with("Sorry"));
    assert_eq!(answers(&events), [(2, "Here I am.".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn a_sentence_is_passed_on_within_50_ms_of_its_end() {
    let model = SlowModel(vec![
        (0, "The light is on"),
        (10, "."),
        (10_000, " And it is warm. Very"),
        (10_000, " warm"),
    ]);
    let speaker = Speaker::new(Duration::ZERO);
    let begun = Instant::now();
    let (voice, events) = BackgroundTranscriber::start(
        assistant(model, executor([])),
        None,
        Some(speaker.clone()),
        BackgroundOptions::default(),
    );
    voice.hear("How is it at home?").unwrap();
    drop(voice);
    let events = all(events).await;
    let said = speaker.said.lock().unwrap();
    let times: Vec<(&str, u128)> = said
        .iter()
        .map(|(sentence, at)| (sentence.as_str(), (*at - begun).as_millis()))
        .collect();
    for (sentence, (expected, ended)) in times.iter().zip([
        ("The light is on.", 10),
        ("And it is warm.", 10_010),
        ("Very warm", 20_010),
    ]) {
        assert_eq!(sentence.0, expected);
        assert!((ended..=ended + 50).contains(&sentence.1), "{times:?}");
    }
    assert_eq!(
        answers(&events)[0].1,
        "The light is on. And it is warm. Very warm"
    );
}

#[tokio::test(start_paused = true)]
async fn a_newer_utterance_cancels_the_answer_if_enabled() {
    for interrupt in [true, false] {
        let speaker = Speaker::new(Duration::from_secs(5));
        let mut options = BackgroundOptions::default();
        options.interrupt = interrupt;
        let model = SlowModel(vec![(0, "One. "), (0, "Two. "), (0, "Three.")]);
        let (voice, mut events) = BackgroundTranscriber::start(
            assistant(model, executor([])),
            None,
            Some(speaker.clone()),
            options,
        );
        voice.hear("first thing").unwrap();
        while let Some((_, event)) = events.next().await {
            if matches!(event, VoiceEvent::Sentence(_)) {
                break;
            }
        }
        // A click must not cancel the answer.
        voice.hear(Pcm::default()).unwrap();
        tokio::time::sleep(Duration::from_secs(6)).await;
        assert_eq!(speaker.done.lock().unwrap().len(), 1);
        voice.hear("second thing").unwrap();
        drop(voice);
        let events = all(events).await;
        let cancelled = events
            .iter()
            .any(|(_, event)| matches!(event, VoiceEvent::Cancelled));
        assert_eq!(cancelled, interrupt);
        let done = speaker.done.lock().unwrap().len();
        assert_eq!(done, if interrupt { 4 } else { 6 });
    }
}

#[tokio::test(start_paused = true)]
async fn a_conversation_ends_after_two_minutes_of_silence() {
    let replies = ["One.", "Two.", "Three."].map(AiMessage::new);
    let model = ScriptedModel::saying(replies);
    let assistant = assistant(model.clone(), executor([]));
    for (question, wait) in [("first", 119), ("second", 121), ("third", 0)] {
        assistant.answer(question).collect::<Vec<_>>().await;
        tokio::time::sleep(Duration::from_secs(wait)).await;
    }
    let lengths: Vec<usize> = model
        .requests()
        .iter()
        .map(|request| request.messages.len())
        .collect();
    assert_eq!(lengths, [1, 3, 1]);
    let other = assistant.with_own_conversation();
    assert_eq!(other.answer("fourth").collect::<Vec<_>>().await.len(), 2);
    assert_eq!(model.requests().last().unwrap().messages.len(), 1);
}

#[tokio::test]
async fn only_utterances_with_the_wake_phrase_are_answered() {
    let mut options = BackgroundOptions::default();
    options.wake = WakePhrase::new("hey haft");
    let model = ScriptedModel::saying([AiMessage::new("Yes.")]);
    let assistant = assistant(model.clone(), executor([]));
    let (voice, events) = BackgroundTranscriber::start(assistant, None, None, options);
    voice.hear("Did you see the film?").unwrap();
    voice.hear("Hey, Haft: who was Bach?").unwrap();
    drop(voice);
    let events = all(events).await;
    assert!(matches!(
        events[0].1,
        VoiceEvent::Dropped(DropReason::NotAddressed)
    ));
    let asked = model.requests()[0]
        .messages
        .last()
        .unwrap()
        .content()
        .text();
    assert_eq!(asked, "who was Bach?");
}

#[tokio::test]
async fn issue_3_an_answer_that_the_token_limit_cut_says_so() {
    let cut = AiMessage {
        stop_reason: Some(haft_core::StopReason::MaxTokens),
        ..AiMessage::new("Bach was a")
    };
    let model = ScriptedModel::saying([cut, AiMessage::new("He was a composer.")]);
    let said = ["Who was Bach?", "Who?"];
    let events = heard(assistant(model, executor([])), said).await;
    let cut = events.iter().filter_map(|(_, event)| match event {
        VoiceEvent::Answer { is_truncated, .. } => Some(*is_truncated),
        _ => None,
    });
    assert_eq!(cut.collect::<Vec<_>>(), [true, false]);
}

#[tokio::test]
async fn markdown_and_reasoning_are_not_spoken_and_long_answers_end_early() {
    let long = "**Here** is a sentence with [a link](https://example.org) in it! 🎉\n".repeat(30);
    let answer = format!("<think>Let me see. Or not.</think>{long}");
    let model = ScriptedModel::saying([AiMessage::new(answer)]);
    let events = heard(assistant(model, executor([])), ["Who was Bach?"]).await;
    let text = &answers(&events)[0].1;
    assert!(
        text.starts_with("Here is a sentence with a link in it! Here"),
        "{text}"
    );
    assert!(text.chars().count() <= 300 && text.ends_with('!'), "{text}");
}

#[tokio::test]
async fn dropped_events_do_not_stop_the_work() {
    let speaker = Speaker::new(Duration::ZERO);
    let model = ScriptedModel::saying([AiMessage::new("Yes.")]);
    let (voice, events) = BackgroundTranscriber::start(
        assistant(model, executor([])),
        None,
        Some(speaker.clone()),
        BackgroundOptions::default(),
    );
    drop(events);
    voice.hear("Is it late?").unwrap();
    tokio::time::timeout(Duration::from_secs(10), async {
        while speaker.sentences().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .unwrap();
}

async fn heard<const N: usize>(
    assistant: Assistant,
    texts: [&str; N],
) -> Vec<(haft_voice::UtteranceId, VoiceEvent)> {
    let options = BackgroundOptions::default();
    let (voice, events) = BackgroundTranscriber::start(assistant, None, None, options);
    for text in texts {
        voice.hear(text).unwrap();
    }
    drop(voice);
    all(events).await
}

fn kind(event: &VoiceEvent) -> &'static str {
    match event {
        VoiceEvent::Dropped(_) => "dropped",
        VoiceEvent::Transcription { .. } => "transcription",
        VoiceEvent::Intent { .. } => "intent",
        VoiceEvent::ToolStarted(_) => "tool started",
        VoiceEvent::ToolFinished(_) => "tool finished",
        VoiceEvent::Sentence(_) => "sentence",
        VoiceEvent::Answer { .. } => "answer",
        VoiceEvent::Cancelled => "cancelled",
        VoiceEvent::Error(_) => "error",
        _ => "other",
    }
}
