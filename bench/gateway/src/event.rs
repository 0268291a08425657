//! How long one event of a stream takes through a gateway: from the model server's write to the
//! client's read. Both ends are here, so one clock measures both.

use std::sync::Arc;
use std::time::{Duration, Instant};

use memchr::memmem;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use crate::Failure;

const MIN_WAIT: Duration = Duration::from_secs(20);
/// Between the head, the event and the end of a stream, so that each goes its way alone.
const PAUSE: Duration = Duration::from_millis(3);
const EVENT: &str = "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"mock\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"word\"},\"finish_reason\":null}]}\n\n";
const END: &str = "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"mock\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

/// Asks the gateway at `url` `times` times, before a model server at `upstream`, and gives one line
/// of JSON with times in microseconds.
pub async fn measured(url: &str, upstream: u16, times: usize) -> Result<String, Failure> {
    let (address, path) = url.strip_prefix("http://").and_then(|url| url.split_once('/')).ok_or("write the address as http://HOST:PORT/PATH")?;
    let sent: Arc<Mutex<Option<Instant>>> = Arc::default();
    let listener = TcpListener::bind(("127.0.0.1", upstream)).await?;
    tokio::spawn(serve(listener, sent.clone()));
    let body = r#"{"model":"mock","stream":true,"messages":[{"role":"user","content":"Go on"}]}"#;
    let request = format!("POST /{path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let mut taken = Vec::new();
    for _ in 0..times {
        let mut client = TcpStream::connect(address).await?;
        client.set_nodelay(true)?;
        client.write_all(request.as_bytes()).await?;
        // On a busy machine more may come with it.
        let mut read = Vec::new();
        timeout(MIN_WAIT, until(&mut client, &mut read, b"word")).await??;
        let arrived = Instant::now();
        let sent = sent.lock().await.take().ok_or("an event came that nobody sent")?;
        taken.push((arrived - sent).as_micros() as u64);
        timeout(MIN_WAIT, until(&mut client, &mut read, b"[DONE]")).await??;
    }
    taken.sort_unstable();
    let at = |share: f64| taken.get(((taken.len() - 1) as f64 * share) as usize).copied().unwrap_or_default();
    let late = taken.iter().filter(|time| **time > 2000).count();
    Ok(format!(r#"{{"p50": {}, "p99": {}, "max": {}, "over_2_ms": {late}}}"#, at(0.5), at(0.99), at(1.0)))
}

async fn until(socket: &mut TcpStream, read: &mut Vec<u8>, wanted: &[u8]) -> Result<(), Failure> {
    while memmem::find(read, wanted).is_none() {
        if socket.read_buf(read).await? == 0 {
            return Err("the stream ended early".into());
        }
    }
    Ok(())
}

/// A model server whose every reply is one event.
async fn serve(listener: TcpListener, sent: Arc<Mutex<Option<Instant>>>) {
    while let Ok((socket, _)) = listener.accept().await {
        tokio::spawn(answer(socket, sent.clone()));
    }
}

async fn answer(mut socket: TcpStream, sent: Arc<Mutex<Option<Instant>>>) -> Result<(), Failure> {
    socket.set_nodelay(true)?;
    loop {
        let mut request = Vec::new();
        while memmem::find(&request, b"\"Go on\"").is_none() && !request.starts_with(b"GET ") {
            if socket.read_buf(&mut request).await? == 0 {
                return Ok(());
            }
        }
        if request.starts_with(b"GET ") {
            socket.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").await?;
            continue;
        }
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
        socket.write_all(head.as_bytes()).await?;
        sleep(PAUSE).await;
        let event = format!("{:x}\r\n{EVENT}\r\n", EVENT.len());
        *sent.lock().await = Some(Instant::now());
        socket.write_all(event.as_bytes()).await?;
        sleep(PAUSE).await;
        let end = format!("{:x}\r\n{END}\r\n0\r\n\r\n", END.len());
        socket.write_all(end.as_bytes()).await?;
    }
}
