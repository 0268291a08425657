//! How a server is reached. Its `Debug` shows no arguments and no values, which often hold tokens.

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

/// A server that is a child process and speaks over stdin and stdout.
#[derive(Clone)]
pub(crate) struct StdioEndpoint {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
    /// Added to the few variables that every child gets.
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

    /// What is said about its tools.
    pub(crate) fn rules(&self) -> &ToolRules {
        match self {
            Self::Stdio(stdio) => &stdio.rules,
            Self::Http(http) => &http.rules,
        }
    }
}

// Arguments and values often hold tokens: only their number or names are shown.
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

/// The address without what may be secret in it: user, password, query, keys in its path.
pub(crate) fn display_url(url: &Url) -> String {
    let origin = url.origin().ascii_serialization();
    mask_url(&format!("{origin}{}", url.path()))
}
