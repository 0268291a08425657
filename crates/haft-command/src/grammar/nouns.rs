//! What rooms are called, and what else may stand in the name of a device. The nouns of devices
//! themselves stand in `haft_select::english`.

use haft_select::english::{is_device_noun, one_of};

use crate::tokens::Phrase;

/// Things that are switched, and whose names also mean what is no device.
pub(super) const THINGS: &str = "radio|stereo|music|tree|vacuum|coffee|toaster|fridge|freezer|camera|projector|monitor|\
    printer|router|roomba|microwave|stove|hob|fireplace|candle|candles|computer|pc|screen|cooker|mixer|\
    charger|playstation|xbox|console|soundbar|amplifier|aquarium|pond|fountain|sauna|pool|doorbell";
/// What may follow the noun in a name: "lamp 2", "light left", "door camera".
const SUFFIXES: &str = "one|two|three|four|five|six|seven|eight|nine|ten|left|right|middle|centre|center|main|\
    front|back|big|small|new|old|top|bottom|bell|opener|contact|mode|cleaner|maker|stand|system|unit|\
    group|side|corner|table|desk|bed|stairs|ceiling|wall|floor|temperature|humidity|motion|brightness|\
    battery|power|car|alarm|point|strip|adapter|robot|box|bar|ring|row|track";
pub(super) const ROOMS: &str = "room|kitchen|bedroom|bathroom|bath|hall|hallway|corridor|lounge|office|study|\
    attic|basement|cellar|garden|balcony|terrace|patio|porch|nursery|toilet|laundry|pantry|closet|\
    upstairs|downstairs|outside|inside|house|home|flat|apartment|here|indoors|outdoors|\
    yard|backyard|driveway|shed|loft|landing|conservatory";

/// True when a word of `phrase` is what parts of a home are called.
pub(super) fn has_room(phrase: Phrase<'_>) -> bool {
    phrase.has(ROOMS)
}

/// True when a word of `phrase` is what devices are called.
pub(crate) fn has_device_noun(phrase: Phrase<'_>) -> bool {
    phrase
        .words()
        .iter()
        .any(|word| is_device_noun(&word.lower))
}

/// True when nothing follows the noun of a name but what may: "kitchen light blah" is no name.
pub(super) fn ends_well(phrase: Phrase<'_>) -> bool {
    let noun = phrase
        .words()
        .iter()
        .rposition(|word| is_device_noun(&word.lower));
    let Some(noun) = noun else { return true };
    phrase.from(noun + 1).words().iter().all(|word| {
        let is_number = word.lower.chars().all(|c| c.is_ascii_digit());
        is_number
            || matches!(word.lower.as_bytes(), [b'a'..=b'z'])
            || [SUFFIXES, ROOMS, THINGS]
                .iter()
                .any(|list| one_of(&word.lower, list))
    })
}
