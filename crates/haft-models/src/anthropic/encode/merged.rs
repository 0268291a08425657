//! Merges what is encoded into alternating turns.

use super::super::wire::{Block, InputMessage, Role, Text};

/// The turns encoded so far.
#[derive(Default)]
pub(super) struct Turns(Vec<(Role, Vec<Block>)>);

impl Turns {
    /// Appends to the last turn if the role is equal, else starts a new one. Empty turns are
    /// omitted.
    pub(super) fn push(&mut self, role: Role, blocks: Vec<Block>) {
        if blocks.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some((last, said)) if *last == role => said.extend(blocks),
            _ => self.0.push((role, blocks)),
        }
    }

    /// The turns as messages, each result where its call asks for it.
    pub(super) fn finish(mut self) -> Vec<InputMessage> {
        let mut asked: Vec<String> = Vec::new();
        for (role, blocks) in &mut self.0 {
            if *role == Role::Assistant {
                asked = blocks.iter().filter_map(call_id).collect();
            } else {
                blocks.sort_by_key(|block| place(block, &asked));
            }
        }
        if let Some((Role::Assistant, blocks)) = self.0.last_mut()
            && let Some(Block::Text { text }) = blocks.last_mut()
        {
            // The API's error: "final assistant content cannot end with trailing whitespace"
            text.truncate(text.trim_end().len());
        }
        let message = |(role, blocks)| InputMessage {
            role,
            content: Text::Blocks(blocks),
        };
        self.0.into_iter().map(message).collect()
    }
}

fn call_id(block: &Block) -> Option<String> {
    match block {
        Block::ToolUse { id, .. } => Some(id.clone()),
        _ => None,
    }
}

/// The sort key of a block: tool results first, in the order of the calls; other blocks keep their
/// order.
fn place(block: &Block, asked: &[String]) -> (bool, usize) {
    match block {
        Block::ToolResult { tool_use_id, .. } => {
            let position = asked.iter().position(|id| id == tool_use_id);
            (false, position.unwrap_or(asked.len()))
        }
        _ => (true, 0),
    }
}
