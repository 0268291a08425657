//! Whether a reply says that the model does not know because it cannot look.
//!
//! Models say it in few ways: no access to current information, no way to search or browse, a
//! date at which their knowledge ends. Each is a [`Saying`] of words in order, with some between
//! them; the model must speak of itself. English only: in other languages nothing is recognised.

/// In characters: who cannot answer says so at once. What stands further behind is a remark.
const LOOKED_AT: usize = 500;

/// In words: how far the verb may stand from the "I" it belongs to.
const SUBJECT_GAP: usize = 6;

/// Who else may be spoken of between an "I" and a verb.
const OTHERS: [&str; 15] = [
    "you", "he", "she", "it", "they", "we", "people", "users", "who", "which", "that", "if",
    "whether", "your", "because",
];

/// What may stand before a sentence without "I".
const OPENERS: [&str; 5] = ["sorry", "unfortunately", "currently", "apologies", "but"];

/// Whose things are meant is no matter for the web.
const PERSONAL: [&str; 5] = ["your", "my", "his", "her", "their"];

/// One of these phrases, after at most `gap` other words.
struct Part {
    gap: usize,
    phrases: &'static [&'static [&'static str]],
}

/// A way to say it.
struct Saying {
    /// Whether the model must speak of itself before the first part.
    has_subject: bool,
    parts: &'static [Part],
}

const fn part(gap: usize, phrases: &'static [&'static [&'static str]]) -> Part {
    Part { gap, phrases }
}

/// Nothing: the sentence is over.
const END: &[&str] = &[""];

const HAVE_NO: &[&str] = &[
    "do not have",
    "do not currently have",
    "do not possess",
    "have no",
    "currently have no",
    "lack",
    "am without",
];

const CANNOT: &[&str] = &[
    "can not",
    "could not",
    "am unable to",
    "am not able to",
    "am currently unable to",
    "am not currently able to",
    "am incapable of",
    "am not capable of",
    "am not equipped to",
    "am not designed to",
    "was unable to",
    "was not able to",
    "unable to",
    "not able to",
    "do not have the ability to",
    "do not have the capability to",
    "do not have the tools to",
    "do not have a way to",
    "have no way to",
    "have no way of",
    "have no ability to",
    "lack the ability to",
];

const CURRENT: &[&str] = &[
    "real time",
    "realtime",
    "live",
    "current",
    "up to date",
    "up to the minute",
    "latest",
    "recent",
    "today's",
];

const NET: &[&str] = &[
    "internet",
    "web",
    "online",
    "website",
    "websites",
    "search engine",
    "search engines",
];

const KNOWLEDGE: &[&str] = &[
    "information",
    "data",
    "news",
    "weather",
    "forecast",
    "forecasts",
    "price",
    "prices",
    "rates",
    "scores",
    "events",
    "updates",
    "knowledge",
    "databases",
];

const ABILITY: &[&str] = &["access", "capabilities", "browsing", "connection", "search"];

const TELL: &[&str] = &[
    "provide",
    "providing",
    "give",
    "offer",
    "retrieve",
    "retrieving",
    "access",
    "accessing",
    "check",
    "get",
    "fetch",
    "tell",
    "share",
    "see",
    "show",
    "pull",
    "know",
    "knowing",
];

const SAYINGS: &[Saying] = &[
    // I don't have access to the internet; to current information; to news.
    Saying {
        has_subject: true,
        parts: &[
            part(0, &[HAVE_NO]),
            part(2, &[&["access"]]),
            part(3, &[CURRENT, NET, KNOWLEDGE]),
        ],
    },
    // I don't have access to that.
    Saying {
        has_subject: true,
        parts: &[
            part(0, &[HAVE_NO]),
            part(1, &[&["access"]]),
            part(
                0,
                &[&["to that", "to this", "to it", "to those", "to such things"]],
            ),
            part(0, &[END]),
        ],
    },
    // I don't have real-time access; I have no up-to-date information.
    Saying {
        has_subject: true,
        parts: &[
            part(0, &[HAVE_NO]),
            part(3, &[CURRENT, NET]),
            part(3, &[ABILITY, KNOWLEDGE]),
        ],
    },
    // I can't access the internet.
    Saying {
        has_subject: true,
        parts: &[
            part(0, &[CANNOT]),
            part(
                1,
                &[&["access", "accessing", "connect to", "use", "go", "reach"]],
            ),
            part(3, &[NET]),
        ],
    },
    // I'm unable to provide current prices.
    Saying {
        has_subject: true,
        parts: &[
            part(0, &[CANNOT, &["do not"]]),
            part(1, &[TELL]),
            part(4, &[CURRENT]),
            part(3, &[KNOWLEDGE]),
        ],
    },
    // I cannot browse.
    Saying {
        has_subject: true,
        parts: &[
            part(0, &[CANNOT, &["do not"]]),
            part(2, &[&["browse", "browsing", "surf", "google"]]),
        ],
    },
    // I can't search the web; for that.
    Saying {
        has_subject: true,
        parts: &[
            part(0, &[CANNOT]),
            part(2, &[&["search", "searching"]]),
            part(
                2,
                &[
                    NET,
                    CURRENT,
                    KNOWLEDGE,
                    &["for that", "for this", "for it"],
                    END,
                ],
            ),
        ],
    },
    // I'm not able to look that up.
    Saying {
        has_subject: true,
        parts: &[
            part(0, &[CANNOT]),
            part(
                2,
                &[&[
                    "look up",
                    "look that up",
                    "look this up",
                    "look it up",
                    "look things up",
                    "looking up",
                ]],
            ),
        ],
    },
    // I'm not connected to the internet.
    Saying {
        has_subject: true,
        parts: &[
            part(
                0,
                &[&[
                    "am not connected to",
                    "am not currently connected to",
                    "have no connection to",
                    "do not have a connection to",
                ]],
            ),
            part(2, &[NET]),
        ],
    },
    // I have no information on events after 2023.
    Saying {
        has_subject: true,
        parts: &[
            part(0, &[HAVE_NO]),
            part(2, &[KNOWLEDGE]),
            part(4, &[&["after", "beyond", "past"]]),
        ],
    },
    // I was trained on data up to 2023.
    Saying {
        has_subject: true,
        parts: &[
            part(
                0,
                &[&[
                    "was trained",
                    "was last trained",
                    "was last updated",
                    "am trained",
                ]],
            ),
            part(4, &[&["up to", "until", "up until", "in"]]),
        ],
    },
    // As of my last update; my knowledge cutoff.
    Saying {
        has_subject: false,
        parts: &[
            part(0, &[&["my", "as of my", "since my"]]),
            part(
                1,
                &[&[
                    "knowledge",
                    "training",
                    "training data",
                    "information",
                    "last",
                ]],
            ),
            part(
                1,
                &[&[
                    "cutoff",
                    "cut off",
                    "update",
                    "training",
                    "ends",
                    "ended",
                    "stops",
                    "only goes",
                    "goes up to",
                    "goes until",
                    "only extends",
                    "extends up to",
                    "is limited to",
                    "only includes",
                    "was last updated",
                    "is current up to",
                ]],
            ),
        ],
    },
    // What a search tool says.
    Saying {
        has_subject: false,
        parts: &[part(
            0,
            &[&[
                "no direct answer found",
                "no direct answer was found",
                "could not find a direct answer",
                "did not find a direct answer",
                "found no direct answer",
            ]],
        )],
    },
    // Real-time data is not available to me.
    Saying {
        has_subject: false,
        parts: &[
            part(0, &[CURRENT]),
            part(2, &[KNOWLEDGE]),
            part(1, &[&["is not available to me", "are not available to me"]]),
        ],
    },
];

/// True when the reply says that a search would help.
pub(super) fn asks_for_search(reply: &str) -> bool {
    let beginning: String = reply.chars().take(LOOKED_AT).collect();
    let mut sentences = beginning.split(['.', '!', '?', ';', '\n']);
    sentences.any(|sentence| {
        let words = words(sentence);
        SAYINGS.iter().any(|saying| saying.is_in(&words))
    })
}

impl Saying {
    fn is_in(&self, words: &[String]) -> bool {
        (0..words.len()).any(|begin| {
            let (before, after) = words.split_at_checked(begin).unwrap_or((words, &[]));
            (!self.has_subject || speaks_of_itself(before)) && follows(after, self.parts)
        })
    }
}

/// True when what follows these words of a sentence is about the one who speaks.
fn speaks_of_itself(before: &[String]) -> bool {
    if before.iter().all(|word| OPENERS.contains(&word.as_str())) {
        return true;
    }
    let between = before.iter().rev().take_while(|word| *word != "i");
    let between: Vec<_> = between.collect();
    between.len() < before.len()
        && between.len() <= SUBJECT_GAP
        && !between.iter().any(|word| OTHERS.contains(&word.as_str()))
}

fn follows(words: &[String], parts: &[Part]) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return !words.first().is_some_and(is_personal);
    };
    for skipped in 0..=part.gap {
        let Some((between, here)) = words.split_at_checked(skipped) else {
            return false;
        };
        if between.iter().any(is_personal) {
            return false;
        }
        let phrases = part.phrases.iter().copied().flatten();
        let behind = phrases.filter_map(|phrase| behind(here, phrase));
        if behind.into_iter().any(|behind| follows(behind, rest)) {
            return true;
        }
    }
    false
}

