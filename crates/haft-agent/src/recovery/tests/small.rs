//! Small models that choose tools by themselves: few tools and short first replies.

use super::*;
use async_trait::async_trait;
use haft_core::ChatModel;

/// A scripted model under a name that states its size.
#[derive(Debug)]
struct Sized(Arc<dyn ChatModel>);

#[async_trait]
impl ChatModel for Sized {
    fn id(&self) -> &'static str {
        "openai:tiny-1b"
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self(self.0.bind_tools(tools)?)))
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> haft_core::ChatStream {
        self.0.stream(messages, options)
    }
}

fn small_agent(model: &ScriptedModel, tools: &[Arc<SpyTool>]) -> Agent {
    let mut manager = ToolManager::new();
    for tool in tools {
        manager.add(tool.clone() as Arc<dyn Tool>).unwrap();
    }
    let model = Arc::new(Sized(Arc::new(model.clone())));
    Agent::new(model, ToolExecutor::new(manager), with_due(true)).unwrap()
}

#[tokio::test]
async fn the_first_reply_is_short_where_a_call_is_due() {
    let model = ScriptedModel::saying([oslo(), says("Sunny.")]);
    let agent = small_agent(&model, &[weather()]);
    agent.ask("Weather in Oslo?").await.unwrap();
    let limits = model.requests();
    let limits = limits.iter().map(|r| r.options.generation.max_tokens);
    assert_eq!(limits.collect::<Vec<_>>(), [Some(256), None]);
}

#[tokio::test]
async fn a_long_call_that_the_limit_cut_is_asked_for_with_more_tokens() {
    let cut = AiMessage {
        stop_reason: Some(StopReason::MaxTokens),
        ..says("get_weather(city=\"Oslo")
    };
    // The constrained call is cut, too.
    let model = ScriptedModel::saying([cut.clone(), cut, oslo(), says("Sunny.")]);
    let tool = weather();
    let agent = small_agent(&model, slice::from_ref(&tool));
    let answer = agent.ask("Weather in Oslo?").await.unwrap();
    let step = RecoveryStep::RaiseMaxTokens;
    assert_eq!(answer.outcome, Outcome::Recovered(step));
    assert!(model.requests()[2].options.raise_max_tokens);
    assert_eq!(tool.seen().len(), 1);
}

#[tokio::test]
async fn few_tools_are_offered_even_of_a_small_set() {
    let names = [
        "get_weather",
        "send_mail",
        "play_song",
        "read_file",
        "add_note",
        "buy_ticket",
    ];
    let tools = names.map(|name| Arc::new(SpyTool::new(name, |_| Ok("ok".into()))));
    let model = ScriptedModel::saying([says("Hm.")]);
    small_agent(&model, &tools)
        .ask("What will the weather be?")
        .await
        .unwrap();
    let offered = model.requests()[0].tools.clone();
    assert!(offered.contains(&"get_weather".to_owned()), "{offered:?}");
    assert!(offered.len() < names.len(), "{offered:?}");
    // A larger model gets all.
    let model = ScriptedModel::saying([says("Hm.")]);
    agent(&model, &tools, AgentOptions::default())
        .ask("What will the weather be?")
        .await
        .unwrap();
    assert_eq!(model.requests()[0].tools.len(), names.len());
}
