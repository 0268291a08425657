//! The service behind a listener: the gateway for models, or the MCP server.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use futures_util::future::BoxFuture;
use tower_service::Service as _;

/// Answers every request. Cheap to clone. Not an axum `Router`, because conversations bypass the
/// router.
#[derive(Clone)]
pub(crate) struct Answer(Arc<dyn Fn(Request) -> BoxFuture<'static, Response> + Send + Sync>);

impl Answer {
    pub(crate) fn new(
        answer: impl Fn(Request) -> BoxFuture<'static, Response> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(answer))
    }

    pub(crate) fn to(&self, request: Request) -> BoxFuture<'static, Response> {
        (self.0)(request)
    }
}

impl From<Router> for Answer {
    fn from(router: Router) -> Self {
        Self::new(move |request| routed(&router, request))
    }
}

/// The answer of the router, which never fails and needs no readiness check.
pub(crate) fn routed(router: &Router, request: Request) -> BoxFuture<'static, Response> {
    let answer = router.clone().call(request);
    Box::pin(async {
        let answer: Result<Response, Infallible> = answer.await;
        answer.unwrap_or_else(|never| match never {})
    })
}

impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Answer")
    }
}
