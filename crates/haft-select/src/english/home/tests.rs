use super::*;

#[test]
fn a_noun_names_one_device_or_a_group() {
    assert_eq!(kind_of_one("lamp"), Some(DeviceKind::Light));
    assert_eq!(kind_of_group("lamp"), None);
    assert_eq!(kind_of_group("lamps"), Some(DeviceKind::Light));
    assert_eq!(kind_of_one("chandelier"), None);
    assert_eq!(kind_of_noun("chandelier"), Some(DeviceKind::Light));
    assert_eq!(DeviceKind::Light.plural(), "lights");
    assert_eq!(DeviceKind::Anything.plural(), "devices");
    assert!(!is_device_noun(""));
    assert!(!is_device_noun("kitchen"));
}

#[test]
fn no_word_has_two_kinds() {
    let words = |nouns: &Nouns| {
        let all = [nouns.one, nouns.special, nouns.several];
        let words = all.into_iter().flat_map(|list| list.split('|'));
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut all: Vec<String> = NOUNS.iter().flat_map(words).collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}
