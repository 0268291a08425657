//! Expands contractions: "what's" becomes "what is".

/// Contractions that are not another word without their apostrophe, which is often missing on
/// phones and in transcripts.
const WITHOUT_APOSTROPHE: [(&str, [&str; 2]); 28] = [
    ("whats", ["what", "is"]),
    ("whos", ["who", "is"]),
    ("wheres", ["where", "is"]),
    ("whens", ["when", "is"]),
    ("hows", ["how", "is"]),
    ("whys", ["why", "is"]),
    ("thats", ["that", "is"]),
    ("theres", ["there", "is"]),
    ("heres", ["here", "is"]),
    ("lets", ["let", "us"]),
    ("im", ["i", "am"]),
    ("ive", ["i", "have"]),
    ("youre", ["you", "are"]),
    ("dont", ["do", "not"]),
    ("doesnt", ["does", "not"]),
    ("didnt", ["did", "not"]),
    ("isnt", ["is", "not"]),
    ("arent", ["are", "not"]),
    ("cant", ["can", "not"]),
    ("cannot", ["can", "not"]),
    ("couldnt", ["could", "not"]),
    ("shouldnt", ["should", "not"]),
    ("mustnt", ["must", "not"]),
    ("wont", ["will", "not"]),
    ("wouldnt", ["would", "not"]),
    ("gonna", ["going", "to"]),
    ("wanna", ["want", "to"]),
    ("gimme", ["give", "me"]),
];

/// Contractions that are another word without their apostrophe: "its", "were", "id".
const WITH_APOSTROPHE: [(&str, [&str; 2]); 3] = [
    ("it's", ["it", "is"]),
    ("we're", ["we", "are"]),
    ("i'd", ["i", "would"]),
];

/// The two words that `word`, in lower case, stands for. The apostrophe may be missing if the
/// result is not another word.
///
/// ```
/// use haft_select::english::written_out;
///
/// assert_eq!(written_out("what's"), Some(["what", "is"]));
/// assert_eq!(written_out("whats"), Some(["what", "is"]));
/// assert_eq!(written_out("its"), None);
/// ```
#[must_use]
pub fn written_out(word: &str) -> Option<[&'static str; 2]> {
    let letters = || word.bytes().filter(|byte| *byte != b'\'');
    let spoken = WITHOUT_APOSTROPHE
        .iter()
        .find(|(known, _)| known.bytes().eq(letters()))
        .or_else(|| WITH_APOSTROPHE.iter().find(|(known, _)| *known == word));
    spoken.map(|(_, parts)| *parts)
}
