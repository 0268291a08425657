//! The simulated model: replies to a request with the probabilities of its profile.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Content, ContentBlock, Message,
    ModelError, StopReason, Tool, ToolCall, ToolChoice, ToolMessage, ToolStatus, Usage,
    estimated_tokens,
};
use haft_extract::{ExtractOptions, ToolSet, extract};

use super::profile::{Failure, Sourced};
use super::turn::Turn;
use super::{Flaky, fault_injection};
use crate::case::Case;
use crate::statistics::Random;

/// The text of a normal answer.
const TEXT: &str = "This is the answer to the question.";

/// The text written instead of an expected call.
const PROSE: &str = "I would be glad to help with that. Let me know if you want me to go on.";

/// Part of the note that haft adds to the result of a repeated call.
const NOTE: &str = "The same call was made before";

#[derive(Clone, Debug)]
pub(super) struct FlakyModel {
    flaky: Flaky,
    id: String,
    case: Arc<Case>,
    tools: Vec<Arc<dyn Tool>>,
}

impl FlakyModel {
    pub(super) fn new(flaky: Flaky, case: Case) -> Self {
        Self {
            id: flaky.to_string(),
            flaky,
            case: Arc::new(case),
            tools: Vec::new(),
        }
    }

    fn reply(&self, messages: &[Message], options: &CallOptions) -> AiMessage {
        let behaviour = self.flaky.behaviour();
        let turn = Turn::of(messages);
        let place = turn.replies.len();
        if options.tool_choice == ToolChoice::None || self.tools.is_empty() {
            let is_question = self.tools.is_empty() && place == 0 && !self.case.wants_calls();
            let is_guided = matches!(messages.first(), Some(Message::System(_)));
            return match is_question {
                true => self.first("first"),
                false => {
                    let purpose = if is_guided { "guided" } else { "direct" };
                    self.or_empty(&behaviour.direct_text, purpose, text(TEXT))
                }
            };
        }
        if options.tool_choice == ToolChoice::OneOrNone {
            return self.constrained();
        }
        if options.raise_max_tokens {
            return self.or_empty(&behaviour.room_right, "room", self.right());
        }
        let failed = |result: &&ToolMessage| result.status == ToolStatus::Error;
        match turn.replies.last() {
            None => self.first("first"),
            Some(last) if turn.results.iter().any(failed) => self.after_error(last, place),
            Some(last) => self.after_results(last, &turn),
        }
    }

    /// The reply to the question itself.
    fn first(&self, purpose: &str) -> AiMessage {
        let profile = self.flaky.profile();
        let failures = match self.case.wants_calls() {
            true => &profile.call,
            false => &profile.no_call,
        };
        let mut random = self.random(purpose);
        let mut drawn = random.share();
        let failure = failures.iter().find(|(_, sourced)| {
            drawn -= sourced.share;
            drawn < 0.0
        });
        match failure {
            None => self.right(),
            Some((failure, _)) => self.failing(*failure, &mut random),
        }
    }

    fn failing(&self, failure: Failure, random: &mut Random) -> AiMessage {
        let right = fault_injection::right(&self.case, &self.tools);
        match failure {
            Failure::Prose => text(PROSE),
            Failure::Blank => AiMessage::default(),
            Failure::ThinkingOnly => reasoning_only(StopReason::EndTurn),
            Failure::OutOfRoom => AiMessage {
                stop_reason: Some(StopReason::MaxTokens),
                ..AiMessage::default()
            },
            Failure::DamagedText => self.read(&fault_injection::as_damaged_text(&right, random)),
            Failure::WrongTypes => calling(fault_injection::with_wrong_types(right)),
            Failure::MissingArgument => {
                calling(fault_injection::without_an_argument(right, &self.tools))
            }
            Failure::InventedTool => calling(fault_injection::of_an_invented_tool(right)),
            Failure::WrongValue => calling(fault_injection::with_a_wrong_value(right, &self.tools)),
            Failure::UnneededCall => calling(fault_injection::unneeded(&self.tools)),
            Failure::SameCall => self.right(),
        }
    }

    /// The correct reply: the expected calls, or a text if none are expected.
    fn right(&self) -> AiMessage {
        calling(fault_injection::right(&self.case, &self.tools))
    }

    /// A reply limited to one call or none.
    fn constrained(&self) -> AiMessage {
        let behaviour = self.flaky.behaviour();
        let drawn = self.random("constrained").share();
        if !self.case.wants_calls() {
            let calls = match drawn < behaviour.constrained_eager.share {
                true => fault_injection::unneeded(&self.tools),
                false => Vec::new(),
            };
            return AiMessage::default().with_tool_calls(calls);
        }
        // One schema holds one call, so only the first of several expected calls is made.
        let mut right = fault_injection::right(&self.case, &self.tools);
        right.truncate(1);
        let right_share = behaviour.constrained_right.share;
        let calls = if drawn < right_share {
            right
        } else if drawn < right_share + behaviour.constrained_wrong.share {
            fault_injection::with_a_wrong_value(right, &self.tools)
        } else {
            Vec::new()
        };
        AiMessage::default().with_tool_calls(calls)
    }

