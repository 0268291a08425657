use super::*;

#[test]
fn the_table_is_sorted_and_every_marker_is_found() {
    assert!(MARKERS.is_sorted_by(|one, next| one.letters < next.letters));
    for marker in MARKERS {
        assert_eq!(find(marker.letters.as_bytes()), Some(marker));
    }
}
