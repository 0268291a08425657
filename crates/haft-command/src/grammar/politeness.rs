//! Words of politeness and address: they ask for nothing, and are taken off before a clause is
//! read. What is not listed here, nor understood elsewhere, is not taken for politeness.

use crate::intent::Intent;
use crate::tokens::Phrase;

/// Before what is asked for, whatever it is.
const LEADING: [&str; 21] = [
    "i would|will really? appreciate it if you could|would|can",
    "i would be very? grateful|thankful|glad if you could|would|can",
    "would it be possible for? you? to",
    "i was|am just? wondering if|whether you could|can|would",
    "may|might|could|can i ask you to",
    "would|will|could you? be a dear|darling|love|sweetheart|angel and?",
    "be a dear|darling|love|sweetheart|angel and?",
    "please|pls|plz|kindly|just|now|then|also|ok|okay|so|well|like|um|uh|oh|actually|alright|and|plus|next|right|great|perfect",
    "can|could|would|will you|u please|possibly|kindly|just|maybe?",
    "i? want|need you to",
    "i would like you to",
    "i|we want|need|wish to",
    "i|we would like to",
    "can|could|may i have",
    "go ahead and?",
    "let us",
    "after that|this",
    "be so kind and|to",
    "be so kind as to",
    "do me a favor|favour and?",
    "would you be so kind and|to",
];
/// What is called a condition for politeness alone.
const COURTEOUS: [&str; 6] = [
    "if you do not mind",
    "if you please|can|could",
    "if you would be so? kind|good",
    "if it is not too much? trouble|bother",
    "if it is no trouble|bother",
    "if that is ok|okay|alright|fine with? you?",
];
/// Before what somebody wants to know; a command that follows is none.
const ASKING: [&str; 9] = [
    "are you able to",
    "i would like to know|hear",
    "i want|need to know",
    "would you mind telling me",
    "can|could|may i know|ask",
    "do you happen? to? know",
    "any idea",
    "let me know",
    "quick question",
];
const TRAILING: [&str; 16] = [
    "if you can|could|would|please|may",
    "if possible",
    "right now",
    "please|pls|plz|thx|now|currently|immediately|thanks|already|again|then|though|exactly",
    "thank you very|so? much? indeed?",
    "thanks a? lot?",
    "no rush|hurry|worries|problem",
    "at the moment",
    "at present",
    "at once",
    "for me|us",
    "right away",
    "straight away",
    "would|will|can|could you",
    "ok|okay|alright",
    "quickly|quick",
];
const GREETINGS: [&str; 3] = [
    "hello|hi|hey|yo|hallo|greetings|howdy there?",
    "good morning|evening|afternoon|day",
    "hi|hello all|everyone",
];
/// Who is spoken to, in words that are said of nothing else.
const ADDRESSES: [&str; 3] = [
    "haft|alexa|siri|jarvis|cortana|olly|bixby|mycroft",
    "assistant|darling|honey|sweetie|buddy|mate|dude|sir|madam|pal|bro",
    "my friend|dear|love|darling",
];
/// Who is spoken to where the word stands first or alone: it may be a device, too.
const FIRST_ADDRESSES: &str = "computer|google|dear|man";
const LONE_ADDRESSES: &str = "house|home|robot|echo|nabu|love|everyone|guys|folks";
/// "Would you mind turning on the light", said as a command.
const MINDED: [(&str, &str); 17] = [
    ("turning", "turn"),
    ("switching", "switch"),
    ("setting", "set"),
    ("dimming", "dim"),
    ("locking", "lock"),
    ("unlocking", "unlock"),
    ("opening", "open"),
    ("closing", "close"),
    ("shutting", "shut"),
    ("putting", "put"),
    ("making", "make"),
    ("lowering", "lower"),
    ("raising", "raise"),
    ("brightening", "brighten"),
    ("starting", "start"),
    ("stopping", "stop"),
    ("changing", "change"),
];

/// A phrase without its politeness.
pub(crate) struct Polite<'a> {
    pub(crate) rest: Phrase<'a>,
    /// Whether a greeting was taken off.
    pub(crate) greeted: bool,
    /// Whether the user said that they want to know something.
    pub(crate) asks_to_know: bool,
}

/// True where `phrase` begins with a condition that is none.
pub(crate) fn begins_courteously(phrase: Phrase<'_>) -> bool {
    let phrase = phrase.without("please");
    COURTEOUS.iter().any(|words| phrase.starts(words))
}

