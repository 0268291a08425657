//! Asks the same question over and over on several connections, each at most one at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use memchr::memmem;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::Failure;

const MIN_WAIT: Duration = Duration::from_secs(20);

pub struct Load<'a> {
    pub url: &'a str,
    pub body: String,
    pub connections: usize,
    pub requests: usize,
    /// What every right answer has in it.
    pub expected: &'a str,
}

/// The bytes that go out, and what comes back.
struct Question {
    request: Vec<u8>,
    expected: String,
}

impl Load<'_> {
    /// One line of JSON: good answers, errors, and times to the end of an answer in microseconds.
    pub async fn run(&self) -> Result<String, Failure> {
        let parts = self.url.strip_prefix("http://").and_then(|url| url.split_once('/'));
        let (address, path) = parts.ok_or("write the address as http://HOST:PORT/PATH")?;
        let request = format!(
            "POST /{path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{}",
            self.body.len(),
            self.body
        );
        let question = Arc::new(Question { request: request.into_bytes(), expected: self.expected.to_owned() });
        let left = Arc::new(AtomicUsize::new(self.requests));
        let start = Instant::now();
        let mut tasks = Vec::new();
        for _ in 0..self.connections {
            tasks.push(tokio::spawn(ask(address.to_owned(), question.clone(), left.clone())));
        }
        let (mut times, mut errors) = (Vec::new(), Vec::new());
        for task in tasks {
            let (more_times, more_errors) = task.await?;
            times.extend(more_times);
            errors.extend(more_errors);
        }
        let took = start.elapsed().as_secs_f64();
        times.sort_unstable();
        let share = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
        let error = errors.first().map(|error: &String| error.replace(['"', '\\', '\r', '\n'], " ")).unwrap_or_default();
        Ok(format!(
            r#"{{"good": {}, "errors": {}, "seconds": {took:.3}, "p50": {}, "p99": {}, "error": "{error}"}}"#,
            times.len(), errors.len(), share(0.5), share(0.99)
        ))
    }
}

async fn ask(address: String, question: Arc<Question>, left: Arc<AtomicUsize>) -> (Vec<u64>, Vec<String>) {
    let (mut times, mut errors) = (Vec::new(), Vec::new());
    let (mut socket, mut buffer) = (None, Vec::new());
    while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
        let start = Instant::now();
        let answered = timeout(MIN_WAIT, once(&address, &question, &mut socket, &mut buffer)).await;
        match answered.unwrap_or_else(|_| Err("too late".to_owned())) {
            Ok(()) => times.push(start.elapsed().as_micros() as u64),
            Err(error) => {
                errors.push(error);
                socket = None;
            }
        }
    }
    (times, errors)
}

async fn once(address: &str, question: &Question, kept: &mut Option<TcpStream>, buffer: &mut Vec<u8>) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    if kept.is_none() {
        let socket = TcpStream::connect(address).await.map_err(told)?;
        socket.set_nodelay(true).map_err(told)?;
        *kept = Some(socket);
    }
    let Some(socket) = kept else { return Err("no connection".to_owned()) };
    socket.write_all(&question.request).await.map_err(told)?;
    buffer.clear();
    while !is_complete(buffer) {
        if socket.read_buf(buffer).await.map_err(told)? == 0 {
            return Err("the connection ended early".to_owned());
        }
    }
    if buffer.starts_with(b"HTTP/1.1 200") && memmem::find(buffer, question.expected.as_bytes()).is_some() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(buffer.get(..400.min(buffer.len())).unwrap_or_default()).into_owned())
}

/// Whether an answer is there to its last byte.
fn is_complete(answer: &[u8]) -> bool {
    let Some(head) = memmem::find(answer, b"\r\n\r\n") else { return false };
    let text = String::from_utf8_lossy(&answer[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    match length {
        Some(length) => answer.len() >= head + 4 + length,
        None => answer.ends_with(b"\r\n0\r\n\r\n"),
    }
}
