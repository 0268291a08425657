use super::*;

fn zone(text: &str) -> String {
    match find(text) {
        Ok(place) => place.zone.iana_name().unwrap_or("fixed").to_owned(),
        Err(sentence) => sentence,
    }
}

#[test]
fn every_zone_of_the_database_is_found_by_its_name() {
    let mut seen = 0;
    for name in DATABASE
        .available()
        .filter(|name| name.as_str() != "Factory")
    {
        let found = find(&name.as_str().to_lowercase()).unwrap();
        assert_eq!(found.zone.iana_name(), Some(name.as_str()));
        seen += 1;
    }
    assert!(seen > 550, "{seen}");
}

#[test]
fn every_place_of_the_table_is_found_and_none_is_listed_twice() {
    let mut seen = HashMap::new();
    for (iana, names) in PLACES {
        for name in names.split('|') {
            assert!(DATABASE.get(iana).is_ok(), "{iana}");
            assert!(find(name).is_ok(), "{name}");
            let before = seen.insert(essential(&fold(name)), iana);
            assert_eq!(before, None, "{name}");
        }
    }
    for (names, _) in SEVERAL_ZONES {
        for name in names.split('|') {
            assert!(find(name).is_err(), "{name}");
        }
    }
}

#[test]
fn names_are_found_in_any_spelling() {
    for (text, expected) in [
        ("Tokyo", "Asia/Tokyo"),
        ("TOKYO", "Asia/Tokyo"),
        ("tokyo time", "Asia/Tokyo"),
        ("Tokio", "Asia/Tokyo"),
        ("asia/kolkata", "Asia/Kolkata"),
        ("Asia Kolkata", "Asia/Kolkata"),
        ("new york", "America/New_York"),
        ("New_York", "America/New_York"),
        ("NYC", "America/New_York"),
        ("Washington, D.C.", "America/New_York"),
        ("L.A.", "America/Los_Angeles"),
        ("San Francisco", "America/Los_Angeles"),
        ("São Paulo", "America/Sao_Paulo"),
        ("Sa\u{303}o Paulo", "America/Sao_Paulo"),
        ("Zürich", "Europe/Zurich"),
        ("Göteborg", "Europe/Stockholm"),
        ("Saint Petersburg", "Europe/Moscow"),
        ("St. John's", "America/St_Johns"),
        ("the Netherlands", "Europe/Amsterdam"),
        ("The Hague", "Europe/Amsterdam"),
        ("Port-au-Prince", "America/Port-au-Prince"),
        ("buenos aires", "America/Argentina/Buenos_Aires"),
        ("Kiev", "Europe/Kyiv"),
        ("Lisboa", "Europe/Lisbon"),
        ("Bruxelles", "Europe/Brussels"),
        ("københavn", "Europe/Copenhagen"),
        ("МОСКВА", "Europe/Moscow"),
        ("東京", "Asia/Tokyo"),
        ("Mumbai", "Asia/Kolkata"),
        ("Beijing", "Asia/Shanghai"),
        ("San Juan", "America/Puerto_Rico"),
        ("Eastern Time", "America/New_York"),
        ("Pacific", "America/Los_Angeles"),
        ("CEST", "Europe/Paris"),
        ("utc", "UTC"),
        ("est", "EST"),
        ("Mountain View, California", "America/Los_Angeles"),
        ("Paris, France", "Europe/Paris"),
        ("Sydney Australia", "Australia/Sydney"),
        ("Springfield, Illinois", "America/Chicago"),
        ("Otaru, Japan", "Asia/Tokyo"),
        ("Paris, Texas", "America/Chicago"),
        ("London, Ontario", "America/Toronto"),
        ("GMT+2", "fixed"),
        ("utc -03:30", "fixed"),
        ("+0545", "fixed"),
    ] {
        assert_eq!(zone(text), expected, "{text}");
    }
}

#[test]
fn the_answer_uses_the_name_from_the_question() {
    for (text, label) in [
        ("munich", "Munich"),
        ("nyc", "NYC"),
        ("sao paulo", "Sao Paulo"),
        ("America/Argentina/Buenos_Aires", "Buenos Aires"),
        ("Otaru, Japan", "Otaru, Japan"),
        ("gmt+2", "UTC+02:00"),
    ] {
        assert_eq!(find(text).unwrap().label.as_deref(), Some(label), "{text}");
    }
}

#[test]
fn a_misspelt_name_is_not_guessed_but_offered() {
    for (text, sentence) in [
        (
            "Tokkyo",
            "I do not know the place \"Tokkyo\". Did you mean Tokyo?",
        ),
        (
            "Sidney",
            "I do not know the place \"Sidney\". Did you mean Sydney?",
        ),
        (
            "Asia/Tokio",
            "I do not know the place \"Asia/Tokio\". Did you mean Asia/Tokyo?",
        ),
        (
            "Xanadu Prime",
            "I do not know the place \"Xanadu Prime\". Please name a larger city, or a time zone such as Asia/Tokyo.",
        ),
    ] {
        assert_eq!(find(text).unwrap_err(), sentence);
    }
}

#[test]
fn at_most_three_names_are_offered() {
    assert_eq!(nearest("xt", false).len(), 3);
    for text in ["xali", "oran0", "lome0", "parix"] {
        let offered = nearest(text, false);
        assert!((1..=3).contains(&offered.len()), "{text}: {offered:?}");
    }
}

#[test]
fn a_place_with_several_zones_asks_for_a_city() {
    for text in [
        "USA",
        "the United States",
        "u.s.a.",
        "Russia",
        "Australia",
        "georgia",
    ] {
        let sentence = find(text).unwrap_err();
        assert!(
            sentence.contains("Please name a city, such as"),
            "{sentence}"
        );
    }
    assert_eq!(
        find("russia").unwrap_err(),
        "Russia has more than one time zone. Please name a city, such as Moscow, Novosibirsk or Vladivostok."
    );
}

#[test]
fn nonsense_is_refused_without_a_panic() {
    for text in [
        "",
        "/",
        "..",
        "../../etc/passwd",
        "Factory",
        "\u{0}",
        "UTC+99",
        "UTC+15",
        "+",
        "-",
        "UTC+1:99",
    ] {
        assert!(find(text).is_err(), "{text}");
    }
    assert!(find(&"é".repeat(10_000)).unwrap_err().len() < 400);
}
