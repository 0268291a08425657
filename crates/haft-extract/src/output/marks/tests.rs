use super::{FEW, Marks};

#[test]
fn a_mark_is_new_once_however_many_there_are() {
    let mut marks = Marks::default();
    let many = || (0..100 * FEW as u64).map(|mark| mark * mark);
    assert!(many().all(|mark| marks.insert(mark)));
    assert!(!many().any(|mark| marks.insert(mark)));
    // What is compared one by one stays little.
    assert_eq!(marks.few.len(), FEW);
}
