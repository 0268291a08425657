use mdns_sd::{Receiver, ServiceEvent};

use super::*;

/// How long to wait for an announcement on a busy machine; it is repeated every 20 s.
const MIN_WAIT: Duration = Duration::from_secs(50);

/// A listener on loopback only; no packet is sent to a network.
fn listener() -> (Daemon, Receiver<ServiceEvent>) {
    let daemon = ServiceDaemon::new().unwrap();
    daemon.disable_interface(IfKind::All).unwrap();
    daemon.enable_interface(IfKind::LoopbackV4).unwrap();
    let events = daemon.browse(SERVICE).unwrap();
    let full_name = String::new();
    (Daemon { daemon, full_name }, events)
}

/// The first event that `wanted` accepts.
async fn heard<T>(
    events: &Receiver<ServiceEvent>,
    wanted: impl Fn(ServiceEvent) -> Option<T>,
) -> T {
    let listening = async {
        loop {
            if let Some(found) = wanted(events.recv_async().await.unwrap()) {
                return found;
            }
        }
    };
    let heard = timeout(MIN_WAIT, listening).await;
    heard.unwrap_or_else(|_| panic!("nothing was heard"))
}

/// A port that no other test announces.
const PORT: u16 = 10_417;

#[tokio::test]
async fn s001_03_a_listener_hears_the_announcement_and_the_goodbye() {
    let (_daemon, events) = listener();
    // Its thread must be listening by then: the next announcement follows after 20 s.
    sleep(Duration::from_secs(1)).await;
    let announcement = Announcement::begin(SocketAddr::from(([127, 0, 0, 1], PORT))).unwrap();
    let full_name = format!("{}.{SERVICE}", announcement.name());
    let service = heard(&events, |event| match event {
        ServiceEvent::ServiceResolved(service) if service.port == PORT => Some(service),
        _ => None,
    })
    .await;
    assert_eq!(service.fullname, full_name);
    let addresses: Vec<String> = service
        .get_addresses_v4()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(addresses, ["127.0.0.1"]);
    announcement.withdraw().await;
    heard(&events, |event| match event {
        ServiceEvent::ServiceRemoved(_, name) if name == full_name => Some(()),
        _ => None,
    })
    .await;
}

#[tokio::test]
async fn a_server_of_the_network_is_not_announced_on_loopback() {
    let (_daemon, events) = listener();
    // A documentation address (RFC 5737) that no machine has, so that nothing is sent.
    let address = SocketAddr::from(([192, 0, 2, 1], PORT + 1));
    let announcement = Announcement::begin(address).unwrap();
    let listening = async {
        loop {
            if let ServiceEvent::ServiceResolved(service) = events.recv_async().await.unwrap() {
                assert_ne!(service.port, PORT + 1);
            }
        }
    };
    assert!(timeout(Duration::from_secs(2), listening).await.is_err());
    announcement.withdraw().await;
}

#[test]
fn the_name_of_the_machine_is_a_valid_label() {
    let name = machine_name();
    assert!((1..=MAX_MACHINE).contains(&name.len()), "{name}");
    assert!(!name.contains('.'));
}
