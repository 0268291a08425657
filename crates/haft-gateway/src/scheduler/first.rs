//! Finds the first upstream that answers a request.

use futures_util::future::BoxFuture;
use haft_core::{ModelError, ModelErrorKind};
use tokio::time::{Instant, sleep};

use super::tries::Tries;
use super::{Lease, Upstreams, Wanted};

impl Upstreams {
    /// The first successful answer of the wanted upstreams, with the lease. `ask` sends the request
    /// to an upstream by its index.
    pub(crate) async fn first<T>(
        &self,
        wanted: Wanted,
        ask: impl Fn(usize) -> BoxFuture<'static, Result<T, ModelError>>,
    ) -> Result<(T, Lease), ModelError> {
        let limits = self.limits();
        let end = Instant::now() + limits.total;
        let mut tries = Tries::new(wanted.choices, self.0.members.len());
        // Bounded in total, because the client may ask again, too.
        let mut wait_left = limits.retry_after;
        loop {
            let choices = tries.next();
            if choices.is_empty() || Instant::now() >= end {
                return Err(tries.failure());
            }
            if let Some(wait) = tries.wait(limits.retry_wait) {
                let Some(left) = wait_left.checked_sub(wait) else {
                    return Err(tries.failure());
                };
                wait_left = left;
                sleep(wait).await;
            }
            let wanted = Wanted {
                choices,
                session: wanted.session,
                share: wanted.share.clone(),
                context: wanted.context.clone(),
            };
            let lease = match self.take(wanted).await {
                Ok(lease) => lease,
                Err(error) => return Err(tries.last.unwrap_or(error)),
            };
            let upstream = lease.upstream();
            match ask(upstream).await {
                Ok(reply) => return Ok((reply, lease)),
                Err(error) => {
                    lease.failed(&error);
                    if !is_worth_another(&error) {
                        return Err(error);
                    }
                    tries.failed(upstream, error, limits.retry_after);
                }
            }
        }
    }
}

/// True if another upstream may succeed; false if the request itself is at fault.
fn is_worth_another(error: &ModelError) -> bool {
    use ModelErrorKind as Kind;
    let may_differ = [
        Kind::Timeout,
        Kind::Malformed,
        Kind::Unauthorized,
        Kind::ModelNotFound,
    ];
    error.is_transient() || may_differ.contains(&error.kind())
}
