use super::*;

#[test]
fn the_query_is_encoded_wherever_it_stands() {
    let url: SearchUrl = "https://search.example/find/{query}?again={query}#x"
        .parse()
        .unwrap();
    assert_eq!(
        url.of("a/b ü&c={query}"),
        "https://search.example/find/a%2Fb%20%C3%BC%26c%3D%7Bquery%7D?again=a%2Fb%20%C3%BC%26c%3D%7Bquery%7D#x"
    );
    assert!(SearchUrl::default().of("x").ends_with("?q=x"));
}

#[test]
fn addresses_without_a_place_for_the_query_are_refused() {
    for (text, complaint) in [
        ("", "is not an address"),
        ("search {query}", "is not an address"),
        ("file:///etc/{query}", "must begin with http"),
        ("https://search.example/", "has no {query}"),
        ("https://{query}/", "has no {query} behind its host"),
        (
            "https://search.example{query}/",
            "has no {query} behind its host",
        ),
    ] {
        let error = text.parse::<SearchUrl>().unwrap_err();
        assert!(error.to_string().contains(complaint), "{text}: {error}");
        assert!(error.hint().unwrap().contains("{query}"));
    }
}
