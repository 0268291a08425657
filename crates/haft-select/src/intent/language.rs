//! Detects whether a text is English by its words: most of them occurred in training, and few are
//! function words of other languages.

use std::cmp::Ordering;

use super::weights::Weights;
use super::words::Words;

/// Function words of languages with Latin script that are not common English words. English texts
/// contain some of them in names.
const FOREIGN: [&str; 108] = [
    "dem",
    "der",
    "ein",
    "eine",
    "einen",
    "ist",
    "wie",
    "wer",
    "und",
    "nicht",
    "bitte",
    "mach",
    "schalte",
    "licht",
    "uhr",
    "ich",
    "mir",
    "auf",
    "aus",
    "viel",
    "spät",
    "wetter",
    "küche",
    "est",
    "une",
    "du",
    "dans",
    "quelle",
    "quel",
    "heure",
    "allume",
    "éteins",
    "lumière",
    "je",
    "moi",
    "qui",
    "où",
    "et",
    "ne",
    "pas",
    "fait",
    "una",
    "por",
    "que",
    "qué",
    "hora",
    "es",
    "enciende",
    "apaga",
    "luz",
    "luces",
    "cuál",
    "quién",
    "cómo",
    "dónde",
    "y",
    "che",
    "sono",
    "accendi",
    "spegni",
    "luce",
    "luci",
    "della",
    "quale",
    "chi",
    "são",
    "horas",
    "não",
    "ligar",
    "ligue",
    "desligue",
    "acende",
    "uma",
    "você",
    "het",
    "een",
    "doe",
    "zet",
    "wat",
    "hoe",
    "laat",
    "welke",
    "uit",
    "och",
    "det",
    "är",
    "vad",
    "hvad",
    "jag",
    "jeg",
    "tænd",
    "slå",
    "jest",
    "która",
    "godzina",
    "włącz",
    "światło",
    "saat",
    "kaç",
    "ışık",
    "das",
    "des",
    "les",
    "el",
    "los",
    "las",
    "il",
    "le",
];

/// True if a classifier for English should not decide.
pub(super) fn is_foreign(words: &Words, weights: &Weights) -> bool {
    let (mut known, mut all, mut foreign) = (0_usize, 0_usize, false);
    for word in words.iter().filter(|word| *word != "0") {
        all += 1;
        if FOREIGN.contains(&word) {
            foreign = true;
        } else if weights.knows(word) {
            known += 1;
        }
    }
    match (2 * known).cmp(&all) {
        Ordering::Less => true,
        // "Who wrote Moby Dick" is English, "Licht an" is not. Numbers alone have no language.
        Ordering::Equal => foreign || all == 2,
        Ordering::Greater => false,
    }
}

#[cfg(test)]
mod tests;
