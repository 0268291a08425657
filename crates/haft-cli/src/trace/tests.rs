use std::time::Duration;

use super::*;

#[test]
fn times_are_readable() {
    assert_eq!(took(Duration::from_micros(900)), "0 ms");
    assert_eq!(took(Duration::from_millis(999)), "999 ms");
    assert_eq!(took(Duration::from_millis(1_250)), "1.2 s");
}

#[test]
fn thoughts_become_lines() {
    let mut thoughts = Thoughts::default();
    assert!(thoughts.push("The user ").is_empty());
    assert_eq!(
        thoughts.push("wants light.\nSo "),
        ["The user wants light."]
    );
    assert_eq!(thoughts.push(&"x".repeat(500)).len(), 1);
    assert_eq!(thoughts.finish(), None);
}
