//! Lists a server's models, for the error about an unknown model.

use haft_core::ModelError;

use super::ChatAnthropic;
use super::provider::API;
use crate::description::ModelList;
use crate::http::{self, Request};

/// The largest page size that the API allows; more than it has models.
const PAGE: &str = "1000";

impl ChatAnthropic {
    /// The names of the server's models.
    ///
    /// # Errors
    ///
    /// Any error of the request.
    pub(crate) async fn models(&self) -> Result<Vec<String>, ModelError> {
        let url = http::endpoint(&self.base_url, "/v1/models")?.with_query(|url| {
            url.query_pairs_mut().append_pair("limit", PAGE);
        })?;
        let request = self.signed(Request::get(API, url));
        let list: ModelList = self.transport.fetch_as(&request).await?;
        Ok(list.names())
    }
}
