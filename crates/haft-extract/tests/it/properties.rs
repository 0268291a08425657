//! Properties that hold for every reply, right or wrong: the answer does not depend on how the
//! reply was cut, and text is neither lost nor doubled. The replies are made of those of the case
//! corpus, strung together with prose or damaged at random, with fixed seeds.

use crate::support::answer::{self, Run};
use crate::support::case::{self, Case};
use fastrand::Rng;
use haft_extract::{ExtractOptions, ToolSet};

/// How many replies each property is tried with; some three seconds in a debug build.
const TRIES: usize = 400;

/// Longer cases are left out, to try more of them.
const MAX_REPLY: usize = 1500;

/// Prose between cases, with brackets, fences and marks that mean nothing.
const PROSE: [&str; 8] = [
    "Plain words.",
    "若要 (使用) 它 [1], 请看。",
    "a < b and {c} | d",
    "- a list\n- of `things`",
    "| a | table |",
    "> \"quoted\" 'text'",
    "Emoji 👩‍👩‍👧 and é",
    "1. One: two = 3;",
];

#[test]
fn joined_replies_read_the_same_however_cut() {
    let cases = seeds();
    let mut random = Rng::with_seed(1);
    for _ in 0..TRIES {
        let reply = joined(&cases, &mut random);
        assert_steady(reply.as_bytes(), random_options(&mut random), &mut random);
    }
}

#[test]
fn damaged_replies_read_the_same_however_cut() {
    let cases = seeds();
    let mut random = Rng::with_seed(2);
    for _ in 0..TRIES {
        let reply = random.choice(&cases).unwrap().reply.clone();
        let reply = damaged(reply.into_bytes(), &mut random);
        assert_steady(&reply, random_options(&mut random), &mut random);
    }
}

/// The text before a call, of which only the end is looked at, decides whether it is a mention.
#[test]
fn long_text_before_a_call_reads_the_same_however_cut() {
    let call = r#"[{"tool_name": "noop", "parameters": {}}]"#;
    let lead = r#"{"a": {"b": [1, {"c>2)*3")"#.repeat(50);
    let reply = format!("An example: {lead} nAction: ```json\n{call}\n``");
    let tools = case::named_tools("home");
    let options = ExtractOptions::default();
    let whole = answer::whole(&tools, options, reply.as_bytes());
    for at in 1..reply.len() {
        let got = answer::cut(&tools, options, reply.as_bytes(), &[at]);
        assert_same(&whole, &got, || format!("cut at {at}, {reply:?}"));
    }
}

#[test]
fn text_comes_out_in_order_and_once() {
    let cases = seeds();
    let tools = case::named_tools("home");
    let mut random = Rng::with_seed(3);
    for _ in 0..TRIES {
        let reply = damaged(joined(&cases, &mut random).into_bytes(), &mut random);
        let run = answer::whole(&tools, random_options(&mut random), &reply);
        assert_in_order(&String::from_utf8_lossy(&reply), &run);
    }
}

#[test]
fn prose_between_replies_is_neither_lost_nor_doubled() {
    let mut cases = seeds();
    cases.retain(is_closed);
    let tools = case::named_tools("home");
    let mut random = Rng::with_seed(4);
    for _ in 0..TRIES {
        let count = random.usize(2..5);
        let mut reply = String::new();
        for at in 0..count {
            reply.push_str(&random.choice(&cases).unwrap().reply);
            reply.push_str(&format!("\n\nzebra{at}zebra walks.\n\n"));
        }
        let run = answer::whole(&tools, ExtractOptions::default(), reply.as_bytes());
        for at in 0..count {
            assert_once(&format!("zebra{at}zebra"), &reply, &run);
        }
    }
}

#[test]
fn prose_alone_stays_as_it_is() {
    let tools = case::named_tools("home");
    let mut random = Rng::with_seed(5);
    for _ in 0..TRIES {
        let count = random.usize(1..6);
        let parts: Vec<&str> = (0..count)
            .map(|_| *random.choice(&PROSE).unwrap())
            .collect();
        let reply = parts.join("\n\n");
        let run = answer::whole(&tools, ExtractOptions::default(), reply.as_bytes());
        assert_eq!(run.answer.content, reply);
        assert!(
            run.answer.calls.is_empty() && run.answer.invalid.is_empty(),
            "{reply}"
        );
    }
}

