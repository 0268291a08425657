use super::*;

#[test]
fn a_star_matches_anything() {
    for (pattern, text) in [
        ("search_web", "Search_Web"),
        ("browser_*", "browser_"),
        ("*zwave_device*", "control_zwave_device"),
        ("*zwave_device*", "list_zwave_devices"),
        ("a*b*c", "aXXbYbc"),
        ("*", ""),
    ] {
        assert!(matches(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [
        ("search_web", "search_web_pages"),
        ("browser_*", "my_browser_click"),
        ("a*b*c", "acb"),
        ("ab*ba", "aba"),
        ("", "x"),
    ] {
        assert!(!matches(pattern, text), "{pattern} {text}");
    }
}
