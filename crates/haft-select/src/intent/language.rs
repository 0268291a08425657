//! Whether a text is English, told by its words alone: most of them were seen in training, and
//! few are small words of other languages.

use std::cmp::Ordering;

use super::weights::Weights;
use super::words::Words;

/// Small words of languages that use the Latin script, none of which is a usual English word.
/// English texts hold some of them in names.
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

/// True when a classifier that knows English only should not decide.
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
        // "Who wrote Moby Dick", but not "Licht an". Numbers alone are of no language.
        Ordering::Equal => foreign || all == 2,
        Ordering::Greater => false,
    }
}

#[cfg(test)]
mod tests;
