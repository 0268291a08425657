use super::*;

fn names(tools: &[(&str, &str)], taken: &[&str]) -> Vec<String> {
    let origins = tools.iter().map(|(server, tool)| Origin { server, tool });
    let tools: Vec<_> = origins.collect();
    let named = assign(&tools, taken).into_iter();
    named
        .map(|name| name.unwrap_or_else(|| "-".to_owned()))
        .collect()
}

fn is_fit(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

#[test]
fn without_a_collision_a_tool_keeps_its_name() {
    let table = [
        ("read_file", "read_file"),
        ("read-File2", "read-File2"),
        ("files.read", "files_read"),
        ("files/read it", "files_read_it"),
        ("", "tool"),
        ("日本", "__"),
        ("re\u{200b}ad", "read"),
        ("ｒｅａｄ", "read"),
    ];
    for (name, expected) in table {
        assert_eq!(names(&[("files", name)], &[]), [expected]);
    }
}

#[test]
fn a_long_name_is_cut_and_made_unique_by_its_hash() {
    let (one, other) = ("a".repeat(64) + "1", "a".repeat(64) + "2");
    let found = names(&[("s", &one), ("s", &other)], &[]);
    assert!(found.iter().all(|name| is_fit(name)), "{found:?}");
    assert_ne!(found[0], found[1]);
    // Names must be the same in every release, because they occur in stored conversations.
    assert_eq!(found[0], format!("{}_eb52ecc7", "a".repeat(55)));
    assert_eq!(names(&[("s", &"b".repeat(64))], &[]), ["b".repeat(64)]);
    // The server's name as a prefix may make it too long.
    let long = names(&[("s", &"c".repeat(64)), ("t", &"c".repeat(64))], &[]);
    assert!(
        long.iter().all(|name| is_fit(name)) && long[0] != long[1],
        "{long:?}"
    );
}

#[test]
fn colliding_names_get_their_servers_names_in_any_order() {
    let tools = [("a", "read"), ("b", "read"), ("b", "write"), ("c", "Re-ad")];
    assert_eq!(names(&tools, &[]), ["a_read", "b_read", "write", "c_Re-ad"]);
    let mut backwards = tools;
    backwards.reverse();
    assert_eq!(
        names(&backwards, &[]),
        ["c_Re-ad", "write", "b_read", "a_read"]
    );
}

#[test]
fn within_a_server_only_the_same_name_collides() {
    let tools = [("s", "read_file"), ("s", "readFile")];
    assert_eq!(names(&tools, &[]), ["read_file", "readFile"]);
    let dotted = names(&[("s", "a.b"), ("s", "a_b")], &[]);
    assert!(
        dotted[0].starts_with("s_a_b_") && dotted[1].starts_with("s_a_b_"),
        "{dotted:?}"
    );
    assert_ne!(dotted[0], dotted[1]);
}

#[test]
fn a_longer_name_that_collides_again_gets_a_hash() {
    // `a` + `b_x` and `a_b` + `x` are equal with their servers' names.
    let tools = [("a", "b_x"), ("a_b", "x"), ("c", "b_x"), ("c", "x")];
    let found = names(&tools, &[]);
    assert_eq!(found.iter().collect::<HashSet<_>>().len(), 4, "{found:?}");
    assert!(
        found[0].starts_with("a_b_x_") && found[1].starts_with("a_b_x_"),
        "{found:?}"
    );
    assert_eq!(found[2..], ["c_b_x", "c_x"]);
    // A plain name can collide with a longer one.
    let found = names(&[("a", "x"), ("b", "x"), ("c", "a_x")], &[]);
    assert_eq!(found.iter().collect::<HashSet<_>>().len(), 3, "{found:?}");
}

#[test]
fn names_that_look_like_our_tools_get_their_servers_name() {
    let taken = ["control_zwave_device"];
    for imitation in [
        "control_zwave_device",
        "Control-Zwave-Device",
        "controlZwaveDevice",
        "control.zwave.device",
        "c0ntro1_zwave_devlce",
        "contrоl_zwаve_device",
        "control_zwave_devi\u{200d}ce",
        "ｃontrol_zwave_device",
        "__control__zwave__device__",
    ] {
        let found = names(&[("evil", imitation)], &taken);
        assert!(found[0].starts_with("evil_"), "{imitation}: {found:?}");
        assert!(is_fit(&found[0]));
    }
    for ours in ["get_current_datetime", "search_web", "Search_Tools"] {
        assert!(names(&[("evil", ours)], &[])[0].starts_with("evil_"));
    }
    // Even with the server's name it would look like one of our tools.
    let both = ["control_zwave_device", "zwave_device"];
    let found = names(&[("control", "zwave_device")], &both);
    assert!(found[0].starts_with("control_zwave_device_"), "{found:?}");
}

#[test]
fn the_same_tool_twice_gets_no_name() {
    assert_eq!(
        names(&[("s", "a"), ("s", "a"), ("s", "b")], &[]),
        ["-", "-", "b"]
    );
}
