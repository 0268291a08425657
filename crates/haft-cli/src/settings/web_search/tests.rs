use super::*;

fn settings(text: &str) -> WebSearchSettings {
    let section = toml::from_str(text).unwrap();
    WebSearchSettings::of(section, || Source::File("haft.toml".into()))
}

#[test]
fn a_server_is_named_found_or_left_among_the_tools() {
    for (text, server) in [
        ("", Playwright::Found),
        ("playwright = true", Playwright::Found),
        ("playwright = false", Playwright::Ordinary),
        ("playwright = \"web\"", Playwright::Named("web".into())),
    ] {
        assert_eq!(settings(text).search().playwright, server, "{text}");
    }
    let error = toml::from_str::<WebSearchSection>("playwright = 1").unwrap_err();
    assert!(error.message().contains("the name of an MCP server"));
}

#[test]
fn flags_go_before_the_file() {
    let off = settings("enabled = false");
    assert_eq!(off.search().enabled, Some(false));
    assert_eq!(off.with_flags(true, false).search().enabled, Some(true));
    assert_eq!(off.with_flags(false, false).search().enabled, Some(false));
    assert_eq!(settings("").search().enabled, None);
    assert_eq!(
        settings("").with_flags(false, true).search().enabled,
        Some(false)
    );
}

#[test]
fn only_an_address_that_was_set_takes_the_place_of_the_default_engines() {
    assert_eq!(settings("").search().options.url, None);
    let set = settings("url = \"http://localhost:1/?q={query}\"\ntimeout = \"3s\"");
    assert_eq!(
        set.search().options.page().of("x"),
        "http://localhost:1/?q=x"
    );
    assert_eq!(set.search().options.timeout, Duration::from_secs(3));
    let error = toml::from_str::<WebSearchSection>("url = \"http://localhost:1/\"").unwrap_err();
    assert!(error.message().contains("{query}"));
}
