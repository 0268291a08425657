//! The server as seen by a client on loopback; `tests/outside/voice` has a client with another
//! implementation of the protocol.

use async_trait::async_trait;
use haft_agent::Agent;
use haft_core::{AiMessage, ChatModel, Tool, ToolError, ToolInput, ToolOutput};
use haft_testing::ScriptedModel;
use haft_zwave::{Home, zwave_tools};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::*;
use crate::AssistantOptions;
use crate::wyoming::WyomingAddress;
use crate::wyoming::connection::connect;
use crate::wyoming::protocol::{EventReader, EventWriter};

struct Scene {
    address: WyomingAddress,
    /// Dropping it stops the server.
    end: oneshot::Sender<()>,
    serving: tokio::task::JoinHandle<()>,
    seen: Arc<std::sync::Mutex<Vec<String>>>,
}

impl Scene {
    async fn new() -> Self {
        let agent = Agent::builder()
            .model("builtin")
            .tool(haft_tools::get_current_datetime())
            .tools(zwave_tools(Home::demo()))
            .build()
            .await
            .unwrap();
        Self::with(agent).await
    }

    async fn with(agent: Agent) -> Self {
        let assistant = Assistant::new(agent, AssistantOptions::default()).unwrap();
        let seen = Arc::<std::sync::Mutex<Vec<String>>>::default();
        let log = Arc::clone(&seen);
        let options = WyomingServerOptions {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            observer: Some(Arc::new(move |event| {
                if let VoiceEvent::Transcription { text, .. } | VoiceEvent::Answer { text, .. } =
                    event
                {
                    log.lock().unwrap().push(text.clone());
                }
            })),
        };
        let server = WyomingServer::bind(assistant, options).await.unwrap();
        let address = server.address().unwrap().to_string().parse().unwrap();
        let (end, ended) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.serve(async {
            let _ = ended.await;
        }));
        Self {
            address,
            end,
            serving,
            seen,
        }
    }

    async fn client(&self) -> Client {
        let (reader, writer) = connect(&self.address).await.unwrap();
        Client { reader, writer }
    }

    /// Sends one sentence of a conversation in the way of Home Assistant, and returns the answer.
    async fn ask(&self, conversation: &str, text: &str) -> Event {
        let context = json!({ "conversation_id": conversation });
        let question = Event::new("transcript")
            .with("text", text)
            .with("context", context);
        let mut client = self.client().await;
        client.writer.send(&question).await.unwrap();
        client
            .until(&["handled", "not-handled"])
            .await
            .pop()
            .unwrap()
    }
}

struct Client {
    reader: EventReader,
    writer: EventWriter,
}

impl Client {
    async fn ask(&mut self, event: Event, last: &[&str]) -> Vec<Event> {
        self.writer.send(&event).await.unwrap();
        self.until(last).await
    }

    async fn until(&mut self, last: &[&str]) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            let next = timeout(Duration::from_secs(10), self.reader.next()).await;
            let event = next.expect("an event comes").unwrap().unwrap();
            let is_last = last.contains(&event.kind.as_str());
            events.push(event);
            if is_last {
                return events;
            }
        }
    }
}

fn transcript(text: &str) -> Event {
    Event::new("transcript").with("text", text)
}

#[tokio::test]
async fn describe_returns_the_program() {
    let scene = Scene::new().await;
    let mut client = scene.client().await;
    let info = client
        .ask(Event::new("describe"), &["info"])
        .await
        .remove(0);
    let handle = &info.data["handle"][0];
    assert_eq!(handle["name"], "haft");
    assert_eq!(handle["supports_handled_streaming"], true);
    assert_eq!(handle["supports_home_control"], true);
    assert_eq!(handle["models"][0]["name"], "builtin");
    assert_eq!(info.data["intent"][0]["installed"], true);
    assert_eq!(info.data["asr"], json!([]));
    let pong = client
        .ask(Event::new("ping").with("text", "a"), &["pong"])
        .await
        .remove(0);
    assert_eq!(pong, Event::new("pong").with("text", "a"));
}

#[tokio::test]
async fn a_sentence_is_handled_in_pieces_and_whole() {
    let scene = Scene::new().await;
    let mut client = scene.client().await;
    let question = transcript("turn on the kitchen light");
    let events = client.ask(question, &["handled-stop"]).await;
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["handled-start", "handled-chunk", "handled", "handled-stop"]
    );
    assert_eq!(events[1].text(), Some("Kitchen Light is now on."));
    assert_eq!(events[1].text(), events[2].text());
    let seen = scene.seen.lock().unwrap().clone();
    assert_eq!(
        seen,
        ["turn on the kitchen light", "Kitchen Light is now on."]
    );
}

