//! Where the conversation stands: what was asked last, and what was called since.

use haft_core::{Message, ToolCall, ToolMessage};
use serde_json::Value;

use super::assist::Home;
use super::catalog::Wanted;

/// The current turn, from the last message of the user on.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    pub(super) text: String,
    pub(super) has_pictures: bool,
    /// How often tools were called in this turn.
    pub(super) rounds: usize,
    /// How many calls the whole conversation holds; new ids count on from here.
    pub(super) calls_before: usize,
    /// The home that the client lists in the system prompt, or that was asked for in this turn.
    pub(super) home: Option<Home>,
    /// How many calls the first round had.
    calls_at_first: usize,
    /// Whether the first round did nothing but ask for the home.
    began_with_home: bool,
    calls: Vec<MadeCall>,
}

/// A call of this turn, and its result if there is one.
#[derive(Clone, Debug)]
struct MadeCall {
    call: ToolCall,
    result: Option<ToolMessage>,
}

impl Progress {
    pub(super) fn of(messages: &[Message]) -> Self {
        let mut turn = Self::default();
        for message in messages {
            match message {
                Message::System(_) => {}
                Message::Human(human) => {
                    turn = Self {
                        text: human.content.text(),
                        has_pictures: human.content.images().next().is_some(),
                        calls_before: turn.calls_before,
                        ..Self::default()
                    };
                }
                Message::Ai(reply) => {
                    if turn.rounds == 0 {
                        turn.calls_at_first = reply.tool_calls.len();
                    }
                    turn.rounds += usize::from(!reply.tool_calls.is_empty());
                    turn.calls_before += reply.tool_calls.len();
                    let calls = reply.tool_calls.iter().cloned();
                    turn.calls
                        .extend(calls.map(|call| MadeCall { call, result: None }));
                }
                Message::Tool(result) => {
                    let open = turn
                        .calls
                        .iter_mut()
                        .find(|made| made.call.id == result.tool_call_id && made.result.is_none());
                    if let Some(made) = open {
                        made.result = Some(result.clone());
                    }
                }
            }
        }
        turn.home = Home::of(messages);
        if turn.home.is_none() {
            turn.home = turn.told_home();
            turn.began_with_home = turn.home.is_some();
        }
        turn
    }

    /// True while calls that depend on no other result are made.
    pub(super) fn is_beginning(&self) -> bool {
        self.rounds == 0 || (self.rounds == 1 && self.began_with_home)
    }

    /// The home as Home Assistant reported it in this turn, where nothing else was called.
    fn told_home(&self) -> Option<Home> {
        let is_listing = |call: &ToolCall| call.name.ends_with("GetLiveContext");
        let MadeCall { call, result } = self.calls.first()?;
        let is_alone = self.calls_at_first == 1 && is_listing(call);
        let result = result.as_ref().filter(|_| is_alone)?;
        let text = result.content.text();
        let json = serde_json::from_str::<Value>(&text).ok();
        let listed = json.as_ref().and_then(|json| json.get("result")?.as_str());
        Home::read(listed.unwrap_or(&text))
    }

    /// True when this very call was made in this turn.
    pub(super) fn has_called(&self, wanted: &Wanted) -> bool {
        self.calls.iter().any(|made| made.is(wanted))
    }

    /// The result of this very call.
    pub(super) fn result(&self, wanted: &Wanted) -> Option<&ToolMessage> {
        let made = self.calls.iter().find(|made| made.is(wanted))?;
        made.result.as_ref()
    }

    /// All results in the order of their calls.
    pub(super) fn results(&self) -> impl Iterator<Item = &ToolMessage> {
        self.calls.iter().filter_map(|made| made.result.as_ref())
    }
}

impl MadeCall {
    fn is(&self, wanted: &Wanted) -> bool {
        self.call.name == wanted.tool && self.call.args == wanted.arguments
    }
}
