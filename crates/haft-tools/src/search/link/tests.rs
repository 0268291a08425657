use super::*;

fn led(href: &str, page: &str) -> Option<(String, bool)> {
    let page = Url::parse(page).unwrap();
    target(href, &page).map(|target| (target.url, target.is_elsewhere))
}

#[test]
fn the_target_of_a_redirecting_page_is_found() {
    let page = "https://html.duckduckgo.com/html/?q=x";
    let found = Some(("https://example.org/boat-2026".to_owned(), true));
    let href = "//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2Fboat%2D2026&rut=abc";
    assert_eq!(led(href, page), found);
    assert_eq!(led(href, "http://127.0.0.1:8080/?q=x"), found);
    let href = "/url?sa=t&url=https%3A%2F%2Fexample.org%2Fboat-2026";
    assert_eq!(led(href, "https://www.google.com/search?q=x"), found);
    // A page that only takes an address is the result itself.
    let share = "https://other.example/share?url=https://example.org/";
    assert_eq!(led(share, page), Some((share.to_owned(), true)));
}

#[test]
fn links_of_the_engine_itself_are_not_results() {
    let page = "https://html.duckduckgo.com/html/?q=x";
    for own in ["/privacy", "?q=y", "https://duckduckgo.com/feedback"] {
        assert!(!led(own, page).unwrap().1, "{own}");
    }
    for none in [
        "javascript:alert(1)",
        "mailto:a@example.org",
        "data:text/html,x",
        "http://",
    ] {
        assert_eq!(led(none, page), None, "{none}");
    }
    let local = "http://127.0.0.1:8080/search";
    assert!(!led("/result", local).unwrap().1);
    assert!(led("http://127.0.0.1:9090/", local).unwrap().1);
}

#[test]
fn addresses_are_distinguished_from_text() {
    for address in [
        "example.org/boat-2026",
        "https://a.example",
        "en.wikipedia.org › wiki › Oslo",
        "a.example",
    ] {
        assert!(is_address(address), "{address}");
    }
    for text in [
        "Node.js is a runtime",
        "The end.",
        "12.5 percent",
        "Oslo",
        "Oslo - a city",
    ] {
        assert!(!is_address(text), "{text}");
    }
}
