//! Equal questions through the same loop with every provider's real adapter: what the tools
//! receive, what the next request contains and what the answer says must not depend on the API.
//!
//! `wires.rs` has the replies of each server, and parses the requests that it received.

#[cfg(feature = "gateway")]
mod gateway;
mod own_provider;
mod quoted;
mod recovery;
mod text;
mod tool_groups;
mod wires;

use std::sync::Arc;

use haft::types::{Emitter, ToolStatus};
use haft::{Agent, Answer, Message, Outcome, ToolError};
use haft_testing::{ScriptedServer, SpyTool};
use serde_json::{Value, json};

use self::wires::{Said, WIRES, Wire};

/// The calls of a scripted reply: id, name, arguments.
type Calls<'a> = &'a [(&'a str, &'a str, Value)];

/// A server that first makes `calls` and then says "done", and the spy that gets the calls.
struct Scene {
    wire: &'static Wire,
    server: ScriptedServer,
    tool: Arc<SpyTool>,
    agent: Agent,
}

impl Scene {
    async fn new(wire: &'static Wire, streamed: bool, calls: Calls<'_>) -> Self {
        let said = [
            Said {
                text: "Let me look.",
                calls,
            },
            Said {
                text: "done",
                calls: &[],
            },
        ];
        let replies = said.iter().map(|said| (wire.reply)(streamed, said));
        let server = ScriptedServer::start(replies).await;
        let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
        let tool = Arc::new(
            SpyTool::new("get_weather", |args| {
                match args.get("city").and_then(Value::as_str) {
                    Some("Atlantis") => Err(ToolError::new("boom")),
                    Some(city) => Ok(format!("21 degrees in {city}").into()),
                    None => Ok(json!({"degrees": 21}).into()),
                }
            })
            .with_schema(schema),
        );
        let agent = Agent::builder()
            .model((wire.model)(server.url(), streamed))
            .system("Be brief.")
            .tools([tool.clone() as Arc<dyn haft::Tool>])
            .build()
            .await
            .unwrap();
        Self {
            wire,
            server,
            tool,
            agent,
        }
    }

    async fn ask(&self) -> Answer {
        self.agent.ask("Do I need a coat?").await.unwrap()
    }

    /// Role, text, calls and answered id of each message in the last request.
    fn last_request(&self) -> Vec<wires::Sent> {
        (self.wire.sent)(&self.server.requests().pop().unwrap().body)
    }
}

