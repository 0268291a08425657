//! The upstreams that gateways leave alone, for the others.

use std::time::Duration;

use haft_store::Value;

use super::KeyStore;
use crate::error::GatewayError;
use crate::scheduler::{CoolDown, Reason};

/// A cool-down of another gateway.
#[derive(Debug)]
pub(in super::super) struct ReadCoolDown {
    pub(in super::super) cool_down: CoolDown,
    /// When it ends, which tells it from the one before.
    pub(in super::super) ends: f64,
}

impl KeyStore {
    /// Tells the other gateways of a cool-down. On Postgres they may be on other machines, which
    /// mean another upstream by a local address.
    pub(in super::super) async fn announce(
        &self,
        gateway: &str,
        cool_down: &CoolDown,
    ) -> Result<(), GatewayError> {
        let is_file = self.0.address().file().is_some();
        if !self.0.is_there() || (cool_down.is_local && !is_file) {
            return Ok(());
        }
        let mut held = self.0.take().await?;
        let now = held.store.now();
        let upsert = format!(
            "INSERT INTO haft_cool_downs (upstream, reason, gateway, ends) \
             VALUES ($1, $2, $3, {now} + $4) ON CONFLICT (upstream, reason) \
             DO UPDATE SET gateway = excluded.gateway, ends = excluded.ends"
        );
        let values = [
            Value::Text(&cool_down.upstream),
            Value::Text(cool_down.reason.name()),
            Value::Text(gateway),
            Value::Real(cool_down.rest.as_secs_f64()),
        ];
        held.store.run(&upsert, &values).await?;
        held.store.notify().await?;
        held.give_back();
        Ok(())
    }

    /// The cool-downs that other gateways announced.
    pub(in super::super) async fn cool_downs(
        &self,
        gateway: &str,
    ) -> Result<Vec<ReadCoolDown>, GatewayError> {
        if !self.0.is_there() {
            return Ok(Vec::new());
        }
        let mut held = self.0.take().await?;
        let now = held.store.now();
        let select = format!(
            "SELECT upstream, reason, ends - {now}, ends FROM haft_cool_downs \
             WHERE gateway <> $1 AND ends > {now}"
        );
        let rows = held.store.rows(&select, &[Value::Text(gateway)]).await?;
        held.give_back();
        let read = rows.iter().filter_map(|row| {
            let rest = Duration::try_from_secs_f64(row.real(2)?).ok()?;
            let cool_down = CoolDown {
                upstream: row.text(0)?,
                reason: Reason::named(&row.text(1)?)?,
                rest,
                is_local: false,
            };
            let ends = row.real(3)?;
            Some(ReadCoolDown { cool_down, ends })
        });
        Ok(read.collect())
    }
}
