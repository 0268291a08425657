use super::*;

#[test]
fn websocket_addresses_are_accepted() {
    let address = Address::parse("ws://127.0.0.1:3000").unwrap();
    assert_eq!(address.http().as_str(), "http://127.0.0.1:3000/");
    assert_eq!(address.to_string(), "ws://127.0.0.1:3000");
    let address = Address::parse("wss://home.example/zwave?token=abc").unwrap();
    assert_eq!(
        address.http().as_str(),
        "https://home.example/zwave?token=abc"
    );
    assert_eq!(address.to_string(), "wss://home.example");
}

#[test]
fn other_addresses_are_refused_and_the_password_is_not_shown() {
    for (text, wanted) in [
        (
            "",
            "The Z-Wave server's address \"\" is not an address. Write it like ws://127.0.0.1:3000.",
        ),
        (
            "http://127.0.0.1:3000",
            "The Z-Wave server's address \"http://127.0.0.1:3000\" does not begin with ws:// or \
             wss://. Write it like ws://127.0.0.1:3000.",
        ),
        (
            "http://me:secret@127.0.0.1/?token=secret",
            "The Z-Wave server's address \"http://[hidden]@127.0.0.1/?token=[hidden]\" does not \
             begin with ws:// or wss://. Write it like ws://127.0.0.1:3000.",
        ),
        (
            "ws://me:secret@127.0.0.1",
            "The Z-Wave server's address holds a user or a password. Leave it out: such a server \
             asks for none.",
        ),
    ] {
        let error = Address::parse(text).unwrap_err();
        assert_eq!(error.kind(), ZwaveErrorKind::InvalidAddress);
        assert_eq!(format!("{error} {}", error.hint()), wanted);
    }
}
