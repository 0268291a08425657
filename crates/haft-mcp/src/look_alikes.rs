//! Letters of other alphabets that look like Latin ones. A name written with them would be mistaken
//! for another name, by a user and by the rules that judge names.

/// The Latin letter that `letter` looks like, for common alphabets (a part of `confusables.txt` of
/// Unicode's UTS 39), or `letter` itself.
pub(crate) fn latin(letter: char) -> char {
    const ALIKE: [(&str, &str); 3] = [
        // Cyrillic.
        (
            "аеорсухіјѕԁһԛԝӏкмтАВЕКМНОРСТУХІЈЅ",
            "aeopcyxijsdhqwlkmtABEKMHOPCTYXIJS",
        ),
        // Greek.
        ("οαρνικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oapvikABEZHIKMNOPTYX"),
        // Others.
        ("ıɑɡ‐‑‒–—−", "iag------"),
    ];
    if letter.is_ascii() {
        return letter;
    }
    if let full_width @ 0xff01..=0xff5e = u32::from(letter) {
        return char::from_u32(full_width - 0xfee0).unwrap_or(letter);
    }
    let mut pairs = ALIKE
        .iter()
        .flat_map(|(strange, latin)| strange.chars().zip(latin.chars()));
    pairs
        .find(|(strange, _)| *strange == letter)
        .map_or(letter, |(_, latin)| latin)
}
