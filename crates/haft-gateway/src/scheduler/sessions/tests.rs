use haft_core::AiMessage;

use super::*;

#[test]
fn a_conversation_is_known_by_its_beginning() {
    let system = Message::system("Be brief.");
    let first = [system.clone(), Message::human("Hello")];
    let mut second = first.to_vec();
    second.push(AiMessage::new("Hi").into());
    second.push(Message::human("And now?"));
    assert_eq!(session_of("m", &first), session_of("m", &second));
    assert_ne!(session_of("m", &first), session_of("n", &first));
    let other = [system, Message::human("Good day")];
    assert_ne!(session_of("m", &first), session_of("m", &other));
}

#[test]
fn only_the_latest_are_kept() {
    let mut sessions = Sessions::default();
    for number in 0..10 * KEPT as u64 {
        sessions.went(number, 1, number);
        assert!(sessions.used.len() <= KEPT);
        assert_eq!(sessions.upstream(number), Some(1));
    }
    assert_eq!(sessions.upstream(0), None);
}
