//! Models that write their calls as text, through the loop: what a tool receives, which error the
//! model reads about an invalid call, and what the user sees.

use std::sync::Arc;

use haft::models::{ChatOllama, ChatOpenAi, ToolMode};
use haft::types::ToolStatus;
use haft::{Agent, Answer, ChatModel, Message, Outcome, Tool};
use haft_testing::{Reply, ScriptedServer, SpyTool};
use serde_json::{Value, json};

use super::wires::{Said, WIRES, Wire};

/// A model in text mode, its tool, and its server.
struct Scene {
    server: ScriptedServer,
    tool: Arc<SpyTool>,
    agent: Agent,
}

impl Scene {
    async fn new(model: fn(&str) -> Arc<dyn ChatModel>, replies: Vec<Reply>) -> Self {
        let server = ScriptedServer::start(replies).await;
        let schema = json!({"type": "object", "properties": {
            "query": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["query"]});
        let tool = SpyTool::new("SearchDatabase", |_| Ok("two rows".into())).with_schema(schema);
        let tool = Arc::new(tool);
        let agent = Agent::builder()
            .model(model(server.url()))
            .tools([tool.clone() as Arc<dyn Tool>])
            .build()
            .await
            .unwrap();
        Self {
            server,
            tool,
            agent,
        }
    }

    async fn ask(&self) -> Answer {
        self.agent.ask("Look it up").await.unwrap()
    }
}

fn ollama(url: &str) -> Arc<dyn ChatModel> {
    Arc::new(ChatOllama::new("tiny").base_url(url))
}

fn ollama_text(url: &str) -> Arc<dyn ChatModel> {
    Arc::new(
        ChatOllama::new("tiny")
            .base_url(url)
            .tool_mode(ToolMode::Text),
    )
}

fn openai(url: &str) -> Arc<dyn ChatModel> {
    Arc::new(ChatOpenAi::new("tiny").base_url(format!("{url}/v1")))
}

fn wire(name: &str) -> &'static Wire {
    WIRES.iter().find(|wire| wire.name == name).unwrap()
}

fn says(wire_name: &str, text: &str) -> Reply {
    (wire(wire_name).reply)(true, &Said { text, calls: &[] })
}

const PROSE: &str =
    "I will look.\nSearchDatabase(query=\"machine learning\", limit=5)\nOne moment.";

#[tokio::test]
async fn s004_22_ollama_prose_with_a_call_runs_it() {
    for model in [ollama, ollama_text] {
        let replies = vec![says("ollama", PROSE), says("ollama", "Found.")];
        let scene = Scene::new(model, replies).await;
        let answer = scene.ask().await;
        let given = Value::Object(scene.tool.seen()[0].input.clone());
        assert_eq!(given, json!({"query": "machine learning", "limit": 5}));
        assert_eq!((answer.text.as_str(), answer.rounds), ("Found.", 2));
        let Message::Ai(asked) = &answer.messages[1] else {
            panic!("{:?}", answer.messages)
        };
        assert_eq!(asked.tool_calls[0].id, "SearchDatabase_0");
        assert!(!asked.content.text().contains("SearchDatabase("));
    }
}

#[tokio::test]
async fn s004_22_openai_native_and_text_end_alike() {
    let arguments = json!({"query": "machine learning", "limit": 5});
    let native = Said {
        text: "",
        calls: &[("call_xyz123", "SearchDatabase", arguments.clone())],
    };
    for (first, id) in [
        ((wire("openai").reply)(true, &native), "call_xyz123"),
        (says("openai", PROSE), "SearchDatabase_0"),
    ] {
        let scene = Scene::new(openai, vec![first, says("openai", "Found.")]).await;
        let answer = scene.ask().await;
        assert_eq!(Value::Object(scene.tool.seen()[0].input.clone()), arguments);
        let Message::Tool(result) = &answer.messages[2] else {
            panic!("{:?}", answer.messages)
        };
        assert_eq!(
            (result.tool_call_id.as_str(), answer.text.as_str()),
            (id, "Found.")
        );
        let sent = (wire("openai").sent)(&scene.server.requests()[1].body);
        assert_eq!(sent.last().unwrap().answers, id);
    }
}

#[tokio::test]
async fn s004_20_arguments_of_text_are_checked_before_the_tool_runs() {
    for model in [ollama, ollama_text] {
        let replies = vec![
            says("ollama", "SearchDatabase(limit=5)"),
            says("ollama", "SearchDatabase(query=\"x\", limit=\"7\")"),
            says("ollama", "Found."),
        ];
        let scene = Scene::new(model, replies).await;
        let answer = scene.ask().await;
        let Message::Tool(refused) = &answer.messages[2] else {
            panic!("{:?}", answer.messages)
        };
        assert_eq!(refused.status, ToolStatus::Error);
        let error = refused.content.text();
        assert!(
            error.starts_with("Error: ") && error.contains("query"),
            "{error}"
        );
        // With the error, the model repairs its call; haft repairs the rest.
        assert_eq!(scene.tool.seen().len(), 1);
        let given = Value::Object(scene.tool.seen()[0].input.clone());
        assert_eq!(given, json!({"query": "x", "limit": 7}));
        assert_eq!((answer.text.as_str(), answer.rounds), ("Found.", 3));
        let second = &(wire("ollama").sent)(&scene.server.requests()[1].body);
        assert!(second.last().unwrap().text.contains("query"), "{second:?}");
    }
}

#[tokio::test]
async fn the_markup_of_a_call_in_the_last_round_is_no_answer() {
    let replies = vec![says("ollama", PROSE)];
    let server = ScriptedServer::start(replies).await;
    let tool = SpyTool::new("SearchDatabase", |_| Ok("two rows".into()));
    let agent = Agent::builder()
        .model(ollama_text(server.url()))
        .tools([Arc::new(tool) as Arc<dyn Tool>])
        .max_rounds(1)
        .build()
        .await
        .unwrap();
    let answer = agent.ask("Look it up").await.unwrap();
    assert!(!answer.text.contains("SearchDatabase("), "{}", answer.text);
    assert_eq!(answer.outcome, Outcome::Answered);
}
