//! How many rounds a question has left.

/// The rounds of one question. Requests of recovery steps are not among them.
#[derive(Debug)]
pub(crate) struct RoundBudget {
    used: u32,
    limit: u32,
}

impl RoundBudget {
    /// A budget of this many rounds, at least 1.
    pub(crate) fn new(limit: u32) -> Self {
        Self { used: 0, limit }
    }

    pub(crate) fn limit(&self) -> u32 {
        self.limit
    }

    pub(crate) fn used(&self) -> u32 {
        self.used
    }

    pub(crate) fn take(&mut self) {
        self.used += 1;
    }

    /// True when the next round is the last one.
    pub(crate) fn is_last(&self) -> bool {
        self.used + 1 >= self.limit
    }

    /// True when there is no further round.
    pub(crate) fn is_spent(&self) -> bool {
        self.used >= self.limit
    }
}
