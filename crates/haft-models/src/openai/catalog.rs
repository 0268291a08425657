//! The models that an OpenAI-compatible server has: `GET /models`.

use haft_core::ModelError;

use super::ChatOpenAi;
use super::wire::ModelList;
use crate::http::{Api, Request, endpoint, parse};

impl ChatOpenAi {
    /// The names of the models that the server offers, in its order.
    ///
    /// # Errors
    ///
    /// Whatever keeps the server from answering; it is asked once.
    pub async fn models(&self) -> Result<Vec<String>, ModelError> {
        let url = endpoint(&self.base_url, "models")?;
        let request = self.authorized(Request::get(Api::OpenAi, url));
        let text = self.transport.fetch(&request).await?;
        let list: ModelList = parse(&text)?;
        Ok(list.data.into_iter().map(|model| model.id).collect())
    }
}