/// Replies for the shared tool set that need no option.
fn seeds() -> Vec<Case> {
    let groups = case::groups();
    let cases = groups.iter().flat_map(|group| case::load(group));
    cases
        .filter(|case| case.tools == "home" && !case.starts_thinking && !case.text_mode)
        .filter(|case| case.reply.len() < MAX_REPLY)
        .collect()
}

/// True unless something in the reply is open at its end, so that what follows may belong to it.
fn is_closed(case: &Case) -> bool {
    let open = [
        "cut", "missing", "mention", "half", "unclosed", "only", "damage", "header",
    ];
    !open.iter().any(|word| case.id.contains(word))
}

/// A few replies with prose between them.
fn joined(cases: &[Case], random: &mut Rng) -> String {
    let mut reply = String::new();
    for _ in 0..random.usize(1..4) {
        if random.bool() {
            reply.push_str(random.choice(&PROSE).unwrap());
        }
        reply.push_str(random.choice(&["", " ", "\n", "\n\n"]).unwrap());
        reply.push_str(&random.choice(cases).unwrap().reply);
        reply.push_str(random.choice(&["", " ", "\n", "\n\n"]).unwrap());
    }
    reply
}

/// A reply with a few bytes or stretches lost, doubled, swapped, or put in.
fn damaged(mut reply: Vec<u8>, random: &mut Rng) -> Vec<u8> {
    const LIKELY: &[u8] = b"<>[]{}()|/\\\"'`=:,; \n_.#0aZ";
    for _ in 0..random.usize(1..5) {
        let at = random.usize(0..=reply.len());
        let end = reply.len().min(at + random.usize(1..12));
        match random.u8(0..6) {
            0 => drop(reply.drain(at..end)),
            1 => {
                let doubled = reply[at..end].to_vec();
                reply.splice(at..at, doubled);
            }
            2 if end > at => reply.swap(at, end - 1),
            3 => reply.insert(at, *random.choice(LIKELY).unwrap()),
            4 => reply.truncate(at),
            _ => reply.insert(at, random.u8(..)),
        }
    }
    reply
}

fn random_options(random: &mut Rng) -> ExtractOptions {
    let mut options = ExtractOptions::default();
    options.text_mode = random.u8(0..4) == 0;
    options.starts_thinking = random.u8(0..6) == 0;
    options
}

fn assert_steady(reply: &[u8], options: ExtractOptions, random: &mut Rng) {
    let tools: ToolSet = case::named_tools("home");
    let whole = answer::whole(&tools, options, reply);
    let context = || format!("{options:?}\n{:?}", String::from_utf8_lossy(reply));
    let got = answer::bytes(&tools, options, reply);
    assert_same(&whole, &got, || format!("by bytes, {}", context()));
    for _ in 0..4 {
        let cuts = answer::random_cuts(random, reply.len(), 6);
        let got = answer::cut(&tools, options, reply, &cuts);
        assert_same(&whole, &got, || format!("cut at {cuts:?}, {}", context()));
    }
}

fn assert_same(whole: &Run, got: &Run, context: impl Fn() -> String) {
    assert!(
        whole.extraction == got.extraction,
        "{}\nwhole {:#?}\ngot {:#?}",
        context(),
        whole.extraction,
        got.extraction
    );
}

/// Each piece of text stands in the reply after the one before it, and so does each piece of
/// thinking. (White space before thinking may come after it, with the next text.)
fn assert_in_order(reply: &str, run: &Run) {
    for pieces in [&run.texts, &run.thoughts] {
        let mut rest = reply;
        for piece in pieces {
            let (_, after) = rest.split_once(piece.as_str()).unwrap_or_else(|| {
                panic!("{piece:?} is not in {rest:?}, the rest of {reply:?}\n{pieces:?}")
            });
            rest = after;
        }
    }
}

/// `word` is once in what the user or the model gets to read: text, thinking, or a call.
fn assert_once(word: &str, reply: &str, run: &Run) {
    let extraction = &run.extraction;
    let text = format!("{}{}", extraction.content, extraction.reasoning);
    let count = text.matches(word).count();
    assert!(count <= 1, "{word} is doubled: {reply:?}\n{extraction:#?}");
    let calls = serde_json::to_string(&extraction.calls).unwrap();
    let invalid = serde_json::to_string(&extraction.invalid).unwrap();
    let is_kept = count == 1 || calls.contains(word) || invalid.contains(word);
    assert!(is_kept, "{word} is lost: {reply:?}\n{extraction:#?}");
}
