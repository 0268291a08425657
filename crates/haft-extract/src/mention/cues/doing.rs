//! Words by which a text says that a call is made, and words that only look like them.

use super::Words;
use crate::mention::search::Cues;

/// What is done now, or is about to be.
pub(in crate::mention) static INTENT: Cues = Cues::new(include_str!("../words/intent.txt"));

/// Words that end in "ing" and say of nothing that it is done.
pub(in crate::mention) const NOT_DOING: Words = "
interesting, amazing, outstanding, remaining, corresponding, resulting, underlying, surprising, confusing, suggesting, proposing, planning, quoting, recommending, considering, thinking, waiting, showing, describing, talking, guessing, according, during, depending, assuming, regarding, following, warning, nothing, anything, something, everything, pending, meaning, missing, including, existing, writing, wondering, explaining, demonstrating, missing, being, having, concerning, hoping, avoiding, refusing, morning, evening, string, instead, thing, given, calling that,
";

/// Verbs in the first person that do not say that something is done, and words that look like one.
pub(in crate::mention) const NOT_DONE: Words = include_str!("../words/not_done.txt");

/// Words that stand before a verb in the first person in Spanish, Italian and Portuguese.
pub(in crate::mention) const BEFORE_VERB: Words = "
antes, después, lo, la, le, gli, li, las, los, les, te, ti, me, mi, vi, ve, se, si, ya, yo, io, eu, ora, ahora, adesso, agora, subito, enseguida, entonces, quindi, allora, então, y, e, così, que, ci, ne, primero, prima, primeiro, poi, luego, d, te lo, os, a, asi, así, vale, claro, certo, ok, bene, bien, bem, prima,
";

/// What may stand behind "I" that does not say that something is done.
pub(in crate::mention) const NOT_I: Words = "
could, can, would, should, might, may, must, have, had, was, were, did, do, don't, am, won't, cannot, can't, never, not, think, suggest, propose, recommend, refuse, want, wanted, believe, guess, know, see, saw, found, ran, wrote, said, quote, hope, wish, like, understand, mean, meant, intend, plan, read, described, felt, feel, doubt, suppose, assume, recall, remember, made, sent, told, and, or, agree, only, just, also, thought, gave, got, advise, warn, strongly, personally, usually, often, typically, generally, normally, sometimes, would've, shall, went, came, took, knew, chose, built, forgot, spoke, began, lost, met, put, brought, caught, spent, understood, tend, prefer, ask, wonder, warned, answered, deliberately, skipped, avoided, stopped, then, held, kept, left,
";

/// Words that tell Spanish, Italian and Portuguese from other languages.
pub(in crate::mention) static ROMANCE: Cues = Cues::new(include_str!("../words/romance.txt"));

/// With what a sentence begins that announces calls: what it says of them behind is their purpose.
pub(in crate::mention) const ANNOUNCED: Words = include_str!("../words/announced.txt");

/// With what a short text begins that only announces a call.
pub(in crate::mention) const PLAIN_LEAD_IN: Words = include_str!("../words/plain_lead_in.txt");

/// Words that say when: now.
pub(in crate::mention) static NOW: Cues = Cues::new(include_str!("../words/now.txt"));

/// What joins two calls.
pub(in crate::mention) const CONNECT: Words = include_str!("../words/connect.txt");

/// With what the label of a step begins.
pub(in crate::mention) const STEPS: Words = include_str!("../words/steps.txt");

/// Words that end in "ing" and name a thing where they stand alone.
pub(in crate::mention) const MAY_BE_THING: Words = "building, listing, setting,";

/// Words of the past that say what the user wants.
pub(in crate::mention) const ASKED: Words = "asked, requested, wanted, needed, ordered,";

/// With what a sentence goes on that says yes to what the user asked.
pub(in crate::mention) const YES: Words = "
yes, sure, of course, okay, ok, alright, all right, certainly, absolutely, understood, got it, done, ja, gerne, in ordnung, alles klar, verstanden, d'accord, très bien, vale, de acuerdo, muy bien, va bene, d'accordo, tudo bem, хорошо, klar, natürlich, gerne, gern, oui, bien sûr, sí, claro, por supuesto, sì, certo, sim, com certeza, да, конечно, はい, 是的, 好的, 可以,
";

/// What is promised behind a yes: "Sí, puedo hacerlo".
pub(in crate::mention) static ABLE: Cues = Cues::new(include_str!("../words/able.txt"));

/// What joins two possibilities.
pub(in crate::mention) static OR: Cues = Cues::new(include_str!("../words/or.txt"));

/// What leads to the conclusion of a sentence.
pub(in crate::mention) const CONCLUSION: [&str; 14] = [
    ", so ",
    ", therefore ",
    ", also ",
    ", deshalb ",
    ", daher ",
    ", donc ",
    ", je vais donc ",
    ", así que ",
    ", por eso ",
    ", quindi ",
    ", perciò ",
    ", então ",
    ", поэтому ",
    "，所以",
];

/// Words that point to the call, or to the text of it, as to a thing.
pub(in crate::mention) static POINTING: Cues = Cues::new(include_str!("../words/pointing.txt"));

/// With these a sentence goes on that shows a thing: "Sure, this is what the old one said".
pub(in crate::mention) static PRESENTING: Cues = Cues::new(include_str!("../words/presenting.txt"));

/// What the user is shown because of having asked for it.
pub(in crate::mention) static WANTED: Cues = Cues::new(include_str!("../words/wanted.txt"));

/// What is done with a text, and with no tool.
pub(in crate::mention) static RENDERING: Cues = Cues::new(include_str!("../words/rendering.txt"));

/// With what a sentence begins that says what for something is done.
pub(in crate::mention) const PURPOSE: Words = "to, in order to, um, pour, afin de, para, per,";
