//! A scripted Z-Wave JS server, with a WebSocket implementation other than the tested one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// The recorded state of a home with six devices, reduced to the values that are used.
pub(super) const HOME: &str = include_str!("home.json");

/// The server's reaction to a command.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Sends this text.
    Say(String),
    /// Answers the command with success and this result.
    Result(Value),
    /// Answers the command with a recorded failure.
    Fail(Value),
    /// Behaves as a real home does.
    Usual,
    /// Drops the connection without a close frame.
    Die,
}

type Script = dyn Fn(&Value) -> Vec<Step> + Send + Sync;

/// A running server.
#[derive(Clone)]
pub(super) struct FakeServer {
    pub(super) url: String,
    shared: Arc<Shared>,
}

struct Shared {
    hello: String,
    script: Box<Script>,
    commands: Mutex<Vec<Value>>,
    /// The values that devices were set to.
    values: Mutex<HashMap<String, Value>>,
    closed: Mutex<usize>,
}

pub(super) fn version() -> Value {
    json!({"type": "version", "homeId": 2_119_630_849, "driverVersion": "15.29.0",
        "serverVersion": "3.10.2", "minSchemaVersion": 0, "maxSchemaVersion": 50})
}

impl FakeServer {
    /// A server that follows `script`.
    pub(super) async fn start(
        script: impl Fn(&Value) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        Self::greeting(version().to_string(), script).await
    }

    /// A scripted server with another first message.
    pub(super) async fn greeting(
        hello: String,
        script: impl Fn(&Value) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            url: format!("ws://{}", listener.local_addr().unwrap()),
            shared: Arc::new(Shared {
                hello,
                script: Box::new(script),
                commands: Mutex::default(),
                values: Mutex::default(),
                closed: Mutex::default(),
            }),
        };
        let shared = server.shared.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = shared.clone();
                tokio::spawn(async move { shared.serve(stream).await });
            }
        });
        server
    }

    /// A server that behaves as a real home does.
    pub(super) async fn willing() -> Self {
        Self::start(|_| vec![Step::Usual]).await
    }

    /// The number of commands with this name.
    pub(super) fn count(&self, command: &str) -> usize {
        self.commands(command).len()
    }

    /// The commands of this name.
    pub(super) fn commands(&self, command: &str) -> Vec<Value> {
        let commands = self.shared.commands.lock().unwrap();
        let of_name = commands.iter().filter(|sent| sent["command"] == command);
        of_name.cloned().collect()
    }

    /// The number of connections that were closed with a close frame.
    pub(super) fn closed(&self) -> usize {
        *self.shared.closed.lock().unwrap()
    }
}

impl Shared {
    async fn serve(&self, stream: TcpStream) {
        let config = WebSocketConfig::default();
        let Ok(mut socket) =
            tokio_tungstenite::accept_async_with_config(stream, Some(config)).await
        else {
            return;
        };
        if socket
            .send(Message::text(self.hello.clone()))
            .await
            .is_err()
        {
            return;
        }
        while let Some(Ok(message)) = socket.next().await {
            let Message::Text(text) = message else {
                if message.is_close() {
                    *self.closed.lock().unwrap() += 1;
                }
                continue;
            };
            let command: Value = serde_json::from_str(&text).unwrap();
            self.commands.lock().unwrap().push(command.clone());
            for step in (self.script)(&command) {
                let text = match step {
                    Step::Say(text) => text,
                    Step::Result(result) => answer(&command, true, &json!({"result": result})),
                    Step::Fail(fields) => answer(&command, false, &fields),
                    Step::Usual => answer(&command, true, &json!({"result": self.usual(&command)})),
                    Step::Die => return,
                };
                if socket.send(Message::text(text)).await.is_err() {
                    return;
                }
            }
        }
    }

    fn usual(&self, command: &Value) -> Value {
        let id = &command["valueId"];
        let target = id["property"].as_str().unwrap_or_default();
        let place = format!(
            "{} {} {}",
            command["nodeId"],
            id["commandClass"],
            target.replace("target", "current")
        );
        let mut values = self.values.lock().unwrap();
        match command["command"].as_str().unwrap() {
            "start_listening" => serde_json::from_str(HOME).unwrap(),
            "node.set_value" => {
                values.insert(place, command["value"].clone());
                json!({"result": {"status": 254}})
            }
            "node.poll_value" => match values.get(&place) {
                Some(value) => json!({"value": value}),
                None => json!({"value": reported(command)}),
            },
            _ => json!({}),
        }
    }
}

/// The value as in the recorded home.
fn reported(command: &Value) -> Value {
    let home: Value = serde_json::from_str(HOME).unwrap();
    let nodes = home["state"]["nodes"].as_array().unwrap();
    let node = nodes
        .iter()
        .find(|node| node["nodeId"] == command["nodeId"]);
    let values = node.unwrap()["values"].as_array().unwrap();
    let id = &command["valueId"];
    let value = values.iter().find(|value| {
        value["commandClass"] == id["commandClass"] && value["property"] == id["property"]
    });
    value.unwrap()["value"].clone()
}

fn answer(command: &Value, success: bool, fields: &Value) -> String {
    let mut message = json!({"type": "result", "success": success});
    message["messageId"] = command["messageId"].clone();
    for (key, value) in fields.as_object().unwrap() {
        message[key] = value.clone();
    }
    message.to_string()
}

/// A recorded event: a value of a node changed.
pub(super) fn updated(node: u32, (class, property): (u32, &str), value: &Value) -> Step {
    let event = json!({"source": "node", "event": "value updated", "nodeId": node, "args": {
        "commandClass": class, "endpoint": 0, "property": property, "newValue": value,
        "prevValue": null, "propertyName": property}});
    Step::Say(json!({"type": "event", "event": event}).to_string())
}

/// A recorded event about a node.
pub(super) fn happened(node: u32, what: &str) -> Step {
    let event = json!({"source": "node", "event": what, "nodeId": node});
    Step::Say(json!({"type": "event", "event": event}).to_string())
}
