//! The events of a run, read as it happens: resumed without a loss, and retracted when another
//! attempt takes the place of a reply.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use haft_agent::Agent;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError, Tool,
};
use haft_durable::{Decision, DurableErrorKind, DurableStore, RunEvent, RunEventId, RunEvents};
use haft_tools::ToolExecutor;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::support::{Place, agent, answered, destructive, paying_model, process, spy, work};

/// A model that writes a word for each permit, and then ends its reply.
#[derive(Debug)]
struct Slow {
    words: &'static [&'static str],
    permits: Arc<Semaphore>,
}

impl ChatModel for Slow {
    fn id(&self) -> &str {
        "slow"
    }

    fn bind_tools(&self, _: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self {
            words: self.words,
            permits: self.permits.clone(),
        }))
    }

    fn stream(&self, _: &[Message], _: &CallOptions) -> ChatStream {
        let whole = AiMessage::new(self.words.concat());
        let chunks = self
            .words
            .iter()
            .map(|word| ChatChunk::Text((*word).to_owned()));
        let chunks: Vec<_> = chunks.chain([ChatChunk::Done(whole)]).collect();
        let permits = self.permits.clone();
        let written = stream::iter(chunks).then(move |chunk| {
            let permits = permits.clone();
            async move {
                permits.acquire().await.unwrap().forget();
                Ok(chunk)
            }
        });
        written.boxed()
    }
}

fn slow(words: &'static [&'static str]) -> (Agent, Arc<Semaphore>) {
    let permits = Arc::new(Semaphore::new(0));
    let model = Slow {
        words,
        permits: permits.clone(),
    };
    let tools = ToolExecutor::new(haft_tools::ToolManager::new());
    let agent = Agent::new(Arc::new(model), tools, Default::default()).unwrap();
    (agent, permits)
}

async fn next(events: &mut RunEvents) -> (RunEventId, RunEvent) {
    let event = timeout(Duration::from_secs(30), events.next()).await;
    event.unwrap().unwrap().unwrap()
}

/// Reads text until so much of it has come, and returns the id of the last event.
async fn read_text(events: &mut RunEvents, wanted: &str) -> RunEventId {
    let mut seen = String::new();
    loop {
        let (id, event) = next(events).await;
        let RunEvent::Text { text } = event else {
            panic!("{event:?} instead of text");
        };
        seen += &text;
        assert!(wanted.starts_with(&seen), "{seen}");
        if seen == wanted {
            return id;
        }
    }
}

async fn names(mut events: RunEvents) -> Vec<String> {
    let mut names = Vec::new();
    while let Some((id, event)) = events.next().await.unwrap() {
        names.push(format!("{id} {}", event.name()));
    }
    names
}

fn without_stretch(event: &str) -> &str {
    event.split_once('.').unwrap().1
}

#[tokio::test]
async fn a_reader_that_was_cut_off_goes_on_where_it_was() {
    let place = Place::new();
    let store = place.open().await;
    work(agent(paying_model(), spy(destructive())), &store, 1);
    let run = store.submit("Pay the bill").await.unwrap();
    let mut events = store.events(&run, None).await.unwrap();
    let mut seen = Vec::new();
    loop {
        let (id, event) = next(&mut events).await;
        if let RunEvent::Waiting(_) = event {
            store.decide(&run, Decision::Allow).await.unwrap();
        }
        let is_end = id.is_end();
        seen.push((id, event));
        if is_end {
            break;
        }
    }
    assert!(events.next().await.unwrap().is_none());
    let all: Vec<_> = seen
        .iter()
        .map(|(id, event)| format!("{id} {}", event.name()))
        .collect();
    let steps = store.steps(&run).await.unwrap().len();
    assert_eq!(
        all.iter().filter(|event| event.ends_with(" step")).count(),
        steps
    );
    assert!(
        all.iter().any(|event| event.ends_with(".waiting waiting")),
        "{all:?}"
    );
    assert_eq!(
        seen.last().unwrap().1,
        RunEvent::Ended(answered("It is paid."))
    );
    for (place, (id, _)) in seen.iter().enumerate() {
        let again = names(store.events(&run, Some(*id)).await.unwrap()).await;
        // What waited is decided by now.
        let rest = all[place + 1..].iter();
        let rest = rest.filter(|event| !event.contains("waiting"));
        let rest: Vec<_> = rest.map(|event| without_stretch(event)).collect();
        let again: Vec<_> = again.iter().map(|event| without_stretch(event)).collect();
        assert_eq!(again, rest, "after {id}");
    }
}

