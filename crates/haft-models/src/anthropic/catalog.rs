//! The models that a server has, for the error that names them.

use haft_core::ModelError;

use super::{ChatAnthropic, wire};
use crate::http::{self, Api, Request};

/// The largest page that the API gives, more than it has models.
const PAGE: &str = "1000";

impl ChatAnthropic {
    /// The names of the server's models.
    ///
    /// # Errors
    ///
    /// Whatever the request for them ended in.
    pub(crate) async fn models(&self) -> Result<Vec<String>, ModelError> {
        let mut url = http::endpoint(&self.base_url, "/v1/models")?;
        url.query_pairs_mut().append_pair("limit", PAGE);
        let request = self.signed(Request::get(Api::Anthropic, url));
        let list: wire::ModelList = http::parse(&self.transport.fetch(&request).await?)?;
        Ok(list.data.into_iter().map(|model| model.id).collect())
    }
}
