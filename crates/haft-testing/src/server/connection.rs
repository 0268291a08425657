//! One connection of a scripted server. HTTP/1.1 is written by hand, so that it can break anywhere.

use std::io;
use std::sync::Arc;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::reply::End;
use super::{CapturedRequest, Reply, State};

/// Answers requests until one side closes the connection.
pub(super) async fn serve(mut stream: TcpStream, state: Arc<State>) {
    let mut buffer = Vec::new();
    // Otherwise the kernel may join small pieces.
    let _ = stream.set_nodelay(true);
    while let Ok(Some(request)) = read_request(&mut stream, &mut buffer).await {
        let reply = state.answer(request);
        match send(&mut stream, &reply).await {
            Ok(()) => {}
            Err(_) => return state.note_hang_up(),
        }
        match reply.end {
            End::Complete => {}
            End::Cut => return,
            End::Reset => {
                let _ = stream.set_zero_linger();
                return;
            }
            End::Hang | End::Silence => {
                let mut rest = [0; 64];
                while matches!(stream.read(&mut rest).await, Ok(count) if count > 0) {}
                return state.note_hang_up();
            }
        }
    }
}

async fn send(stream: &mut TcpStream, reply: &Reply) -> io::Result<()> {
    if reply.end == End::Silence {
        return Ok(());
    }
    let mut head = format!("HTTP/1.1 {} Scripted\r\n", reply.status);
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("transfer-encoding: chunked\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    for (wait, piece) in &reply.pieces {
        if !wait.is_zero() {
            tokio::time::sleep(*wait).await;
        }
        if !piece.is_empty() {
            let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
            chunk.extend_from_slice(piece);
            chunk.extend_from_slice(b"\r\n");
            stream.write_all(&chunk).await?;
        }
    }
    if reply.end == End::Complete {
        stream.write_all(b"0\r\n\r\n").await?;
    }
    stream.flush().await
}

/// The next request, or `None` when the client has disconnected.
async fn read_request(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<CapturedRequest>> {
    let head_length = loop {
        let end = buffer.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            break end + 4;
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    };
    let head: Vec<u8> = buffer.drain(..head_length).collect();
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ');
    let method = first.next().unwrap_or_default().to_owned();
    let path = first.next().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.and_then(|(_, n)| n.parse().ok()).unwrap_or(0);
    while buffer.len() < length {
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
    let body: Vec<u8> = buffer.drain(..length).collect();
    Ok(Some(CapturedRequest {
        method,
        path,
        headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
        text: String::from_utf8_lossy(&body).into_owned(),
        bytes: body,
    }))
}
