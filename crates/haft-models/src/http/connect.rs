//! Connects to model servers: directly, or through the proxy that the environment or the system
//! names.

use std::error::Error;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use http::uri::Scheme;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

/// The timeout for a connection, with its TLS. Even a distant server accepts within a second; ten
/// seconds cover a laptop that is waking up.
pub(super) const CONNECT: Duration = Duration::from_secs(10);

/// After so much silence the system asks whether the other side is still there, up to three times.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

type BoxError = Box<dyn Error + Send + Sync>;

type Connecting<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

/// Connects to servers within [`CONNECT`].
#[derive(Clone)]
pub(super) struct Connector(HttpsConnector<Route>);

impl Connector {
    /// Connects through one of `proxies` where they name one for the server.
    pub(super) fn new(tls: Arc<ClientConfig>, proxies: Option<Arc<Matcher>>) -> Self {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        // Small requests are sent at once instead of waiting for a full packet.
        tcp.set_nodelay(true);
        tcp.set_keepalive(Some(KEEP_ALIVE));
        tcp.set_keepalive_interval(Some(KEEP_ALIVE));
        tcp.set_keepalive_retries(Some(3));
        let route = Route {
            proxy: HttpsConnector::from((tcp.clone(), Arc::clone(&tls))),
            tcp,
            proxies,
        };
        Self(HttpsConnector::from((route, tls)))
    }
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<Stream>;
    type Error = BoxError;
    type Future = Connecting<Self::Response>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        let connecting = self.0.call(server);
        Box::pin(async move {
            timeout(CONNECT, connecting)
                .await
                .unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
        })
    }
}

/// The way to a server, below the server's own TLS.
#[derive(Clone)]
struct Route {
    tcp: HttpConnector,
    /// The connections to proxies, which may have TLS of their own.
    proxy: HttpsConnector<HttpConnector>,
    proxies: Option<Arc<Matcher>>,
}

impl Service<Uri> for Route {
    type Response = Stream;
    type Error = BoxError;
    type Future = Connecting<Stream>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.tcp.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        let proxies = self.proxies.as_ref();
        let Some(proxy) = proxies.and_then(|proxies| proxies.intercept(&server)) else {
            let connecting = self.tcp.call(server);
            return Box::pin(async move { Ok(Stream::direct(connecting.await?.into())) });
        };
        if server.scheme() == Some(&Scheme::HTTPS) {
            let mut tunnel = Tunnel::new(proxy.uri().clone(), self.proxy.clone());
            if let Some(password) = proxy.basic_auth() {
                tunnel = tunnel.with_auth(password.clone());
            }
            let connecting = tunnel.call(server);
            return Box::pin(async move { Ok(Stream::direct(connecting.await?)) });
        }
        let connecting = self.proxy.call(proxy.uri().clone());
        Box::pin(async move {
            Ok(Stream {
                inner: connecting.await?,
                is_to_proxy: true,
            })
        })
    }
}

/// A connection to a server, or to a proxy that reads the requests.
pub(super) struct Stream {
    inner: MaybeHttpsStream<TokioIo<TcpStream>>,
    /// Requests to a proxy name the server in their first line.
    is_to_proxy: bool,
}

impl Stream {
    fn direct(inner: MaybeHttpsStream<TokioIo<TcpStream>>) -> Self {
        Self {
            inner,
            is_to_proxy: false,
        }
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        self.inner.connected().proxy(self.is_to_proxy)
    }
}

impl Read for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl Write for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests;