#[tokio::test]
async fn an_intent_is_recognized_and_not_executed() {
    let scene = Scene::new().await;
    let mut client = scene.client().await;
    let last = ["intent", "intents-stop", "not-recognized"];
    let recognize = |text: &str| Event::new("recognize").with("text", text);
    let intent = client
        .ask(recognize("turn on the kitchen light"), &last)
        .await
        .remove(0);
    assert_eq!(intent.data["name"], "control_zwave_device");
    let entities = intent.data["entities"].as_array().unwrap();
    assert!(
        entities.contains(&json!({ "name": "action", "value": "on" })),
        "{entities:?}"
    );
    let none = client
        .ask(recognize("tell me a story"), &last)
        .await
        .remove(0);
    assert_eq!(none.kind, "not-recognized");
    let both = recognize("turn on the kitchen light and what time is it");
    let both = client.ask(both, &["intents-stop"]).await;
    assert_eq!(both.len(), 4, "{both:?}");
    let state = scene.ask("c", "is the kitchen light on?").await;
    assert!(state.text().unwrap().contains("off"), "{state:?}");
}

#[tokio::test]
async fn each_conversation_has_its_own_history() {
    let model = ScriptedModel::saying(["You are Ann.", "Nobody.", "Ann."].map(AiMessage::new));
    let requests = model.clone();
    let model: Arc<dyn ChatModel> = Arc::new(model);
    let agent = Agent::builder().model(model).build().await.unwrap();
    let scene = Scene::with(agent).await;
    scene.ask("one", "my name is Ann").await;
    scene.ask("two", "who am I?").await;
    let answer = scene.ask("one", "who am I?").await;
    assert_eq!(answer.text(), Some("Ann."));
    assert_eq!(answer.data["context"]["conversation_id"], "one");
    let lengths: Vec<usize> = requests
        .requests()
        .iter()
        .map(|request| request.messages.len())
        .collect();
    assert_eq!(lengths[1], lengths[0]);
    assert_eq!(lengths[2], lengths[0] + 2);
}

#[tokio::test]
async fn fifty_simultaneous_requests_are_answered() {
    let scene = Arc::new(Scene::new().await);
    let mut asking = JoinSet::new();
    for at in 0..50 {
        let scene = Arc::clone(&scene);
        asking.spawn(async move {
            scene
                .ask(&format!("c{at}"), "what time is it in Tokyo?")
                .await
        });
    }
    let answers = asking.join_all().await;
    assert_eq!(answers.len(), 50);
    for answer in answers {
        assert_eq!(answer.kind, "handled");
        assert!(answer.text().unwrap().contains("Tokyo"), "{answer:?}");
    }
}

#[tokio::test]
async fn malformed_data_closes_only_its_own_connection() {
    let scene = Scene::new().await;
    let mut stays = scene.client().await;
    for (nonsense, says) in [
        (&b"GET / HTTP/1.1\r\n\r\n"[..], "damaged"),
        (
            b"{\"type\": \"transcript\", \"data_length\": 99999999}\n",
            "longer than",
        ),
        (
            b"{\"type\": \"transcript\"}\n",
            "`transcript` has no `text`",
        ),
    ] {
        let (host, port) = scene.address.target();
        let mut stream = tokio::net::TcpStream::connect((host, port)).await.unwrap();
        tokio::io::AsyncWriteExt::write_all(&mut stream, nonsense)
            .await
            .unwrap();
        let (reader, writer) = crate::wyoming::protocol::halves(stream);
        let error = Client { reader, writer }.until(&["error"]).await.remove(0);
        assert!(error.text().unwrap().contains(says), "{error:?}");
    }
    let long = stays
        .ask(transcript(&"on ".repeat(10_000)), &["not-handled"])
        .await;
    assert_eq!(long[0].text(), Some("Sorry, that is too long."));
    let unknown = Event::new("select-program").with("name", "haft");
    stays.writer.send(&unknown).await.unwrap();
    let answer = stays
        .ask(transcript("what time is it?"), &["handled"])
        .await;
    assert!(answer.last().unwrap().text().unwrap().contains("It is"));
}

#[tokio::test]
async fn running_calls_are_answered_before_shutdown() {
    let agent = Agent::builder()
        .model("builtin")
        .tool(Arc::new(SlowClock(Value::Null)) as Arc<dyn Tool>)
        .build()
        .await
        .unwrap();
    let scene = Scene::with(agent).await;
    let idle = scene.client().await;
    let mut asks = scene.client().await;
    asks.writer
        .send(&transcript("what time is it?"))
        .await
        .unwrap();
    sleep(Duration::from_millis(100)).await;
    drop(scene.end);
    let answer = asks.until(&["handled"]).await;
    assert!(answer.last().unwrap().text().unwrap().contains("noon"));
    timeout(Duration::from_secs(2), scene.serving)
        .await
        .expect("it ends")
        .unwrap();
    drop(idle);
    assert!(connect(&scene.address).await.is_err());
}

/// A slow clock.
#[derive(Debug)]
struct SlowClock(Value);

#[async_trait]
impl Tool for SlowClock {
    fn name(&self) -> &str {
        "get_current_datetime"
    }

    fn description(&self) -> &str {
        "The time"
    }

    fn schema(&self) -> &Value {
        &self.0
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        sleep(Duration::from_millis(400)).await;
        Ok("It is noon.".into())
    }
}