#[tokio::test]
async fn text_comes_while_it_is_written_and_is_deleted_with_its_step() {
    let place = Place::new();
    let store = place.open().await;
    let (agent, permits) = slow(&["One, ", "two, ", "three."]);
    work(agent, &store, 1);
    let run = store.submit("Count").await.unwrap();
    let mut events = store.events(&run, None).await.unwrap();
    permits.add_permits(1);
    let id = read_text(&mut events, "One, ").await;
    permits.add_permits(1);
    read_text(&mut events, "two, ").await;
    // Another reader goes on after the first word.
    let mut resumed = store.events(&run, Some(id)).await.unwrap();
    read_text(&mut resumed, "two, ").await;
    permits.add_permits(2);
    let (_, step) = next(&mut events).await;
    assert!(matches!(&step, RunEvent::Step { number: 1, text, .. } if text == "One, two, three."));
    assert_eq!(
        next(&mut events).await.1,
        RunEvent::Ended(answered("One, two, three."))
    );
    // It does not know which attempt was recorded, so it drops its part; the step has everything.
    assert_eq!(next(&mut resumed).await.1, RunEvent::Retracted {});
    assert_eq!(next(&mut resumed).await.1, step);
    assert_eq!(chunks(&place).await, 0);
}

async fn chunks(place: &Place) -> i64 {
    let mut connection = place.change("SELECT 1").await;
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM haft_chunks");
    count.fetch_one(&mut connection).await.unwrap()
}

#[tokio::test]
async fn nothing_is_written_while_nobody_watches() {
    let place = Place::new();
    let store = place.open().await;
    let (agent, permits) = slow(&["One, ", "two."]);
    work(agent, &store, 1);
    let run = store.submit("Count").await.unwrap();
    permits.add_permits(1);
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(chunks(&place).await, 0);
    // Who comes later reads the text from its beginning.
    let mut events = store.events(&run, None).await.unwrap();
    read_text(&mut events, "One, ").await;
    permits.add_permits(2);
    assert_eq!(store.finished(&run).await.unwrap(), answered("One, two."));
}

#[test]
fn the_text_of_a_dead_worker_is_retracted() {
    let place = Place::new();
    let reader = process();
    let (run, mut events): (String, RunEvents) = reader.block_on(async {
        let store: DurableStore = place.open().await;
        let run = store.submit("Count").await.unwrap();
        let events = store.events(&run, None).await.unwrap();
        (run, events)
    });
    let dying = process();
    let (first, permits) = slow(&["Wrong, ", "wrong."]);
    dying.block_on(async {
        // The worker goes on until its process dies.
        let _worker = work(first, &place.open().await, 1);
    });
    permits.add_permits(1);
    reader.block_on(read_text(&mut events, "Wrong, "));
    dying.shutdown_background();
    reader.block_on(async {
        let store = place.open().await;
        let (second, permits) = slow(&["One, ", "two."]);
        work(second, &store, 1);
        permits.add_permits(1);
        assert_eq!(next(&mut events).await.1, RunEvent::Retracted {});
        read_text(&mut events, "One, ").await;
        permits.add_permits(2);
        let (_, step) = next(&mut events).await;
        assert!(matches!(step, RunEvent::Step { text, .. } if text == "One, two."));
        assert_eq!(store.finished(&run).await.unwrap(), answered("One, two."));
    });
}

#[tokio::test]
async fn only_a_run_has_events() {
    let place = Place::new();
    let store = place.open().await;
    let error = store.events("nothing", None).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::UnknownRun);
}
