use super::{FEW, Mark, Marks};

#[test]
fn a_mark_is_new_once_however_many_there_are() {
    let mut marks = Marks::default();
    let many = || (0..100 * FEW).map(|count| Mark::default().of(count * count));
    assert!(many().all(|mark| marks.insert(mark)));
    assert!(!many().any(|mark| marks.insert(mark)));
    // What is compared one by one stays little.
    assert_eq!(marks.count, FEW);
}