    fn after_error(&self, last: &AiMessage, place: usize) -> AiMessage {
        let behaviour = self.flaky.behaviour();
        let drawn = self.random(&format!("error {place}")).share();
        if drawn < behaviour.error_right.share {
            self.right()
        } else if drawn < behaviour.error_right.share + behaviour.error_text.share {
            text(PROSE)
        } else {
            again(last)
        }
    }

    fn after_results(&self, last: &AiMessage, turn: &Turn<'_>) -> AiMessage {
        let behaviour = self.flaky.behaviour();
        let place = turn.replies.len();
        let noted = turn
            .results
            .iter()
            .any(|result| result.content.text().contains(NOTE));
        let drawn = self.random(&format!("results {place}")).share();
        let repeats = match (place, turn.repeats(last)) {
            (1, _) => {
                let same = self.flaky.profile().after_result.get(&Failure::SameCall);
                same.is_some_and(|same| drawn < same.share)
            }
            (_, false) => false,
            (_, true) if noted => drawn >= behaviour.note_stops.share,
            (_, true) => drawn >= behaviour.alone_stops.share,
        };
        // The call that did not fit into a constrained reply.
        let rest = self.still_due(turn);
        match (repeats, rest.is_empty()) {
            (true, _) => again(last),
            (false, false) => calling(rest),
            (false, true) => text(TEXT),
        }
    }

    /// Expected calls that are still missing, if all calls so far are correct.
    fn still_due(&self, turn: &Turn<'_>) -> Vec<ToolCall> {
        let is_made = |call: &ToolCall| {
            let mut made = turn.replies.iter().flat_map(|reply| &reply.tool_calls);
            made.any(|made| made.name == call.name && made.args == call.args)
        };
        let right = fault_injection::right(&self.case, &self.tools);
        match right.iter().any(is_made) {
            true => right.into_iter().filter(|call| !is_made(call)).collect(),
            false => Vec::new(),
        }
    }

    fn or_empty(&self, sourced: &Sourced, purpose: &str, reply: AiMessage) -> AiMessage {
        match self.random(purpose).share() < sourced.share {
            true => reply,
            false => AiMessage::default(),
        }
    }

    /// A text reply, with its calls extracted as a provider does.
    fn read(&self, reply: &str) -> AiMessage {
        let found = extract(&ToolSet::new(&self.tools), ExtractOptions::default(), reply);
        AiMessage {
            invalid_tool_calls: found.invalid,
            ..AiMessage::new(found.content).with_tool_calls(found.calls)
        }
    }

    /// A generator that depends on the seed, the case and `purpose` alone.
    fn random(&self, purpose: &str) -> Random {
        let seed = self.flaky.seed.to_le_bytes();
        let parts = [&seed[..], self.case.id.as_bytes(), &[0], purpose.as_bytes()];
        let bytes = parts.into_iter().flatten();
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Random::new(hash)
    }
}

fn text(text: &str) -> AiMessage {
    AiMessage::new(text)
}

fn calling(calls: Vec<ToolCall>) -> AiMessage {
    match calls.is_empty() {
        true => text(TEXT),
        false => AiMessage::default().with_tool_calls(calls),
    }
}

fn again(last: &AiMessage) -> AiMessage {
    AiMessage {
        usage: None,
        stop_reason: None,
        ..last.clone()
    }
}

fn reasoning_only(stop_reason: StopReason) -> AiMessage {
    let thinking = ContentBlock::Thinking {
        thinking: "The user wants something. Let me think about the tools.".to_owned(),
        signature: None,
    };
    AiMessage {
        stop_reason: Some(stop_reason),
        ..AiMessage::new(Content::Blocks(vec![thinking]))
    }
}

/// Estimated usage: without a model there is no tokenizer.
fn usage(messages: &[Message], tools: &[Arc<dyn Tool>], reply: &AiMessage) -> Usage {
    let of_message = |message: &Message| {
        serde_json::to_string(message).map_or(0, |json| estimated_tokens(&json))
    };
    let of_tool = |tool: &Arc<dyn Tool>| {
        estimated_tokens(tool.name())
            + estimated_tokens(tool.description())
            + estimated_tokens(&tool.schema().to_string())
    };
    Usage {
        input_tokens: messages.iter().map(of_message).sum::<u64>()
            + tools.iter().map(of_tool).sum::<u64>(),
        output_tokens: of_message(&Message::Ai(reply.clone())),
        cached_input_tokens: 0,
    }
}

#[async_trait]
impl ChatModel for FlakyModel {
    fn id(&self) -> &str {
        &self.id
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self {
            tools: tools.to_vec(),
            ..self.clone()
        }))
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let mut reply = self.reply(messages, options);
        let offered: &[Arc<dyn Tool>] = match options.tool_choice {
            ToolChoice::None => &[],
            _ => &self.tools,
        };
        reply.usage = Some(usage(messages, offered, &reply));
        let said = reply.content.text();
        let said = (!said.is_empty()).then_some(Ok(ChatChunk::Text(said)));
        let done = [Ok(ChatChunk::Done(reply))];
        stream::iter(said.into_iter().chain(done)).boxed()
    }
}
