use super::*;

fn of(id: &str) -> String {
    let mut headers = HeaderMap::new();
    headers.insert(HEADER, id.parse().unwrap());
    RequestId::of(&mut headers).text().to_owned()
}

#[test]
fn a_usable_id_of_the_client_is_taken_and_every_other_one_replaced() {
    assert_eq!(of("a-b_c:1"), "a-b_c:1");
    for id in ["", "two words", &"x".repeat(129), "naïve"] {
        let new = of(id);
        assert!(new.starts_with("req_") && new.len() == 36, "{id}: {new}");
    }
    assert_ne!(of(""), of(""));
}
