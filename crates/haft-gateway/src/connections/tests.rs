use std::future::pending;
use std::net::SocketAddr;

use axum::Router;
use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{Notify, oneshot};

use super::*;

/// A server that answers "late" after a notification, and the handle for its shutdown.
async fn late(
    most: usize,
    head: Duration,
) -> (
    SocketAddr,
    Arc<Notify>,
    oneshot::Sender<()>,
    tokio::task::JoinHandle<bool>,
) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let released = Arc::new(Notify::new());
    let release = released.clone();
    let answer = move || {
        let released = released.clone();
        async move {
            released.notified().await;
            "late"
        }
    };
    let router = Router::new().route("/", get(answer));
    let (ending, end) = oneshot::channel::<()>();
    let mut limits = GatewayLimits::for_files(1024);
    limits.connections = most;
    limits.drain = Duration::from_millis(200);
    let mut connections = Connections::of(listener, &limits);
    connections.head = head;
    let served = connections.serve(
        router.into(),
        async move { drop(end.await) },
        Arc::default(),
    );
    (address, release, ending, tokio::spawn(served))
}

async fn asked(address: SocketAddr) -> TcpStream {
    let mut client = TcpStream::connect(address).await.unwrap();
    client
        .write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n")
        .await
        .unwrap();
    client
}

/// Reads until the data is complete, or the connection closes.
async fn read(client: &mut TcpStream) -> String {
    let mut bytes = vec![0; 4096];
    let count = timeout(Duration::from_secs(20), client.read(&mut bytes));
    let count = count.await.unwrap().unwrap_or(0);
    String::from_utf8_lossy(&bytes[..count]).into_owned()
}

#[tokio::test]
async fn a_connection_over_the_limit_waits_for_another_to_close() {
    let (address, release, _ending, _served) = late(1, Duration::from_secs(20)).await;
    let mut first = asked(address).await;
    release.notify_one();
    assert!(read(&mut first).await.ends_with("late"));
    let mut second = asked(address).await;
    release.notify_one();
    let early = timeout(Duration::from_millis(100), second.readable()).await;
    assert!(early.is_err(), "the second was accepted beside the first");
    drop(first);
    assert!(read(&mut second).await.ends_with("late"));
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed() {
    let (address, _tell, _ending, _served) = late(8, Duration::from_millis(50)).await;
    let mut silent = TcpStream::connect(address).await.unwrap();
    assert_eq!(read(&mut silent).await, "");
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nhost: ").await.unwrap();
    assert!(!read(&mut slow).await.contains("200 OK"));
}

#[tokio::test]
async fn requests_under_way_are_answered_at_shutdown_within_a_timeout() {
    for is_told in [true, false] {
        let (address, release, ending, served) = late(8, Duration::from_secs(20)).await;
        let mut client = asked(address).await;
        // The request is running once another one, sent later, was answered.
        let mut other = asked(address).await;
        release.notify_one();
        tokio::select! {
            text = read(&mut client) => assert!(text.ends_with("late")),
            text = read(&mut other) => assert!(text.ends_with("late")),
        }
        ending.send(()).unwrap();
        if is_told {
            release.notify_one();
        }
        assert_eq!(served.await.unwrap(), is_told);
        assert!(TcpStream::connect(address).await.is_err());
    }
}

/// A server that accepts the key "k" alone.
async fn guarded(change: impl FnOnce(&mut GatewayLimits)) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut limits = GatewayLimits::for_files(1024);
    change(&mut limits);
    let answer = |headers: axum::http::HeaderMap| async move {
        match headers.get("x-api-key") {
            Some(key) if key == "k" => (StatusCode::OK, "ok"),
            _ => (StatusCode::UNAUTHORIZED, "no"),
        }
    };
    let router = Router::new().route("/", get(answer));
    let connections = Connections::of(listener, &limits);
    tokio::spawn(connections.serve(router.into(), pending(), Arc::default()));
    address
}

