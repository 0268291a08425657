use super::*;

#[test]
fn every_word_for_a_place_may_mean_a_time_zone() {
    for word in [
        "city",
        "location",
        "place",
        "zone",
        "tz",
        "country",
        "timezone",
        "time_zone",
        "TZ",
    ] {
        assert_eq!(sense(word, "timezone"), Sense::Same, "{word}");
        assert_eq!(sense(word, "timeZone"), Sense::Same, "{word}");
    }
}

#[test]
fn a_city_is_a_place_but_a_place_need_not_be_a_country() {
    assert_eq!(sense("city", "location"), Sense::Same);
    assert_eq!(sense("location", "city"), Sense::Same);
    for (word, parameter) in [
        ("city", "country"),
        ("country", "city"),
        ("location", "country"),
        ("timezone", "city"),
    ] {
        assert_eq!(sense(word, parameter), Sense::Related, "{word} {parameter}");
    }
}

#[test]
fn ambiguous_words_are_not_synonyms() {
    for (word, parameter) in [
        ("number", "limit"),
        ("name", "deviceName"),
        ("id", "deviceId"),
        ("content", "query"),
        ("colour", "timezone"),
        ("", ""),
    ] {
        assert_eq!(sense(word, parameter), Sense::Other, "{word} {parameter}");
    }
}

#[test]
fn the_table_has_normalised_names() {
    for meaning in &MEANINGS {
        for word in meaning.parameters.iter().chain(meaning.words) {
            assert_eq!(*word, normalize_key(word));
        }
    }
}
