//! The phrases with which models say that they cannot look something up.
//!
//! Short forms are written out (`do not`, `can not`), hyphens are blanks.

/// One of these phrases, after at most `gap` other words.
pub(super) struct Part {
    pub(super) gap: usize,
    pub(super) phrases: &'static [&'static [&'static str]],
}

/// A way to say it.
pub(super) struct RefusalPhrase {
    /// Whether the model must speak of itself before the first part.
    pub(super) has_subject: bool,
    pub(super) parts: &'static [Part],
}

const fn part(gap: usize, phrases: &'static [&'static [&'static str]]) -> Part {
    Part { gap, phrases }
}

/// The end of the sentence.
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
    "external data",
    "external databases",
    "external information",
    "external sources",
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

pub(super) const REFUSAL_PHRASES: &[RefusalPhrase] = &[
    // I don't have access to the internet; to current information; to news.
    RefusalPhrase {
        has_subject: true,
        parts: &[
            part(0, &[HAVE_NO]),
            part(2, &[&["access"]]),
            part(3, &[CURRENT, NET, KNOWLEDGE]),
        ],
    },
    // I don't have access to that.
    RefusalPhrase {
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
    RefusalPhrase {
        has_subject: true,
        parts: &[
            part(0, &[HAVE_NO]),
            part(3, &[CURRENT, NET]),
            part(3, &[ABILITY, KNOWLEDGE]),
        ],
    },
    // I can't access the internet.
    RefusalPhrase {
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
    RefusalPhrase {
        has_subject: true,
        parts: &[
            part(0, &[CANNOT, &["do not"]]),
            part(1, &[TELL]),
            part(4, &[CURRENT]),
            part(3, &[KNOWLEDGE]),
        ],
    },
    // I cannot browse.
    RefusalPhrase {
        has_subject: true,
        parts: &[
            part(0, &[CANNOT, &["do not"]]),
            part(2, &[&["browse", "browsing", "surf", "google"]]),
        ],
    },
    // I can't search the web; for that.
    RefusalPhrase {
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
    RefusalPhrase {
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
    RefusalPhrase {
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
    RefusalPhrase {
        has_subject: true,
        parts: &[
            part(0, &[HAVE_NO]),
            part(2, &[KNOWLEDGE]),
            part(4, &[&["after", "beyond", "past"]]),
        ],
    },
    // I was trained on data up to 2023.
    RefusalPhrase {
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
    RefusalPhrase {
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
    RefusalPhrase {
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
    RefusalPhrase {
        has_subject: false,
        parts: &[
            part(0, &[CURRENT]),
            part(2, &[KNOWLEDGE]),
            part(1, &[&["is not available to me", "are not available to me"]]),
        ],
    },
];