#[tokio::test]
async fn a_connection_without_a_valid_key_is_closed_early() {
    let address = guarded(|limits| limits.first_request = Duration::from_millis(200)).await;
    let mut unknown = TcpStream::connect(address).await.unwrap();
    assert_eq!(read(&mut unknown).await, "");
    let mut refused = asked(address).await;
    assert!(read(&mut refused).await.contains("401"));
    assert_eq!(read(&mut refused).await, "");
    let mut known = TcpStream::connect(address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: here\r\nx-api-key: k\r\n\r\n";
    known.write_all(request).await.unwrap();
    assert!(read(&mut known).await.contains("200 OK"));
    sleep(Duration::from_millis(600)).await;
    known.write_all(request).await.unwrap();
    assert!(read(&mut known).await.contains("200 OK"));
}

#[tokio::test]
async fn an_address_with_too_many_connections_leaves_room_for_others() {
    let address = guarded(|limits| limits.connections_per_address = 3).await;
    let mut idle = Vec::new();
    for _ in 0..3 {
        let mut client = asked(address).await;
        assert!(read(&mut client).await.contains("401"));
        idle.push(client);
    }
    let mut one_more = TcpStream::connect(address).await.unwrap();
    assert_eq!(read(&mut one_more).await, "");
    // From another address of this machine.
    let other = tokio::net::TcpSocket::new_v4().unwrap();
    other.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = other.connect(address).await.unwrap();
    other
        .write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n")
        .await
        .unwrap();
    assert!(read(&mut other).await.contains("401"));
    idle.clear();
    loop {
        let mut again = asked(address).await;
        if read(&mut again).await.contains("401") {
            break;
        }
    }
}

#[tokio::test]
async fn a_client_that_has_sent_all_receives_its_whole_answer() {
    let (address, release, _ending, _served) = late(8, Duration::from_secs(20)).await;
    let mut client = asked(address).await;
    client.shutdown().await.unwrap();
    // The answer comes after the check whether the client has disconnected.
    sleep(Duration::from_millis(600)).await;
    release.notify_one();
    let mut answer = String::new();
    client.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"));
    assert!(answer.ends_with("late"), "{answer}");
}

#[tokio::test]
async fn a_connection_that_is_closed_between_requests_ends() {
    let (address, release, _ending, _served) = late(1, Duration::from_secs(20)).await;
    let mut first = asked(address).await;
    release.notify_one();
    assert!(read(&mut first).await.ends_with("late"));
    first.shutdown().await.unwrap();
    assert_eq!(read(&mut first).await, "");
}

#[tokio::test]
async fn a_client_that_left_ends_the_work_before_the_answer_begins() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let work = Arc::new(Semaphore::new(1));
    let working = work.clone();
    let answer = move || {
        let working = working.clone();
        async move {
            let _permit = working.acquire().await;
            pending::<&str>().await
        }
    };
    let router = Router::new().route("/", get(answer));
    let connections = Connections::of(listener, &GatewayLimits::for_files(1024));
    let served = tokio::spawn(connections.serve(router.into(), pending(), Arc::default()));
    let client = asked(address).await;
    while work.available_permits() > 0 {
        sleep(Duration::from_millis(5)).await;
    }
    drop(client);
    let ended = timeout(Duration::from_secs(20), work.acquire()).await;
    assert!(ended.is_ok(), "the work goes on");
    served.abort();
}

#[tokio::test]
async fn a_client_of_http_1_0_gets_no_interim_response() {
    let (address, release, _ending, _served) = late(1, Duration::from_secs(20)).await;
    let mut client = TcpStream::connect(address).await.unwrap();
    client.write_all(b"GET / HTTP/1.0\r\n\r\n").await.unwrap();
    client.shutdown().await.unwrap();
    assert_eq!(read(&mut client).await, "");
    let mut second = asked(address).await;
    sleep(Duration::from_millis(300)).await;
    release.notify_one();
    assert!(read(&mut second).await.ends_with("late"));
}
