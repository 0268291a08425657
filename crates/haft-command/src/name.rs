//! What a device or a room may be called: the words that no name has.
//!
//! A name is the only place where a command takes words that the engine does not know. So that
//! nothing else hides there ("the light in the event of a fire", "the light my boss said"), words
//! of grammar, time and speech are no part of a name, and neither is punctuation.

use haft_select::english::one_of;

use crate::tokens::words;

/// "salt and pepper living room corner floor lamp" has seven; longer names are sentences.
const MOST_WORDS: usize = 7;

const GRAMMAR: &str = "a|an|the|this|that|these|those|i|me|my|mine|you|your|he|him|his|she|her|they|\
    them|their|we|us|our|it|its|who|whom|whose|what|which|when|where|why|how|whether|if|unless|until|\
    till|because|since|although|though|while|whenever|wherever|once|as|than|so|but|or|nor|to|from|with|\
    without|into|onto|upon|about|against|during|before|after|for|at|in|on|off|out|of|up|through|via|\
    between|per|like|not|no|none|nothing|nobody|neither|never|cannot|except|instead|rather|otherwise|\
    else|however|still|yet|already|just|only|even|also|too|very|again|always|sometimes|past|half|perhaps|maybe|\
    probably|possibly|hopefully|supposedly|allegedly|apparently|percent|degrees|degree|there";
const VERBS: &str = "is|are|was|were|be|been|being|am|will|would|shall|should|can|could|may|might|must|\
    ought|do|does|did|done|doing|has|have|had|having|get|gets|got|getting|go|goes|went|going|gone|come|\
    comes|came|coming|turn|turns|turned|turning|switches|switched|switching|set|sets|setting|dims|\
    dimmed|dimming|locks|locked|locking|unlock|unlocks|unlocked|unlocking|open|opens|opened|opening|\
    close|closes|closed|closing|shut|shuts|start|starts|started|starting|stop|stops|stopped|stopping|\
    put|puts|putting|make|makes|made|making|let|lets|keep|keeps|kept|leave|leaves|become|becomes|\
    becoming|happen|happens|want|wants|wanted|need|needs|needed|try|tried|trying|wait|waiting|stay|stays";
const SPEECH: &str = "say|says|said|saying|tell|tells|told|telling|ask|asks|asked|asking|read|reads|\
    write|writes|wrote|written|think|thinks|thought|know|knows|knew|known|mean|means|meant|hear|heard|\
    believe|guess|suppose|imagine|pretend|wonder|wonders|wondering|dream|quote|unquote|translate|\
    remind|promise|promised|suggest|suggested|suggests|reported|reportedly|according|joking|kidding|\
    sorry|oops|actually|scratch|cancel|undo|forget|please|thanks|thank|okay|ok|yes|yeah|hmm";
const TIME: &str = "today|tomorrow|tonight|yesterday|now|then|later|soon|daily|nightly|weekly|monthly|\
    monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|\
    fridays|saturdays|sundays|weekend|weekends|weekday|weekdays|evenings|mornings|hour|hours|minute|minutes|seconds|week|weeks|month|\
    months|year|years|days|o'clock|am|pm|a.m|p.m|eventually|immediately|meanwhile|ago|\
    next|last|latest|afterwards|beforehand";
const CONDITION: &str = "case|event|condition|conditions|assuming|provided|providing|given|supposing|\
    lest|whatever|emergency|depending|circumstances";
/// What is a time where a name ends in it: "the light in the morning", but "the night light".
const TIME_AT_END: &str = "night|nights|morning|evening|noon|midnight|sunset|sunrise|dusk|dawn|\
    christmas|easter|halloween|holidays|day|time|times|moment|while|bit|jiffy|sec|second|minute|instant|bedtime|january|february|\
    march|april|may|june|july|august|september|october|november|december|summer|winter|spring|autumn";

/// True when `name` may be what something is called.
pub(crate) fn is_clear(name: &str) -> bool {
    let words = words(name);
    let has_stop = words
        .iter()
        .take(words.len().saturating_sub(1))
        .any(|word| word.stop != crate::tokens::Stop::None);
    let Some(last) = words.last() else {
        return false;
    };
    words.len() <= MOST_WORDS
        && !has_stop
        && !name.contains(['"', '“', '”', '„', '«', '»', '(', ')'])
        && !one_of(&last.lower, TIME_AT_END)
        && words.iter().all(|word| may_be_in_name(&word.lower))
        && !words
            .iter()
            .all(|word| word.lower == "and" || word.lower == "&")
}

/// True when a name may have `word` in it.
pub(crate) fn may_be_in_name(word: &str) -> bool {
    let is_shortened = ["n't", "'ll", "'d", "'re", "'ve", "'m"]
        .iter()
        .any(|end| word.ends_with(end));
    !is_shortened
        && !word.contains(['%', '°'])
        && (word == "&" || word == "+" || word.contains(char::is_alphanumeric))
        && !one_of(word, "he's|she's|let's|what's|there's")
        && ![GRAMMAR, VERBS, SPEECH, TIME, CONDITION]
            .iter()
            .any(|list| one_of(word, list))
}

#[cfg(test)]
mod tests;