/// The command that "would you mind turning on the light" asks for.
pub(crate) fn minded(phrase: Phrase<'_>) -> Option<String> {
    let polite = phrase.without("please|hey|hi|so?");
    let rest = polite.strip("would|do you mind please|kindly?")?;
    let (_, verb) = MINDED.iter().find(|(said, _)| *said == rest.at(0))?;
    Some(format!("{verb} {}", rest.from(1).text()))
}

/// True when `phrase` asks somebody to do something, so that a question mark makes it no question.
pub(crate) fn is_request(phrase: Phrase<'_>) -> bool {
    (0..phrase.len()).any(|at| {
        let rest = phrase.from(at);
        rest.starts("can|could|would|will you|u")
            || rest.starts("please|pls|plz|okay|ok")
            || rest.starts("can|could|may i have")
            || rest.starts("do you mind")
            || rest.starts("would it be possible")
            || rest.starts("can|could|may|might i ask you to")
    })
}

/// What is said for politeness alone, or asked about the engine itself.
pub(super) fn courtesy(phrase: Phrase<'_>) -> Option<Intent> {
    let help = [
        "help me?",
        "what can you do|control",
        "what can i say|ask|do you?",
        "what do you do",
        "what are you able to do",
        "how can you help me?",
        "what commands|things do|can you know|understand|do?",
        "who are you",
        "what are you",
        "are you a|an? real? ai|robot|human|person|bot|chatbot|assistant|computer|llm|machine",
        "are you a|an? large? language model",
        "what|which language? model are you",
        "are you chatgpt|gpt|claude|alexa|siri|gemini|llama|google",
        "what is your name",
    ];
    let thanks = [
        "thanks|thank|cheers you? a? lot?",
        "thank you very? so? much? indeed?",
        "i|we appreciate it",
    ];
    let stops = [
        "stop|cancel|abort|enough|nevermind that|it?",
        "never mind",
        "do? nothing",
        "do not",
        "forget|scratch it|that",
        "no thanks|thank|way? you?",
    ];
    let farewell = ["good? night|bye|goodbye|goodnight", "see you later?"];
    if farewell.iter().any(|words| phrase.is(words)) {
        return Some(Intent::Farewell);
    }
    if stops.iter().any(|words| phrase.is(words)) {
        return Some(Intent::Negated);
    }
    if phrase.is("yes|yeah|yep|yup|sure") || phrase.is("no rush|hurry|worries|problem") {
        return Some(Intent::Nothing);
    }
    if [
        "good job|work",
        "well done",
        "nice one",
        "be quick",
        "quickly",
        "quick",
        "hurry up?",
        "that is all|it",
    ]
    .iter()
    .any(|words| phrase.is(words))
    {
        return Some(Intent::Nothing);
    }
    if help.iter().any(|words| phrase.is(words)) {
        Some(Intent::Help)
    } else if thanks.iter().any(|words| phrase.is(words)) {
        Some(Intent::Thanks)
    } else if phrase.is("how are|is you|it doing|going? today?") {
        Some(Intent::Greeting)
    } else {
        None
    }
}

/// Takes off what asks nothing.
pub(crate) fn without_noise(mut phrase: Phrase<'_>) -> Polite<'_> {
    let (mut greeted, mut asks_to_know) = (false, false);
    loop {
        let before = phrase.len();
        if let Some(rest) = phrase.strip_any(&GREETINGS) {
            (phrase, greeted) = (rest, true);
        }
        let is_courtesy = phrase.starts("next week|weekend|month|year|day|time|morning|night")
            || phrase.starts("thank");
        let asks_to_do = phrase.starts("can|could|may|might i ask you to");
        if !asks_to_do && let Some(rest) = phrase.strip_any(&ASKING) {
            (phrase, asks_to_know) = (rest, true);
        } else if !is_courtesy
            && let Some(rest) = LEADING
                .iter()
                .chain(&COURTEOUS)
                .chain(&ADDRESSES)
                .chain([&FIRST_ADDRESSES])
                .find_map(|words| phrase.strip(words))
        {
            phrase = rest;
        }
        let ending = TRAILING
            .iter()
            .chain(&COURTEOUS)
            .chain(&ADDRESSES)
            .find_map(|words| phrase.strip_end(words));
        if let Some(rest) = ending.filter(|rest| !rest.is_empty() || phrase.len() == 1) {
            if phrase.starts("no? thanks|thank") && phrase.len() <= 5 {
                break;
            }
            phrase = rest;
        }
        if phrase.is(LONE_ADDRESSES) {
            phrase = phrase.to(0);
        }
        if phrase.len() == before {
            break;
        }
    }
    Polite {
        rest: phrase,
        greeted,
        asks_to_know,
    }
}
