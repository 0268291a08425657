use super::*;

#[test]
fn a_list_is_current_if_changes_are_announced_and_none_was() {
    let changes = ListChanges::default();
    assert!(!changes.is_current() && changes.has_read_all());
    changes.promise(true);
    assert!(changes.is_current());
    changes.tell();
    assert!(!changes.is_current());
    let announced = changes.announced();
    // A change that is announced during the reading is not included.
    changes.tell();
    changes.read(announced);
    assert!(!changes.is_current());
    changes.read(changes.announced());
    assert!(changes.is_current());
    changes.promise(false);
    assert!(!changes.is_current());
}
