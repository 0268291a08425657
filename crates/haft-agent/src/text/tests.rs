use super::*;

#[test]
fn names_and_texts_are_cut_where_people_see_words() {
    assert_eq!(words_of_name("HassTurnOn"), ["hass", "turn", "on"]);
    assert_eq!(words_of_name("get_weather.v2"), ["get", "weather", "v2"]);
    assert_eq!(
        words("What’s on? Ann's lamp"),
        ["what", "is", "on", "ann", "lamp"]
    );
}

#[test]
fn a_point_in_a_number_ends_no_sentence() {
    assert_eq!(
        sentences("It is 18.5 °C. Do you need more? ..."),
        ["It is 18.5 °C.", "Do you need more?"]
    );
    assert!(sentences(" . ").is_empty());
}

#[test]
fn numbers_are_read_with_digits_and_as_words() {
    assert_eq!(numbers("1,234 and 18.5, then 18,5."), [1234.0, 18.5, 18.5]);
    let said = said_numbers("twenty five percent, then two hundred and half");
    for number in [25.0, 200.0, 50.0, 0.5] {
        assert!(said.contains(&number), "{number}: {said:?}");
    }
}
