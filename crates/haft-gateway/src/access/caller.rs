//! Who sent a request, and what they may do.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use haft_core::{QueueShare, Usage};
use tokio::sync::Notify;

use super::bucket::{Exchange, Exchanged};
use super::key::{Key, KeyLimits, KeyUsage};
use super::meter::{Admission, Exceeded, LimitKind, Meter};
use super::sharing::Sharing;
use super::store::until_tomorrow;
use crate::respond::Refusal;
use crate::scheduler::is_same;

/// The maximum number of times a request asks the store for a permit: other requests may take the
/// permits that were granted.
const ATTEMPTS: usize = 5;

/// Who sent a request.
#[derive(Clone, Debug)]
pub(crate) enum Caller {
    /// Whoever has the operator's token, or anybody while no keys are in use.
    Operator,
    /// The holder of a key.
    Holder(Arc<Holder>),
}

/// A key in use.
#[derive(Debug)]
pub(crate) struct Holder {
    pub(super) name: Arc<str>,
    pub(super) limits: KeyLimits,
    meter: Mutex<Meter>,
    sharing: Arc<Sharing>,
    /// Tells those who wait for the store.
    exchanged: Notify,
}

impl Caller {
    /// The name of the key.
    pub(crate) fn key(&self) -> Option<&Arc<str>> {
        self.holder().map(|holder| &holder.name)
    }

    /// What the key allows.
    #[cfg(feature = "durable")]
    pub(crate) fn limits(&self) -> Option<&KeyLimits> {
        self.holder().map(|holder| &holder.limits)
    }

    fn holder(&self) -> Option<&Arc<Holder>> {
        match self {
            Self::Operator => None,
            Self::Holder(holder) => Some(holder),
        }
    }

    /// Whether they may use every model.
    pub(crate) fn may_use_any_model(&self) -> bool {
        self.holder()
            .is_none_or(|holder| holder.limits.models.is_empty())
    }

    pub(crate) fn may_use(&self, model: &str) -> bool {
        self.may_use_any_model()
            || self.holder().is_some_and(|holder| {
                let mut models = holder.limits.models.iter();
                models.any(|allowed| is_same(allowed, model))
            })
    }

    /// Whether models may call tools of the gateway for them.
    pub(crate) fn may_use_server_tools(&self) -> bool {
        self.holder()
            .is_none_or(|holder| holder.limits.server_tools)
    }

    /// Counts a request for this model, or refuses it. Waits for the store only if that alone knows.
    pub(crate) async fn admit(&self, model: Option<&str>) -> Result<(), Refusal> {
        let Some(holder) = self.holder() else {
            return Ok(());
        };
        match model {
            Some(model) if !self.may_use(model) => {
                let models = holder.limits.models.join(", ");
                let message =
                    format!("This key may not use the model \"{model}\"; it may use: {models}");
                return Err(Refusal::new(403, message));
            }
            None if !self.may_use_any_model() => {
                let message = "This key may use some models only, and the request names none";
                return Err(Refusal::new(403, message));
            }
            _ => {}
        }
        let admitted = match holder.admit() {
            Admission::Admitted => Ok(()),
            Admission::Exceeded(exceeded) => Err(exceeded),
            Admission::Ask => holder.admit_by_store().await,
        };
        admitted.map_err(|exceeded| refusal(exceeded, &holder.limits))
    }

    /// Counts the tokens of a reply.
    pub(crate) fn used(&self, usage: Usage) {
        if let Some(holder) = self.holder() {
            holder.meter().used(usage.input_tokens, usage.output_tokens);
        }
    }

    /// Their share in busy model servers. Requests without a key have one share together.
    pub(crate) fn queue_share(&self) -> Option<QueueShare> {
        let holder = self.holder()?;
        Some(QueueShare {
            owner: holder.name.clone(),
            weight: holder.limits.priority.weight(),
        })
    }
}