/// Runs `test` on every wire, streamed and in one piece.
async fn on_every_wire<F, B>(calls: Calls<'_>, test: F)
where
    F: Fn(Scene) -> B,
    B: Future<Output = ()>,
{
    for wire in WIRES {
        for streamed in [true, false] {
            println!("{} streamed: {streamed}", wire.name);
            test(Scene::new(wire, streamed, calls).await).await;
        }
    }
}

#[tokio::test]
async fn s000_r1_every_client_runs_calls_through_the_executor_and_the_same_loop() {
    let oslo = json!({"city": "Oslo"});
    on_every_wire(&[("call_1", "get_weather", oslo)], async |scene| {
        let answer = scene.ask().await;
        assert_eq!(scene.tool.seen().len(), 1);
        assert_eq!(scene.tool.seen()[0].input["city"], "Oslo");
        assert_eq!(
            (answer.text.as_str(), answer.outcome),
            ("done", Outcome::Answered)
        );
        assert_eq!((answer.rounds, scene.server.requests().len()), (2, 2));
    })
    .await;
}

#[tokio::test]
async fn s000_02_the_second_request_holds_history_calls_and_results_in_order() {
    let calls = [
        ("call_1", "get_weather", json!({"city": "Oslo"})),
        ("call_2", "get_weather", json!({"city": "Lima"})),
    ];
    on_every_wire(&calls, async |scene| {
        scene.ask().await;
        let sent = scene.last_request();
        let roles: Vec<_> = sent.iter().map(|message| message.role.as_str()).collect();
        assert_eq!(roles, ["system", "user", "assistant", "tool", "tool"]);
        assert_eq!(sent[2].text, "Let me look.");
        assert_eq!(
            sent[2].calls[1],
            ("get_weather".to_owned(), json!({"city": "Lima"}))
        );
        assert_eq!(sent[3].text, "21 degrees in Oslo");
        assert_eq!(sent[4].text, "21 degrees in Lima");
        if scene.wire.has_ids {
            assert_eq!(
                (sent[3].answers.as_str(), sent[4].answers.as_str()),
                ("call_1", "call_2")
            );
        }
    })
    .await;
}

#[tokio::test]
async fn s000_06_calls_are_a_plain_list_on_the_message() {
    let calls = [
        ("call_1", "get_weather", json!({"city": "Oslo"})),
        ("call_2", "get_weather", json!({})),
    ];
    on_every_wire(&calls, async |scene| {
        let answer = scene.ask().await;
        let Message::Ai(asked) = &answer.messages[2] else {
            panic!("{:?}", answer.messages)
        };
        assert_eq!(asked.tool_calls.len(), 2);
        assert_eq!(asked.tool_calls[0].name, "get_weather");
        assert_eq!(
            Value::Object(asked.tool_calls[0].args.clone()),
            json!({"city": "Oslo"})
        );
        assert!(asked.tool_calls.iter().all(|call| !call.id.is_empty()));
        assert_ne!(asked.tool_calls[0].id, asked.tool_calls[1].id);
        // The second call had no city: an object came back, as JSON text.
        let results = scene.last_request();
        assert_eq!(results[4].text, "{\"degrees\":21}");
    })
    .await;
}

#[tokio::test]
async fn s000_10_and_11_failures_reach_the_model_and_the_question_goes_on() {
    let calls = [
        ("call_1", "get_weather", json!({"city": "Atlantis"})),
        ("call_2", "read_mind", json!({})),
        ("call_3", "get_weather", json!({"city": "Oslo"})),
    ];
    on_every_wire(&calls, async |scene| {
        let answer = scene.ask().await;
        let texts: Vec<_> = scene
            .last_request()
            .into_iter()
            .map(|message| message.text)
            .collect();
        assert_eq!(
            texts[3..],
            [
                "Error: boom",
                "Error: Unknown tool \"read_mind\"",
                "21 degrees in Oslo"
            ]
        );
        assert_eq!(answer.text, "done");
    })
    .await;
}

#[tokio::test]
async fn s000_12_calls_that_share_an_id_are_answered_by_position() {
    let calls = [
        ("same", "get_weather", json!({"city": "Oslo"})),
        ("same", "get_weather", json!({"city": "Lima"})),
    ];
    on_every_wire(&calls, async |scene| {
        scene.ask().await;
        let sent = scene.last_request();
        assert_eq!(sent[3].text, "21 degrees in Oslo");
        assert_eq!(sent[4].text, "21 degrees in Lima");
        if scene.wire.has_ids {
            assert_ne!(sent[3].answers, sent[4].answers);
        }
    })
    .await;
}

#[tokio::test]
async fn s001_08_the_tools_are_the_same_after_every_provider_had_them() {
    let call = [("call_1", "get_weather", json!({"city": "Oslo"}))];
    on_every_wire(&call, async |scene| {
        let tool = scene.agent.executor().tools().get_tools()[0].clone();
        let before = (
            tool.name().to_owned(),
            tool.description().to_owned(),
            tool.schema().clone(),
        );
        scene.ask().await;
        let after = (
            tool.name().to_owned(),
            tool.description().to_owned(),
            tool.schema().clone(),
        );
        assert_eq!(before, after);
        assert!(Arc::ptr_eq(
            &tool,
            &scene.agent.executor().tools().get_tools()[0]
        ));
    })
    .await;
}

#[tokio::test]
async fn the_last_round_offers_no_tools() {
    for wire in WIRES {
        let call = [("call_1", "get_weather", json!({"city": "Oslo"}))];
        let said = [
            Said {
                text: "",
                calls: &call,
            },
            Said {
                text: "what I have",
                calls: &[],
            },
        ];
        let server = ScriptedServer::start(said.iter().map(|said| (wire.reply)(true, said))).await;
        let tool = Arc::new(SpyTool::new("get_weather", |_| Ok("21".into())));
        let agent = Agent::builder()
            .model((wire.model)(server.url(), true))
            .tools([tool as Arc<dyn haft::Tool>])
            .max_rounds(2)
            .build()
            .await
            .unwrap();
        assert_eq!(
            agent.ask("go").await.unwrap().text,
            "what I have",
            "{}",
            wire.name
        );
        assert!((wire.may_call)(&server.requests()[0].body), "{}", wire.name);
        assert!(
            !(wire.may_call)(&server.requests()[1].body),
            "{}",
            wire.name
        );
    }
}

#[tokio::test]
async fn s000_r3_a_question_over_a_silent_executor_still_answers_every_call() {
    // The executor without anybody who watches gives the same messages as within the loop.
    let call = [("call_1", "get_weather", json!({"city": "Atlantis"}))];
    on_every_wire(&call, async |scene| {
        let answer = scene.ask().await;
        let Message::Ai(asked) = &answer.messages[2] else {
            panic!("{:?}", answer.messages)
        };
        let alone = scene
            .agent
            .executor()
            .run_round(asked, &Emitter::silent())
            .await;
        assert_eq!(Message::Tool(alone[0].clone()), answer.messages[3]);
        assert_eq!(alone[0].status, ToolStatus::Error);
    })
    .await;
}
