use super::*;

#[test]
fn secrets_are_long_and_never_the_same() {
    let (one, other) = (new_secret().unwrap(), new_secret().unwrap());
    assert_ne!(one, other);
    assert!(one.starts_with("haft_"));
    assert_eq!(one.len(), 5 + 43);
}

#[test]
fn a_hash_survives_storage_and_shows_nothing_in_logs() {
    let hash = SecretHash::of("haft_x");
    assert_eq!(SecretHash::decoded(&hash.encoded()), Some(hash));
    assert_ne!(SecretHash::of("haft_y"), hash);
    assert_eq!(format!("{hash:?}"), "SecretHash");
    assert_eq!(SecretHash::decoded("too short"), None);
}
