use super::*;

fn judged(name: &str, read_only: Option<bool>, destructive: Option<bool>) -> (bool, bool) {
    let hints = Hints {
        read_only,
        destructive,
        idempotent: None,
    };
    let effects = effects(name, hints, false);
    (effects.read_only, effects.destructive)
}

#[test]
fn hints_are_believed_as_far_as_they_warn() {
    let table = [
        // Without hints the protocol's default counts.
        ("write", None, None, (false, true)),
        ("write", Some(false), None, (false, true)),
        ("write", None, Some(true), (false, true)),
        ("write", Some(false), Some(false), (false, false)),
        ("read", Some(true), None, (true, false)),
        ("read", Some(true), Some(false), (true, false)),
        // A server that contradicts itself is believed where it warns.
        ("read", Some(true), Some(true), (false, true)),
        ("delete_file", Some(true), None, (false, true)),
        ("deleteFile", Some(true), Some(false), (false, true)),
        ("DELETE", None, Some(false), (false, true)),
        ("HTTPDelete", Some(true), None, (false, true)),
        ("door.unlock", Some(true), None, (false, true)),
        // Single words only.
        ("list_deleted_files", Some(true), None, (true, false)),
        ("get_removal_dates", Some(true), None, (true, false)),
    ];
    for (name, read_only, destructive, expected) in table {
        let found = judged(name, read_only, destructive);
        assert_eq!(found, expected, "{name} {read_only:?} {destructive:?}");
    }
}

#[test]
fn the_configuration_has_the_last_word() {
    let hints = Hints {
        read_only: Some(true),
        destructive: Some(true),
        idempotent: Some(true),
    };
    let approved = effects("delete_all", hints, true);
    assert!(!approved.destructive && !approved.read_only && approved.idempotent);
}
