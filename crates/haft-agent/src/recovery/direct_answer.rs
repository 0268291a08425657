//! A request for a direct answer, which the steps for empty replies share.

use haft_core::{AiMessage, CallOptions, Message, ToolChoice};

use super::context::{RecoveryContext, Retried};
use super::situation::{Need, Situation};
use crate::model_requests::without_calls;

/// The guidance of the request; part of the specified behaviour.
const GUIDANCE: &str = "Answer the question directly without calling any tools";

/// Asks again with these options, without tools and with the guidance. Returns a reply that has
/// text; calls in it are ignored.
pub(super) async fn ask_directly(
    need: Need<'_>,
    options: CallOptions,
    context: &mut RecoveryContext<'_>,
) -> Option<AiMessage> {
    let Situation::Reply { request, .. } = need.situation else {
        return None;
    };
    let mut request = request.with_options(CallOptions {
        tool_choice: ToolChoice::None,
        ..options
    });
    guide(&mut request.messages);
    let retried = context.ask_again(need, request, |reply| !reply.content.is_blank());
    match retried.await {
        Retried::Helped(reply) => Some(without_calls(reply)),
        _ => None,
    }
}

/// Adds the guidance to the system message: many chat templates take only one system message, at
/// the beginning.
fn guide(messages: &mut Vec<Message>) {
    match messages.first_mut() {
        Some(Message::System(system)) => system.content.push_paragraph(GUIDANCE),
        _ => messages.insert(0, Message::system(GUIDANCE)),
    }
}
