//! The transport to the broker: TCP or TLS. The broker's certificate must be trusted by the system.

use std::io;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_util::either::Either;

use super::MqttOptions;

pub(super) type Transport = Either<TcpStream, TlsStream<TcpStream>>;

/// Opens a connection, without sending data.
pub(super) async fn open(options: &MqttOptions) -> io::Result<Transport> {
    let stream = TcpStream::connect((options.host.as_str(), options.port)).await?;
    if !options.tls {
        return Ok(Either::Left(stream));
    }
    let name = ServerName::try_from(options.host.clone()).map_err(io::Error::other)?;
    let connector = TlsConnector::from(Arc::new(config().map_err(io::Error::other)?));
    connector.connect(name, stream).await.map(Either::Right)
}

/// Created for each connection, because the trusted certificates may change while the broker is
/// unreachable.
fn config() -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions()?;
    Ok(builder.with_platform_verifier()?.with_no_client_auth())
}
