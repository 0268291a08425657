//! The settings that may change while the gateway serves.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;

use crate::error::GatewayError;
use crate::options::GatewayOptions;
use crate::overrides::Overrides;
use crate::tls::TlsFiles;

/// The settings of a running gateway that can be replaced: the overrides for all models and for
/// single ones, and the certificate. Clones share them.
#[derive(Clone, Default)]
pub struct LiveSettings(Arc<RwLock<Current>>);

#[derive(Clone, Default)]
struct Current {
    overrides: Overrides,
    models: HashMap<String, Overrides>,
    tls: Option<Arc<ServerConfig>>,
}

impl fmt::Debug for LiveSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (overrides, models) = self.read(|now| (now.overrides, now.models.clone()));
        formatter
            .debug_struct("LiveSettings")
            .field("overrides", &overrides)
            .field("models", &models)
            .finish_non_exhaustive()
    }
}

impl LiveSettings {
    /// Uses the overrides and the certificate of these options from now on. Running requests keep
    /// theirs, and so do open connections. All other options are ignored: they need a new start.
    ///
    /// # Errors
    ///
    /// [`Configuration`](crate::GatewayErrorKind::Configuration) if the certificate cannot be used;
    /// nothing is changed then.
    pub fn replace(&self, options: &GatewayOptions) -> Result<(), GatewayError> {
        let tls = options.tls.as_ref();
        let next = Current {
            overrides: options.overrides,
            models: options.models.clone(),
            tls: tls.map(TlsFiles::server_config).transpose()?,
        };
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = next;
        Ok(())
    }

    /// The overrides in effect for a request to a model, which the request's own ones go before.
    pub(crate) fn overrides_for(&self, model: &str, request: Overrides) -> Overrides {
        self.read(|now| {
            let model = now.models.get(model).copied().unwrap_or_default();
            request.or(model).or(now.overrides)
        })
    }

    /// Whether any request with these overrides could pass through unchanged.
    pub(crate) fn may_pass(&self, request: Overrides) -> bool {
        self.read(|now| !request.or(now.overrides).repairs() || !now.models.is_empty())
    }

    /// The certificate for new connections.
    pub(crate) fn tls(&self) -> Option<Arc<ServerConfig>> {
        self.read(|now| now.tls.clone())
    }

    fn read<T>(&self, read: impl FnOnce(&Current) -> T) -> T {
        read(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}
