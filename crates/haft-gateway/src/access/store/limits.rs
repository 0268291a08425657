//! The buckets of the limits per minute, and the gateways that share them.
//!
//! A bucket is one number, as in the generic cell rate algorithm: `reached` is the time at which the
//! bucket would be full again, and each unit that is taken moves it forward by the time in which one
//! unit refills. So a bucket that nobody uses needs no updates, and one statement takes from it.

use haft_store::{Store, StoreError, Value};

use super::super::bucket::{Exchange, Exchanged};
use super::super::meter::LimitKind;
use super::KeyStore;
use crate::error::GatewayError;

/// How long a bucket takes to refill, in seconds.
const MINUTE: f64 = 60.0;

/// How long a gateway counts after it was last heard of, in seconds: three refreshes.
const TIME_TO_LIVE: f64 = 10.0;

impl KeyStore {
    /// Tells the bucket of a limit what was used, and takes permits from it.
    pub(in super::super) async fn exchange(
        &self,
        key: &str,
        limit: LimitKind,
        told: Exchange,
    ) -> Result<Exchanged, GatewayError> {
        let kind = match limit {
            LimitKind::RequestsPerMinute => "requests",
            LimitKind::TokensPerMinute | LimitKind::TokensPerDay => "tokens",
        };
        let bucket = [Value::Text(key), Value::Text(kind)];
        let mut held = self.0.take().await?;
        let mut reply = update(&mut held.store, bucket, told).await?;
        if reply.is_none() {
            let insert = "INSERT INTO haft_limits (name, kind, reached, granted) \
                 VALUES ($1, $2, 0, 0) ON CONFLICT (name, kind) DO NOTHING";
            held.store.run(insert, &bucket).await?;
            reply = update(&mut held.store, bucket, told).await?;
        }
        held.give_back();
        Ok(reply.unwrap_or(Exchanged {
            granted: 0.0,
            level: 0.0,
        }))
    }

    /// Tells that this gateway is there, and returns how many are.
    pub(in super::super) async fn beat(&self, gateway: &str) -> Result<u32, GatewayError> {
        if !self.0.is_there() {
            return Ok(1);
        }
        let mut held = self.0.take().await?;
        let now = held.store.now();
        let upsert = format!(
            "INSERT INTO haft_gateways (id, ends) VALUES ($1, {now} + $2) \
             ON CONFLICT (id) DO UPDATE SET ends = excluded.ends"
        );
        let values = [Value::Text(gateway), Value::Real(TIME_TO_LIVE)];
        held.store.run(&upsert, &values).await?;
        let delete = format!("DELETE FROM haft_gateways WHERE ends < {now}");
        held.store.run(&delete, &[]).await?;
        let count = held.store.rows("SELECT COUNT(*) FROM haft_gateways", &[]);
        let count = count.await?.first().and_then(|row| row.number(0));
        held.give_back();
        Ok(count.map_or(1, |count| u32::try_from(count).unwrap_or(u32::MAX)))
    }

    /// Tells that this gateway ends.
    pub(in super::super) async fn leave(&self, gateway: &str) -> Result<(), GatewayError> {
        if !self.0.is_there() {
            return Ok(());
        }
        let mut held = self.0.take().await?;
        let delete = "DELETE FROM haft_gateways WHERE id = $1";
        held.store.run(delete, &[Value::Text(gateway)]).await?;
        held.give_back();
        Ok(())
    }
}

/// `None` if the bucket is not there yet.
async fn update(
    store: &mut Store,
    [name, kind]: [Value<'_>; 2],
    told: Exchange,
) -> Result<Option<Exchanged>, StoreError> {
    let now = store.now();
    // $3 is the time in which one unit refills, $4 what was used, $5 what is wanted.
    let used = format!("(CASE WHEN reached > {now} THEN reached ELSE {now} END + $4 * $3)");
    let left = format!("(({now} + {MINUTE:.1} - {used}) / $3)");
    let whole = store.floor(&left);
    let granted =
        format!("CASE WHEN {left} < 1.0 THEN 0.0 WHEN {left} > $5 THEN $5 ELSE {whole} END");
    let update = format!(
        "UPDATE haft_limits SET granted = {granted}, reached = {used} + ({granted}) * $3 \
         WHERE name = $1 AND kind = $2 \
         RETURNING granted, ({now} + {MINUTE:.1} - reached) / $3"
    );
    let values = [
        name,
        kind,
        Value::Real(MINUTE / told.per_minute),
        Value::Real(told.used),
        Value::Real(told.wanted),
    ];
    let rows = store.rows(&update, &values).await?;
    Ok(rows.first().map(|row| Exchanged {
        granted: row.real(0).unwrap_or_default(),
        level: row.real(1).unwrap_or_default(),
    }))
}
