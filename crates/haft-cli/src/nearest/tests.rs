use super::*;

#[test]
fn a_slip_of_the_keyboard_is_recognised() {
    let known = ["get_current_datetime", "list_devices", "list_zwave_devices"];
    assert_eq!(
        nearest("get_curent_datetime", known),
        Some("get_current_datetime")
    );
    assert_eq!(nearest("List_Devices", known), Some("list_devices"));
}

#[test]
fn a_different_word_has_no_suggestion() {
    assert_eq!(nearest("browser_click", ["get_current_datetime"]), None);
    assert_eq!(nearest("x", []), None);
}
