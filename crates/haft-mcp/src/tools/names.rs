//! One name per tool, fit for every model's API, whatever the servers call theirs.
//!
//! The result is a table: a tool knows the name that it has here and the one that its server
//! knows, and no name is ever taken apart again. Where names collide, every one of them gets its
//! server's name before it, and a piece of a hash behind it where that is not enough. Numbering
//! the later one would make a name depend on which server was quicker or came first. A name
//! still depends on which servers there are: alone, a tool has its plain name.
//!
//! Names collide where they are the same, and, between servers and with tools of ours, where they
//! look the same: in other case, with other separators, with letters of another alphabet. So no
//! server can put a tool in the place of another one's.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use haft_core::Tool;

use crate::left_out::{LeftOutReason, McpLeftOut};
use crate::look_alikes::latin;
use crate::tools::origin::Origin;
use crate::tools::tool::McpTool;
use haft_tools::without_unseen;

/// Model APIs take `^[a-zA-Z0-9_-]{1,64}$` (the API references of OpenAI and Anthropic).
const MAX_LENGTH: usize = 64;

/// Names of haft's own tools, which no server gets even where they are not in use.
const RESERVED: [&str; 3] = ["get_current_datetime", "search_tools", "search_web"];

/// Tools that got a name, and those for which there was none.
pub(crate) struct Named {
    /// In the order of the tools that were to be named.
    pub(crate) tools: Vec<Arc<McpTool>>,
    pub(crate) left_out: Vec<McpLeftOut>,
}

/// Gives `tools` unique names, for none of which a tool of the names `taken` could be mistaken.
pub(crate) fn unique(tools: &[Arc<McpTool>], taken: &[&str]) -> Named {
    let known: Vec<_> = tools.iter().map(|tool| tool.origin()).collect();
    let mut left_out = Vec::new();
    let named = tools.iter().zip(assign(&known, taken));
    let named = named.filter_map(|(tool, name)| {
        let Some(name) = name else {
            let Origin { server, tool } = tool.origin();
            tracing::warn!(server, tool, "MCP tool left out: its name is taken");
            left_out.push(McpLeftOut::tool(server, tool, LeftOutReason::NameTaken));
            return None;
        };
        Some(if name == tool.name() {
            Arc::clone(tool)
        } else {
            Arc::new(tool.named(name))
        })
    });
    Named {
        tools: named.collect(),
        left_out,
    }
}

/// A name for each tool.
fn assign(tools: &[Origin<'_>], taken: &[&str]) -> Vec<Option<String>> {
    let taken: HashSet<String> = taken
        .iter()
        .chain(&RESERVED)
        .map(|name| likeness(name))
        .collect();
    let mut forms = vec![Form::Plain; tools.len()];
    loop {
        let names: Vec<String> = tools
            .iter()
            .zip(&forms)
            .map(|(origin, form)| form.name(*origin))
            .collect();
        let colliding = colliding(tools, &names, &taken);
        let mut changed = false;
        for (form, _) in forms
            .iter_mut()
            .zip(&colliding)
            .filter(|(_, collides)| **collides)
        {
            changed |= form.lengthen();
        }
        if !changed {
            let named = names.into_iter().zip(colliding);
            return named
                .map(|(name, collides)| (!collides).then_some(name))
                .collect();
        }
    }
}

/// Which of the names could be taken for another one.
fn colliding(tools: &[Origin<'_>], names: &[String], taken: &HashSet<String>) -> Vec<bool> {
    let likenesses: Vec<String> = names.iter().map(|name| likeness(name)).collect();
    // How many servers have a name that looks like this, and how many tools this very name.
    let mut servers: HashMap<&str, HashSet<&str>> = HashMap::new();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for ((likeness, name), Origin { server, .. }) in likenesses.iter().zip(names).zip(tools) {
        servers.entry(likeness).or_default().insert(server);
        *uses.entry(name).or_default() += 1;
    }
    let collides = |(likeness, name): (&String, &String)| {
        taken.contains(likeness)
            || servers
                .get(likeness.as_str())
                .is_some_and(|servers| servers.len() > 1)
            || uses.get(name.as_str()).is_some_and(|uses| *uses > 1)
    };
    likenesses.iter().zip(names).map(collides).collect()
}

/// How much of its origin a name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    WithServer,
    WithHash,
}

impl Form {
    fn name(self, origin: Origin<'_>) -> String {
        let plain = fitting(origin.tool);
        let with_server = |plain| format!("{}_{plain}", fitting(origin.server));
        match self {
            Self::Plain => within_limit(plain, origin),
            Self::WithServer => within_limit(with_server(plain), origin),
            Self::WithHash => hashed(&with_server(plain), origin),
        }
    }

    /// False where there is no longer form.
    fn lengthen(&mut self) -> bool {
        let longer = match self {
            Self::Plain => Self::WithServer,
            Self::WithServer => Self::WithHash,
            Self::WithHash => return false,
        };
        *self = longer;
        true
    }
}

fn within_limit(name: String, origin: Origin<'_>) -> String {
    if name.len() > MAX_LENGTH {
        hashed(&name, origin)
    } else {
        name
    }
}

/// `name`, cut where it must be, with the hash of where it comes from.
fn hashed(name: &str, origin: Origin<'_>) -> String {
    let suffix = format!("_{:08x}", fnv1a(&[origin.server, origin.tool]));
    let stem: String = name.chars().take(MAX_LENGTH - suffix.len()).collect();
    stem + &suffix
}

/// FNV-1a with 32 bits (draft-eastlake-fnv), the same on every machine and in every release, with
/// a byte that no text has after each part.
fn fnv1a(parts: &[&str]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// `name` with nothing in it but what every API takes.
fn fitting(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let fitting: String = without_unseen(name)
        .chars()
        .map(latin)
        .map(|c| if fits(c) { c } else { '_' })
        .collect();
    if fitting.is_empty() {
        "tool".to_owned()
    } else {
        fitting
    }
}

/// What two names have in common that look the same at a glance.
fn likeness(name: &str) -> String {
    fitting(name)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| match c.to_ascii_lowercase() {
            '0' => 'o',
            '1' | 'i' => 'l',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests;
