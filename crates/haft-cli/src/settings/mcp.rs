//! The effective MCP servers: those in the named or found file, if it is trusted.

use std::path::Path;

use haft::tools::McpConfig;

use super::file::NAME;
use super::{Settings, Source};
use crate::failure::Failure;
use crate::trust::{FolderFile, claims_of_servers};

impl Settings {
    /// The configured servers; `None` if there is no file, or if a file in the current folder is
    /// not trusted. The trusted content is the content that was read.
    pub(crate) async fn mcp_config(&self) -> Result<Option<McpConfig>, Failure> {
        let Some(path) = &self.mcp.value else {
            return Ok(None);
        };
        let content = McpConfig::read(path)?;
        if !self.user_names_mcp() {
            let file = FolderFile {
                path,
                content: &content,
                claims: claims_of_servers(&content),
            };
            if !self.trust.allows(&file).await {
                return Ok(None);
            }
        }
        Ok(Some(McpConfig::parse(
            &content,
            &path.display().to_string(),
        )?))
    }

    /// The message if [`mcp_config`](Self::mcp_config) returned nothing for lack of trust.
    pub(crate) fn untrusted_mcp(&self) -> Option<String> {
        let path = self.mcp.value.as_ref()?;
        Some(format!("{} is not trusted", path.display()))
    }

    /// Whether the user named the file, with a flag or in the configuration folder.
    fn user_names_mcp(&self) -> bool {
        match &self.mcp.source {
            Source::Flag(_) => true,
            Source::File(path) => path != Path::new(NAME),
            Source::Default | Source::Environment(_) => false,
        }
    }
}
