//! Observes the upstreams outside of requests: lists their models, and detects when a failed one is
//! back.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;

use super::Upstreams;
use super::breaker::{Breaker, Verdict};

impl Upstreams {
    /// Requests the models of all upstreams whose list is older than `age`.
    pub(super) async fn learn(&self, age: Duration) {
        let members = self.0.members.iter().enumerate();
        let asked = members.map(async |(upstream, member)| {
            if let Err(error) = member.learn(age).await {
                tracing::warn!(upstream = &*member.name, %error, "the models are not known");
                // A slow list is not a failure, an unreachable server is.
                if Verdict::of(&error) == Verdict::Gone {
                    let opened = self.judge(upstream, Verdict::Gone);
                    self.tell(upstream, Verdict::Gone, opened);
                }
            }
        });
        join_all(asked).await;
    }

    /// Reports to the breaker what showed about an upstream outside of a request. Returns whether
    /// this opened it.
    pub(super) fn judge(&self, upstream: usize, verdict: Verdict) -> bool {
        let now = tokio::time::Instant::now();
        let judged = |breaker: &mut Breaker| breaker.judge(breaker.entered(), verdict, now);
        let pause = self.0.slots.with_breaker(upstream, judged).flatten();
        if let Some(pause) = pause {
            self.watch(upstream, pause);
        }
        pause.is_some()
    }

    /// Probes an excluded upstream from time to time until it answers. Nothing runs while all
    /// upstreams work.
    pub(super) fn watch(&self, upstream: usize, mut pause: Duration) {
        if self.0.members.len() < 2 {
            // A successful request may already have closed the breaker, if there was no other
            // upstream.
            return;
        }
        let inner = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(pause).await;
                let Some(inner) = inner.upgrade() else { return };
                let Some(member) = inner.members.get(upstream) else {
                    return;
                };
                let is_open = inner.slots.with_breaker(upstream, |one| one.is_open());
                if is_open != Some(true) {
                    return;
                }
                if member.learn(Duration::ZERO).await.is_ok() {
                    tracing::info!(upstream = &*member.name, "an upstream answers again");
                    inner.slots.with_breaker(upstream, Breaker::answers);
                    inner.slots.serve_waiting();
                    return;
                }
                let next = inner.slots.with_breaker(upstream, Breaker::next_pause);
                pause = next.unwrap_or(pause);
            }
        });
    }
}
