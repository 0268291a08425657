use super::*;
use haft_testing::named_tool as named;

#[test]
fn names_that_fit_stay_as_they_are() {
    let names = WireNames::new(&[named("list_devices", None), named("a-b", None)]).unwrap();
    assert_eq!(names.wire().collect::<Vec<_>>(), ["list_devices", "a-b"]);
}

#[test]
fn other_names_are_made_to_fit_and_found_again() {
    let long = "x".repeat(100);
    let names = WireNames::new(&[
        named("files.read", None),
        named("files_read", None),
        named(&long, None),
    ])
    .unwrap();
    let wire: Vec<_> = names.wire().map(str::to_owned).collect();
    assert_eq!(wire[0], "files_read");
    assert!(wire[1].starts_with("files_read_"), "{}", wire[1]);
    assert_eq!(wire[2].len(), 64);
    assert_eq!(names.original(&wire[0]), "files.read");
    assert_eq!(names.original(&wire[1]), "files_read");
    assert_eq!(names.original(&wire[2]), long);
    assert_eq!(names.to_wire("files_read"), wire[1]);
    assert_eq!(names.original("never_bound"), "never_bound");
}

#[test]
fn lc_name_goes_before_name() {
    let names = WireNames::new(&[named("plain", Some("preferred"))]).unwrap();
    assert_eq!(names.wire().collect::<Vec<_>>(), ["preferred"]);
}

#[test]
fn two_equal_names_are_refused() {
    let error = WireNames::new(&[named("f", None), named("f", None)]).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("\"f\""));
}
