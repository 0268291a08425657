use super::*;

#[test]
fn a_list_is_current_where_changes_are_announced_and_none_was() {
    let changes = ListChanges::default();
    assert!(!changes.is_current() && changes.has_read_all());
    changes.promise(true);
    assert!(changes.is_current());
    changes.tell();
    assert!(!changes.is_current());
    let told = changes.told();
    // Word that comes while the list is read is not part of it.
    changes.tell();
    changes.read(told);
    assert!(!changes.is_current());
    changes.read(changes.told());
    assert!(changes.is_current());
    changes.promise(false);
    assert!(!changes.is_current());
}
