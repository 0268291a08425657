//! The parts of the gateway bench; `run` puts them together.
//!
//! `upstream PORT` is a model server that answers at once, `bare PORT HOST:PORT` a reverse proxy
//! that does nothing else, `load ...` asks as fast as it can and counts, `event ...` times one event, `haft PORT HOST:PORT
//! [--no-repair]` is haft's gateway in this crate's profile (feature `haft`).

mod bare;
mod event;
#[cfg(feature = "haft")]
mod haft;
mod load;
mod upstream;

use std::net::SocketAddr;

/// Whatever ends the program, in its own words.
type Failure = Box<dyn std::error::Error + Send + Sync>;

const USAGE: &str = "upstream PORT | bare PORT HOST:PORT | load URL BODY CONNECTIONS REQUESTS EXPECTED | event URL UPSTREAM-PORT TIMES";

/// Everything here stays on this machine.
fn loopback(port: &str) -> Result<SocketAddr, Failure> {
    Ok(SocketAddr::from(([127, 0, 0, 1], port.parse()?)))
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["upstream", port] => upstream::serve(loopback(port)?).await?,
        ["bare", port, to] => bare::serve(loopback(port)?, to).await?,
        ["load", url, body, connections, requests, expected] => {
            let load = load::Load {
                url,
                body: std::fs::read_to_string(body)?,
                connections: connections.parse()?,
                requests: requests.parse()?,
                expected,
            };
            println!("{}", load.run().await?);
        }
        ["event", url, upstream, times] => println!("{}", event::measured(url, upstream.parse()?, times.parse()?).await?),
        #[cfg(feature = "haft")]
        ["haft", port, to, more @ ..] => haft::serve(loopback(port)?, to, more.is_empty()).await?,
        _ => return Err(USAGE.into()),
    }
    Ok(())
}
