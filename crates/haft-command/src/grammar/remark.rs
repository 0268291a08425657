//! Remarks that people make beside a command: "it is far too bright", "the coffee is ready".
//!
//! They say how things are, ask for nothing and put nothing off, so a command beside them stands.
//! The list is closed: a remark that is not known stops the command, as it may be a report, a
//! condition or a joke.

use crate::tokens::Phrase;

/// How warm, bright or late it is.
const WEATHER: &str = "dark|cold|hot|warm|cool|bright|late|early|stuffy|humid|chilly|freezing|boiling|\
    gloomy|dim|noisy|loud|quiet|stifling|bedtime|sunny|morning|night";
/// How people are.
const FEELING: &str = "cold|hot|warm|tired|home|back|here|sleepy|awake|freezing|boiling|leaving|done|\
    ready|exhausted|bored|hungry|sweating|shivering";
/// Where people go, or what they go on to do.
const GOING: &str = "to? bed|sleep|home|out|work|school|away|upstairs|downstairs";
const DEGREE: [&str; 3] = [
    "far|way|much|a? bit|little? too|so|very|really|quite|rather|pretty|getting?",
    "getting far|way|a? bit|little? too|so|very|really|quite|rather|pretty?",
    "a? bit|little too?",
];
/// What people want to do with the light on or off.
const ACTIVITIES: [&str; 3] = [
    "watch|see a|the|this? film|movie|tv|television|show",
    "go? to? sleep|bed",
    "read|sleep|eat|cook|relax|work|study|leave|rest a|the|my? bit|book|dinner|lunch|breakfast?",
];

/// True when `phrase`, all of it, is a remark that changes nothing.
pub(super) fn is_remark(phrase: Phrase<'_>) -> bool {
    let phrase = phrase.without("because|as|since");
    let phrase = phrase.without_end("here|now|already|today|again");
    let phrase = phrase.without_end("in here");
    let phrase = phrase.without_end("in");
    about_the_room(phrase) || about_people(phrase) || is_done(phrase)
}

/// "It is getting too dark".
fn about_the_room(phrase: Phrase<'_>) -> bool {
    let Some(rest) = phrase
        .strip("it is|gets|feels just?")
        .or_else(|| phrase.strip("i have the feeling that it is"))
    else {
        return false;
    };
    degrees(rest).any(|rest| rest.is(WEATHER))
}

/// "I am cold", "we are going to bed", "we want to watch a film".
fn about_people(phrase: Phrase<'_>) -> bool {
    if let Some(rest) = phrase.strip("i|we am|are|feel just?") {
        let going = rest
            .strip("about to go")
            .or_else(|| rest.strip("going|off|heading|leaving"));
        if going.is_some_and(|rest| rest.is(GOING)) {
            return true;
        }
        return degrees(rest).any(|rest| rest.is(FEELING));
    }
    phrase
        .strip("i|we want|need|like to")
        .or_else(|| phrase.strip("i|we would like to"))
        .is_some_and(|rest| ACTIVITIES.iter().any(|words| rest.is(words)))
}

/// "The coffee is ready".
fn is_done(phrase: Phrase<'_>) -> bool {
    phrase.is("the|my|our? coffee|tea|dinner|lunch|breakfast|food|cake|film|movie is ready|done|finished|over")
}

/// `phrase` without what says how much, in every way that it can be read.
fn degrees(phrase: Phrase<'_>) -> impl Iterator<Item = Phrase<'_>> {
    let without = DEGREE.iter().filter_map(move |words| phrase.strip(words));
    std::iter::once(phrase).chain(without)
}

#[cfg(test)]
mod tests;
