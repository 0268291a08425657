//! Lists the models of an OpenAI-compatible server: `GET /models`.

use haft_core::ModelError;

use super::ChatOpenAi;
use crate::description::ModelList;
use crate::http::{Request, endpoint};

impl ChatOpenAi {
    /// The names of the server's models, in its order.
    ///
    /// # Errors
    ///
    /// Any error of the request, which is not retried.
    pub async fn models(&self) -> Result<Vec<String>, ModelError> {
        let url = endpoint(&self.base_url, "models")?;
        let request = self.authorized(Request::get(self.api(), url));
        let list: ModelList = self.transport.fetch_as(&request).await?;
        Ok(list.names())
    }
}
