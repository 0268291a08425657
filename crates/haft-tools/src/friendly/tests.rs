use super::*;

fn sentence(message: &str) -> String {
    friendly("get_weather", ToolError::new(message))
        .message()
        .to_owned()
}

#[test]
fn s000_10_a_tools_own_words_are_kept() {
    for own in [
        "boom",
        "No such city",
        "The lamp is offline.",
        "The request timed out, please try again.",
        "Error code 17",
    ] {
        assert_eq!(sentence(own), own);
    }
}

#[test]
fn s002_06_network_faults_become_speakable() {
    for technical in [
        "connect ECONNREFUSED 127.0.0.1:1883",
        "getaddrinfo ENOTFOUND zwave.local",
        "error trying to connect: tcp connect error: Connection refused (os error 111)",
        "request to http://10.0.0.5/ failed, reason: connect ECONNREFUSED.",
    ] {
        let spoken = sentence(technical);
        assert_eq!(
            spoken,
            "The service behind get_weather is not available right now."
        );
    }
}

#[test]
fn s002_06_timeouts_become_speakable() {
    assert_eq!(
        sentence("connect ETIMEDOUT 10.0.0.5:443"),
        "get_weather took too long. Please try again later."
    );
    assert_eq!(
        timed_out("f", Duration::from_secs(30)).message(),
        "f took longer than 30 seconds and was stopped."
    );
}

#[test]
fn the_original_error_stays_in_the_detail_for_the_log() {
    let error = friendly("f", ToolError::new("connect ECONNREFUSED 127.0.0.1:1883"));
    assert_eq!(error.kind(), ToolErrorKind::Network);
    assert_eq!(error.detail(), "connect ECONNREFUSED 127.0.0.1:1883");
}
