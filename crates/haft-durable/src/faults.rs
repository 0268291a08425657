//! Places at which a test lets a worker die: before and after each write. Outside of the tests of
//! this crate they do nothing.

#[cfg(test)]
use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where a worker dies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    #[cfg(test)]
    death: Option<Arc<Death>>,
}

/// A worker dies at the place with a number.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Death {
    /// The number of the place, in the order in which they are passed, from 0.
    at: usize,
    passed: AtomicUsize,
    /// Told when it happens.
    died: tokio::sync::Notify,
}

impl Faults {
    /// The next place.
    #[cfg_attr(not(test), expect(clippy::unused_async, reason = "tests wait here"))]
    pub(crate) async fn pass(&self) {
        #[cfg(test)]
        if let Some(death) = &self.death
            && death.passed.fetch_add(1, Ordering::Relaxed) >= death.at
        {
            death.died.notify_one();
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
impl Faults {
    /// A worker that dies at the place `at`.
    fn at(at: usize) -> Self {
        let death = Death {
            at,
            passed: AtomicUsize::default(),
            died: tokio::sync::Notify::new(),
        };
        Self {
            death: Some(Arc::new(death)),
        }
    }

    async fn died(&self) {
        if let Some(death) = &self.death {
            death.died.notified().await;
        }
    }
}

#[cfg(test)]
mod tests;
