//! Tests with a scripted broker; a real one is in `tests/outside/voice`.

use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

use super::*;

const ACCEPTED: &[u8] = &[0x20, 2, 0, 0];

/// Reads one packet, which is shorter than 128 bytes.
async fn read(stream: &mut TcpStream) -> Vec<u8> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).await.unwrap();
    let mut body = vec![0; usize::from(head[1])];
    stream.read_exact(&mut body).await.unwrap();
    [head.to_vec(), body].concat()
}

async fn broker() -> (TcpListener, MqttOptions) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (
        listener,
        MqttOptions::parse(&format!("mqtt://{address}")).unwrap(),
    )
}

#[tokio::test]
async fn unacknowledged_messages_are_sent_again() {
    let (listener, options) = broker().await;
    let mqtt = Mqtt::start(options);
    mqtt.publish("voice/transcription", "one");
    mqtt.publish("voice/transcription", "two");
    let (mut first, _) = listener.accept().await.unwrap();
    assert_eq!(read(&mut first).await[0], 0x10);
    first.write_all(ACCEPTED).await.unwrap();
    let message = read(&mut first).await;
    assert_eq!(message[0], 0x32);
    assert!(message.ends_with(b"one"));
    drop(first);

    let (mut second, _) = listener.accept().await.unwrap();
    read(&mut second).await;
    second.write_all(ACCEPTED).await.unwrap();
    let again = read(&mut second).await;
    assert_eq!(again[0], 0x3A, "it may be known already");
    assert!(again.ends_with(b"\0\x01one"));
    second.write_all(&[0x40, 2, 0, 1]).await.unwrap();
    let two = read(&mut second).await;
    assert_eq!(two[0], 0x32);
    assert!(two.ends_with(b"\0\x02two"));
    let finishing = tokio::spawn(mqtt.finish());
    second.write_all(&[0x40, 2, 0, 2]).await.unwrap();
    assert_eq!(read(&mut second).await, DISCONNECT_PACKET);
    finishing.await.unwrap();
}

const DISCONNECT_PACKET: &[u8] = &[0xE0, 0];

#[tokio::test]
async fn an_unreachable_broker_does_not_block() {
    let options = MqttOptions::parse("mqtt://127.0.0.1:1").unwrap();
    let mqtt = Mqtt::start(options);
    for at in 0..QUEUE * 2 {
        mqtt.publish("voice/transcription", &at.to_string());
    }
    timeout(FAREWELL + Duration::from_secs(1), mqtt.finish())
        .await
        .expect("it ends all the same");
}

#[tokio::test]
async fn a_refusal_is_described_without_the_password() {
    let (listener, mut options) = broker().await;
    options.user = Some("me".to_owned());
    options.password = Some("hush".to_owned());
    let refusing = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        read(&mut stream).await;
        stream.write_all(&[0x20, 2, 0, 4]).await.unwrap();
    };
    let (connected, ()) = tokio::join!(connect(&options), refusing);
    let error = connected.err().unwrap();
    assert_eq!(error.detail(), "it does not know this user and password");
}
