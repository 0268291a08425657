//! MCP servers for the tests. The test binary is its own server: a configuration starts it again
//! with only the server's test selected.

pub(crate) mod changing_server;
pub(crate) mod stub_browser;
