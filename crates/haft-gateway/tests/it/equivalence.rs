//! Streamed and whole answers are equivalent: for every dialect of a client, every API of a model
//! server, every chunking of the bytes in between, and every reply here, synthetic or recorded. A
//! reply that ends too early is never taken for a complete one.

mod clients;
mod replies;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use futures_util::future::join_all;
use haft_gateway::{Gateway, GatewayOptions};
use haft_models::{ModelServer, ModelSettings, Secret, ServerKind};
use haft_testing::{Reply, ScriptedServer};
use serde_json::Value;

use self::clients::{CLIENTS, Client, Read};
use self::replies::{Body, Said, WIRES, Wire, synthetic};

/// The streamed reply of a model, and the whole one if its server supports that.
type Script = (Reply, Option<Reply>);

/// A model server whose models each give one reply, and the gateway in front of it.
struct Rig {
    replies: Arc<Mutex<HashMap<String, Script>>>,
    address: String,
    http: reqwest::Client,
    /// Whether the client wants repair: on or off.
    repair: &'static str,
    _server: ScriptedServer,
}

impl Rig {
    async fn new(wire: &Wire) -> Self {
        let replies: Arc<Mutex<HashMap<String, Script>>> = Arc::default();
        let script = replies.clone();
        let server = ScriptedServer::with(move |request| {
            let is_chat = request.method == "POST" && request.path != "/api/show";
            let model = request.body["model"].as_str().unwrap_or_default();
            let reply = script.lock().unwrap().get(model).cloned();
            let reply = reply.map(|(stream, whole)| match request.body["stream"] == true {
                true => stream,
                false => whole.unwrap_or(stream),
            });
            let missing = || Reply::text("nothing to say").with_status(404);
            reply.filter(|_| is_chat).unwrap_or_else(missing)
        })
        .await;
        let mut settings = ModelSettings::default();
        settings.server_mut(ServerKind::Anthropic).api_key = Some(Secret::new("k"));
        let (kind, url) = match wire.kind {
            ServerKind::OpenAi => (ServerKind::OpenAi, format!("{}/v1", server.url())),
            other => (other, server.url().to_owned()),
        };
        let mut options = GatewayOptions::default();
        options.listen = ([127, 0, 0, 1], 0).into();
        let upstream = ModelServer::new(kind, url, &settings);
        let gateway = Gateway::bind(upstream, options).await.unwrap();
        let address = format!("http://{}", gateway.address().unwrap());
        tokio::spawn(gateway.serve(std::future::pending()));
        // Another test may have installed the provider before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self {
            replies,
            address,
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            repair: "on",
            _server: server,
        }
    }

    /// Sets the reply of the model server.
    fn says(&self, reply: Reply) {
        self.replies
            .lock()
            .unwrap()
            .insert("tiny".to_owned(), (reply, None));
    }

    /// Answers a request for a stream with `stream`, and one for a whole reply with `whole`.
    fn says_both(&self, stream: Reply, whole: Reply) {
        let both = (stream, Some(whole));
        self.replies.lock().unwrap().insert("tiny".to_owned(), both);
    }

    /// The status and body that a client receives.
    async fn ask(&self, client: &Client, stream: bool) -> (u16, String) {
        let request = self.http.post(format!("{}{}", self.address, client.path));
        let body = (client.request)(stream).to_string();
        let request = request.header("x-haft-repair", self.repair).body(body);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// The parsed answers, streamed and whole.
    async fn reads(&self, client: &Client) -> [Result<Read, String>; 2] {
        let streamed = self.ask(client, true).await;
        let whole = self.ask(client, false).await;
        [
            read(streamed, client.read_stream),
            read(whole, client.read_whole),
        ]
    }
}

fn read(
    (status, body): (u16, String),
    read: fn(&str) -> Result<Read, String>,
) -> Result<Read, String> {
    if status == 200 {
        read(&body)
    } else {
        Err(body)
    }
}

