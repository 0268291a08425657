//! Assigns a unique name to each tool that is valid in every model's API.
//!
//! The result is a table: a tool stores both its name here and its server's name, and names are
//! never parsed. If names collide, all of them get their server's name as a prefix, and a hash as a
//! suffix if that is not enough. Numbering only the later one would make a name depend on the order
//! in which servers start. A name still depends on which servers are configured: without a
//! collision a tool keeps its plain name.
//!
//! Names collide if they are equal. Names of different servers, and names of haft's tools, also
//! collide if they look alike: in other case, with other separators, or with letters of other
//! alphabets. So no server can impersonate another server's tool.

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

/// Names of haft's own tools, which are never given to a server's tool, even if haft's tool is not
/// in use.
const RESERVED: [&str; 3] = ["get_current_datetime", "search_tools", "search_web"];

/// The named tools, and those for which no name was free.
pub(crate) struct Named {
    /// The tools in the order of the input.
    pub(crate) tools: Vec<Arc<McpTool>>,
    pub(crate) left_out: Vec<McpLeftOut>,
}

/// Assigns unique names to `tools` that cannot be confused with those in `taken`.
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

/// The indexes of the names that could be confused with another one.
fn colliding(tools: &[Origin<'_>], names: &[String], taken: &HashSet<String>) -> Vec<bool> {
    let likenesses: Vec<String> = names.iter().map(|name| likeness(name)).collect();
    // The number of servers with a similar name, and the number of tools with exactly this name.
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

/// How much of its origin a name contains.
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

    /// Chooses the next longer form; returns false if there is none.
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

/// `name` with the hash of its origin, cut to the maximum length.
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

/// `name` with invalid characters replaced.
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

/// The form of a name that is equal for all names that look alike.
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
