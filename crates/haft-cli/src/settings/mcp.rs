//! The MCP servers in force: those of the file that is named or found, where it is trusted.

use std::path::Path;

use haft::tools::McpConfig;

use super::file::NAME;
use super::{Settings, Source};
use crate::failure::Failure;
use crate::trust::{FolderFile, claims_of_servers};

impl Settings {
    /// The servers; none where there is no file, or one of the current folder that is not trusted.
    /// What is judged is what was read.
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

    /// What to say where [`mcp_config`](Self::mcp_config) gave nothing because of trust: there is a
    /// file, and it was not allowed.
    pub(crate) fn untrusted_mcp(&self) -> Option<String> {
        let path = self.mcp.value.as_ref()?;
        Some(format!("{} is not trusted", path.display()))
    }

    /// Whether the user says which file it is, by a flag or in the configuration folder.
    fn user_names_mcp(&self) -> bool {
        match &self.mcp.source {
            Source::Flag(_) => true,
            Source::File(path) => path != Path::new(NAME),
            Source::Default | Source::Environment(_) => false,
        }
    }
}
