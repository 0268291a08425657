//! TLS for clients, with certificate and key from files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::error::{GatewayError, GatewayErrorKind};

/// The files of a certificate, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, followed by those of its issuers.
    pub certificates: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

impl TlsFiles {
    /// Reads the files.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Configuration`] if a file cannot be read, or key and certificate do not
    /// belong together.
    pub(crate) fn server_config(&self) -> Result<Arc<ServerConfig>, GatewayError> {
        let certificates = CertificateDer::pem_file_iter(&self.certificates)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| unreadable(&self.certificates, &error))?;
        if certificates.is_empty() {
            return Err(unreadable(&self.certificates, &"it has no certificate"));
        }
        let key = PrivateKeyDer::from_pem_file(&self.key);
        let key = key.map_err(|error| unreadable(&self.key, &error))?;
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| {
                let config = config.with_no_client_auth();
                config.with_single_cert(certificates, key)
            });
        let mut config = config.map_err(|error| unreadable(&self.certificates, &error))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

fn unreadable(file: &Path, error: &dyn std::fmt::Display) -> GatewayError {
    let message = format!("{} cannot be used for TLS: {error}", file.display());
    GatewayError::new(GatewayErrorKind::Configuration, message)
        .with_hint("name a certificate chain and its private key, both in PEM")
}
