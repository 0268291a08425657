//! haft's gateway in the profile of this crate: what building it for speed is worth.

use std::net::SocketAddr;

use haft_gateway::{Gateway, GatewayError, GatewayOptions};
use haft_models::{ModelServer, ModelSettings, ServerKind};

pub async fn serve(address: SocketAddr, to: &str, repair: bool) -> Result<(), GatewayError> {
    let server = ModelServer::new(ServerKind::OpenAi, format!("http://{to}/v1"), &ModelSettings::default());
    let mut options = GatewayOptions::default();
    options.listen = address;
    options.overrides.repair = Some(repair);
    Gateway::bind(server, options).await?.serve(std::future::pending()).await;
    Ok(())
}
