//! How a server is reached. The `Debug` output contains no arguments and values, which often hold
//! tokens.

use std::fmt;

use haft_core::mask_url;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName};

use crate::config::rules::ToolRules;

/// How a server is reached.
#[derive(Clone, Debug)]
pub(crate) enum Endpoint {
    Stdio(StdioEndpoint),
    Http(HttpEndpoint),
}

/// A server that is a child process and communicates over stdin and stdout.
#[derive(Clone)]
pub(crate) struct StdioEndpoint {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
    /// Variables in addition to the few that every child inherits.
    pub(crate) env: Vec<(String, String)>,
    pub(crate) cwd: Option<String>,
    pub(crate) rules: ToolRules,
}

/// A server at an address.
#[derive(Clone)]
pub(crate) struct HttpEndpoint {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) rules: ToolRules,
}

impl Endpoint {
    /// The transport's name, as in the configuration's `type`.
    pub(crate) fn transport(&self) -> &'static str {
        match self {
            Self::Stdio(_) => "stdio",
            Self::Http(_) => "http",
        }
    }

    /// The user's rules for its tools.
    pub(crate) fn rules(&self) -> &ToolRules {
        match self {
            Self::Stdio(stdio) => &stdio.rules,
            Self::Http(http) => &http.rules,
        }
    }
}

// Arguments and values often hold tokens, so only their number or names are shown.
impl fmt::Debug for StdioEndpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.env.iter().map(|(name, _)| name).collect();
        formatter
            .debug_struct("StdioEndpoint")
            .field("command", &self.command)
            .field("args", &self.args.len())
            .field("env", &names)
            .field("cwd", &self.cwd)
            .finish()
    }
}

impl fmt::Debug for HttpEndpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&HeaderName> = self.headers.keys().collect();
        formatter
            .debug_struct("HttpEndpoint")
            .field("url", &display_url(&self.url))
            .field("headers", &names)
            .finish()
    }
}

/// The address without the parts that may be secret: user, password, query, and keys in its path.
pub(crate) fn display_url(url: &Url) -> String {
    let origin = url.origin().ascii_serialization();
    mask_url(&format!("{origin}{}", url.path()))
}
