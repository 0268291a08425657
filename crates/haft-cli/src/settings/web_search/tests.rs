use super::*;

fn settings(text: &str) -> WebSearchSettings {
    let section = toml::from_str(text).unwrap();
    let source = || Source::File("haft.toml".into());
    WebSearchSettings::of(section, source, source)
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
fn flags_override_the_file() {
    let off = settings("enabled = false");
    assert_eq!(off.search().enabled, Some(false));
    assert_eq!(off.with_flag(Some(true)).search().enabled, Some(true));
    assert_eq!(off.with_flag(None).search().enabled, Some(false));
    assert_eq!(settings("").search().enabled, None);
    assert_eq!(
        settings("").with_flag(Some(false)).search().enabled,
        Some(false)
    );
}

#[test]
fn only_a_configured_url_replaces_the_default_search_engines() {
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