#[expect(clippy::ptr_arg, reason = "it is handed to iterators over words")]
fn is_personal(word: &String) -> bool {
    PERSONAL.contains(&word.as_str())
}

/// The words behind a phrase, where they begin with it.
fn behind<'a>(words: &'a [String], phrase: &str) -> Option<&'a [String]> {
    if phrase.is_empty() {
        return words.is_empty().then_some(words);
    }
    let mut rest = words;
    for expected in phrase.split(' ') {
        let (first, after) = rest.split_first()?;
        if first != expected {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

/// The words of a sentence in lower case, with short forms written out.
fn words(sentence: &str) -> Vec<String> {
    let sentence = sentence.to_lowercase().replace(['’', '‘', 'ʼ', '`'], "'");
    let pieces = sentence.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let mut words = Vec::new();
    for piece in pieces.map(|piece| piece.trim_matches('\'')) {
        let long: &[&str] = match piece {
            "" => &[],
            "cannot" | "can't" | "cant" => &["can", "not"],
            "won't" => &["will", "not"],
            "don't" | "dont" => &["do", "not"],
            "couldn't" => &["could", "not"],
            "didn't" => &["did", "not"],
            "isn't" => &["is", "not"],
            "aren't" => &["are", "not"],
            "wasn't" => &["was", "not"],
            "i'm" | "im" => &["i", "am"],
            "i've" | "ive" => &["i", "have"],
            other => &[other],
        };
        words.extend(long.iter().map(|word| (*word).to_owned()));
    }
    words
}

#[cfg(test)]
mod tests;