/// How the bytes of a reply arrive: at once, event by event, a few at a time.
fn chunkings(body: &Body) -> [(&'static str, Reply); 3] {
    [
        ("by events", body.reply()),
        ("in one piece", body.reply().in_pieces_of(usize::MAX)),
        ("by 7 bytes", body.reply().in_pieces_of(7)),
    ]
}

#[tokio::test]
async fn synthetic_replies_mean_the_same_for_every_dialect_and_wire() {
    for wire in WIRES {
        let rig = Rig::new(wire).await;
        for (name, said) in synthetic() {
            for (pieces, reply) in chunkings(&(wire.body)(&said)) {
                rig.says(reply);
                for client in CLIENTS {
                    let case = format!("{name}, {} to {}, {pieces}", client.name, wire.name);
                    let [streamed, whole] = rig.reads(client).await;
                    assert_eq!(streamed, whole, "{case}");
                    let read = whole.unwrap_or_else(|error| panic!("{case}: {error}"));
                    assert_eq!(read, expected(&said, client), "{case}");
                }
            }
        }
    }
}

/// If client and server have the same API, replies pass through: printed calls are text then, and
/// arguments are unchanged.
#[tokio::test]
async fn replies_without_repair_are_the_same_streamed_and_whole() {
    for wire in WIRES {
        let mut rig = Rig::new(wire).await;
        rig.repair = "off";
        for (name, said) in synthetic() {
            for (pieces, reply) in chunkings(&(wire.body)(&said)) {
                rig.says_both(reply, Reply::json((wire.whole)(&said)));
                for client in CLIENTS {
                    let case = format!("{name}, {} to {}, {pieces}", client.name, wire.name);
                    let [streamed, whole] = rig.reads(client).await;
                    assert_eq!(streamed, whole, "{case}");
                    let read = whole.unwrap_or_else(|error| panic!("{case}: {error}"));
                    if client.name == wire.name {
                        assert_eq!(read, as_it_is(&said, client), "{case}");
                    } else {
                        assert_eq!(read.calls.len(), said.means.calls.len(), "{case}");
                    }
                }
            }
        }
    }
}

/// The bytes that pass through are those of the server, except for the token counts if the client
/// does not ask for them.
#[tokio::test]
async fn a_reply_without_repair_passes_byte_for_byte() {
    for (wire, client) in WIRES.iter().zip(CLIENTS) {
        assert_eq!(wire.name, client.name);
        let mut rig = Rig::new(wire).await;
        rig.repair = "off";
        for (name, said) in synthetic() {
            let body = (wire.body)(&said);
            let whole = (wire.whole)(&said);
            for (pieces, reply) in chunkings(&body) {
                rig.says_both(reply, Reply::json(whole.clone()));
                // The first request asks whether Ollama's model supports tools.
                rig.ask(client, true).await;
                let (status, streamed) = rig.ask(client, true).await;
                let case = format!("{name}, {}, {pieces}: {status}", wire.name);
                let sent = String::from_utf8(body.events.concat()).unwrap();
                assert_eq!(streamed, sent, "{case}");
                assert_eq!(rig.ask(client, false).await.1, whole.to_string(), "{case}");
            }
        }
    }
}

#[tokio::test]
async fn a_passing_reply_that_ends_too_early_is_an_error_wherever_it_is_cut() {
    for (wire, client) in WIRES.iter().zip(CLIENTS) {
        let mut rig = Rig::new(wire).await;
        rig.repair = "off";
        let replies = synthetic();
        let (_, said) = replies
            .iter()
            .find(|(name, _)| *name == "text and two calls")
            .unwrap();
        let body = (wire.body)(said);
        let whole = (wire.whole)(said).to_string();
        rig.says_both(body.reply(), Reply::json((wire.whole)(said)));
        assert!(rig.reads(client).await.iter().all(Result::is_ok));
        let size = body.events[..body.needed].concat().len() - 2;
        let cuts: Vec<usize> = (0..size).step_by(size / 24).collect();
        for cut in cuts {
            let kind = "application/json";
            let part = Reply::new(kind, &whole.as_bytes()[..whole.len() * cut / size]);
            rig.says_both(body.cut_to(cut), part);
            let (status, streamed) = rig.ask(client, true).await;
            let case = format!("{}, cut at {cut} of {size}: {status} {streamed}", wire.name);
            let error = read((status, streamed.clone()), client.read_stream).unwrap_err();
            assert!(error.contains("error"), "{case}");
            assert!(!error.starts_with("not at its end"), "{case}");
            let (status, _) = rig.ask(client, false).await;
            assert!(status >= 500, "{case}: whole {status}");
        }
    }
}

/// The expected content of a reply that passed through.
fn as_it_is(said: &Said, client: &Client) -> Read {
    let calls = said.calls.iter();
    Read {
        text: said.text.to_owned(),
        thought: said.thought.to_owned(),
        calls: calls
            .map(|(name, args)| ((*name).to_owned(), args.clone()))
            .collect(),
        stop: match (said.calls.is_empty(), said.is_cut_off) {
            (false, _) => client.stop_calls,
            (true, true) => client.stop_length,
            (true, false) => client.stop_end,
        }
        .to_owned(),
        tokens: (11, 7),
    }
}

/// The expected content of an answer.
fn expected(said: &Said, client: &Client) -> Read {
    Read {
        text: said.means.text.to_owned(),
        thought: said.means.thought.to_owned(),
        calls: said.means.calls.clone(),
        stop: match (said.means.calls.is_empty(), said.is_cut_off) {
            (false, _) => client.stop_calls,
            (true, true) => client.stop_length,
            (true, false) => client.stop_end,
        }
        .to_owned(),
        tokens: (11, 7),
    }
}

/// The recordings of an API, with all replies of one conversation each.
fn recorded(wire: &Wire) -> Vec<(String, Reply)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cassettes");
    let mut replies = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            let exchange: Value = serde_json::from_str(line).unwrap();
            if exchange["api"] == wire.api {
                let body = exchange["response"].as_str().unwrap();
                let kind = exchange["content_type"].as_str().unwrap();
                let name = path.file_name().unwrap().to_string_lossy();
                replies.push((format!("{name} {number}"), Reply::new(kind, body)));
            }
        }
    }
    replies
}

