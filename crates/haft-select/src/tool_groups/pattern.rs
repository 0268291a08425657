//! The predicate of a tool group: the name of a tool, its server, its annotations.

use haft_core::{Tool, ToolSource};

/// A pattern for tools. Unset properties match any tool.
///
/// ```
/// use haft_select::ToolPattern;
///
/// assert!(ToolPattern::name("browser_*").fits_name("browser_click"));
/// assert!(!ToolPattern::name("browser_*").fits_name("click"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolPattern {
    name: Option<String>,
    server: Option<String>,
    read_only: bool,
}

impl ToolPattern {
    /// Matches tools with this name, in which `*` matches any characters.
    #[must_use]
    pub fn name(name: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            ..Self::default()
        }
    }

    /// Matches tools of the MCP server with this name, in which `*` matches any characters.
    #[must_use]
    pub fn server(server: impl Into<String>) -> Self {
        Self {
            server: Some(server.into()),
            ..Self::default()
        }
    }

    /// Matches only tools with the annotation read-only.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// True if the tool matches.
    #[must_use]
    pub fn fits(&self, tool: &dyn Tool) -> bool {
        (self.fits_name(tool.name()) || tool.lc_name().is_some_and(|name| self.fits_name(name)))
            && self.fits_server(&tool.source())
            && (!self.read_only || tool.annotations().read_only)
    }

    /// True if a tool with this name can match.
    #[must_use]
    pub fn fits_name(&self, name: &str) -> bool {
        self.name
            .as_ref()
            .is_none_or(|wanted| matches(wanted, name))
    }

    fn fits_server(&self, source: &ToolSource) -> bool {
        match (&self.server, source) {
            (None, _) => true,
            (Some(wanted), ToolSource::Mcp { server }) => matches(wanted, server),
            (Some(_), ToolSource::Custom) => false,
        }
    }
}

/// True if `text` matches `pattern`, in which `*` matches any characters. Case is ignored.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.to_lowercase(), text.to_lowercase());
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        match text.split_once(part) {
            Some((_, after)) => text = after,
            None => return false,
        }
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests;