impl Holder {
    pub(super) fn new(key: &Key, sharing: Arc<Sharing>) -> Self {
        let meter = Meter::new(&key.limits, key.used_today, sharing.division());
        Self {
            name: key.name.as_str().into(),
            meter: Mutex::new(meter),
            limits: key.limits.clone(),
            sharing,
            exchanged: Notify::new(),
        }
    }

    /// Counts a request with what this gateway has and knows.
    fn admit(self: &Arc<Self>) -> Admission {
        let mut meter = self.meter();
        let admission = meter.admit(&self.limits, until_tomorrow());
        if admission == Admission::Admitted && !meter.is_due && meter.is_low() {
            meter.is_due = true;
            self.sharing.ask_for(self.clone());
        }
        admission
    }

    /// Counts a request with a permit from the store.
    async fn admit_by_store(self: &Arc<Self>) -> Result<(), Exceeded> {
        for _ in 0..ATTEMPTS {
            // From here on no reply of the store is missed.
            let mut exchanged = pin!(self.exchanged.notified());
            exchanged.as_mut().enable();
            match self.admit() {
                Admission::Admitted => return Ok(()),
                Admission::Exceeded(exceeded) => return Err(exceeded),
                Admission::Ask => self.ask(),
            }
            exchanged.await;
        }
        Err(Exceeded {
            limit: LimitKind::RequestsPerMinute,
            retry_after: Duration::from_secs(1),
        })
    }

    /// Asks the store for permits.
    fn ask(self: &Arc<Self>) {
        let mut meter = self.meter();
        meter.await_permit();
        if !meter.is_due {
            meter.is_due = true;
            self.sharing.ask_for(self.clone());
        }
    }

    /// Whether the store is to be told something.
    pub(super) fn has_news(&self) -> bool {
        self.meter().has_news()
    }

    /// What the store is told and asked about a limit per minute, if there is one.
    pub(super) fn begin_exchange(&self, limit: LimitKind) -> Option<Exchange> {
        self.meter().begin_exchange(limit)
    }

    /// What the store replied; `None` if it cannot be reached.
    pub(super) fn end_exchange(&self, limit: LimitKind, reply: Option<Exchanged>) {
        self.meter().end_exchange(limit, reply);
    }

    /// An exchange begins: whoever needs more from now on has to ask again.
    pub(super) fn begin_exchanges(&self) {
        self.meter().is_due = false;
    }

    /// Lets those who wait for the store try again.
    pub(super) fn end_exchanges(&self) {
        self.exchanged.notify_waiters();
    }

    /// What is to be written to the store, if anything.
    pub(super) fn begin_write(&self) -> Option<KeyUsage> {
        let used = self.meter().begin_write();
        (used != KeyUsage::default()).then_some(used)
    }

    /// The store has what was to be written.
    pub(super) fn written(&self) {
        self.meter().written();
    }

    /// What the store says was used today.
    pub(super) fn read(&self, stored: KeyUsage) {
        self.meter().read(stored);
    }

    pub(super) fn not_written(&self) {
        self.meter().not_written();
    }

    fn meter(&self) -> MutexGuard<'_, Meter> {
        let mut meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
        meter.divide(self.sharing.division());
        meter
    }
}

fn refusal(exceeded: Exceeded, limits: &KeyLimits) -> Refusal {
    let limit = match exceeded.limit {
        LimitKind::RequestsPerMinute => {
            let most = limits.requests_per_minute.unwrap_or_default();
            format!("{most} requests per minute")
        }
        LimitKind::TokensPerMinute => {
            let most = limits.tokens_per_minute.unwrap_or_default();
            format!("{most} tokens per minute")
        }
        LimitKind::TokensPerDay => {
            let most = limits.tokens_per_day.unwrap_or_default();
            format!("{most} tokens per day")
        }
    };
    let seconds = exceeded.retry_after.as_secs_f64().ceil();
    let message = format!("The limit of this key is reached: {limit}; try again in {seconds} s");
    Refusal::new(429, message).with_retry_after(exceeded.retry_after)
}