#[tokio::test]
async fn recorded_replies_mean_the_same_for_every_dialect_and_wire() {
    for wire in WIRES.iter().filter(|wire| !wire.api.is_empty()) {
        let rig = Rig::new(wire).await;
        let replies = recorded(wire);
        assert!(replies.len() > 8, "{}", replies.len());
        for (name, reply) in replies {
            let mut first: Option<Read> = None;
            for size in [usize::MAX, 11] {
                rig.says(reply.clone().in_pieces_of(size));
                for client in CLIENTS {
                    let case = format!("{name}, {}, by {size}", client.name);
                    let [streamed, whole] = rig.reads(client).await;
                    assert_eq!(streamed, whole, "{case}");
                    let read = whole.unwrap_or_else(|error| panic!("{case}: {error}"));
                    let first = first.get_or_insert_with(|| read.clone());
                    // Each dialect has its own names of stop reasons.
                    assert_eq!(
                        (&read.text, &read.calls, read.tokens),
                        (&first.text, &first.calls, first.tokens),
                        "{case}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn a_reply_that_ends_too_early_is_an_error_wherever_it_is_cut() {
    let mut settled = 0;
    for wire in WIRES {
        let rig = Rig::new(wire).await;
        let replies = synthetic();
        let (_, said) = replies
            .iter()
            .find(|(name, _)| *name == "text and two calls")
            .unwrap();
        let body = (wire.body)(said);
        // The data after the event that ends the reply may be missing.
        let size = body.events[..body.needed].concat().len() - 2;
        for cut in (0..size).step_by(size / 12) {
            rig.says(body.cut_to(cut));
            // In parallel: haft repeats a broken request, with pauses.
            let reads = join_all(CLIENTS.iter().map(|client| rig.reads(client))).await;
            for (client, reads) in CLIENTS.iter().zip(reads) {
                let case = format!("{} to {}, cut at {cut} of {size}", client.name, wire.name);
                assert!(reads.iter().all(Result::is_err), "{case}: {reads:?}");
                settled += reads.len();
            }
        }
    }
    assert!(settled > 200, "{settled}");
}
