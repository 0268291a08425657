//! Calls that a reply only mentions, and calls that it makes, in ten languages: the corpus of the
//! rule in `src/mention.rs`. A line of `tests/mentions/corpus.jsonl` is a reply and the names of
//! the tools that it calls; the text of a reply that calls none comes out whole. `strangers.jsonl` has
//! that form, too, for tools of which some may do harm.

use haft_extract::{
    BareCalls, ExtractOptions, Extraction, Extractor, Mention, Piece, ToolDefinition, ToolSet,
    extract,
};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Case {
    reply: String,
    calls: Vec<String>,
}

const BARE: &str = "reboot_server()";

fn definitions() -> Vec<ToolDefinition> {
    let tool = |name: &str, parameters: &[&str]| {
        let members = parameters
            .iter()
            .map(|name| ((*name).to_owned(), json!({"type": "string"})));
        let properties = serde_json::Value::Object(members.collect());
        ToolDefinition::new(name, json!({"type": "object", "properties": properties}))
    };
    vec![
        tool("reboot_server", &[]),
        tool("list_files", &["path"]),
        tool("get_weather", &["city"]),
        tool("unlock_door", &["door"]),
        tool("turn_on", &["device"]),
        tool("send_email", &["to", "body"]),
    ]
}

/// More tools for the corpus; their parameters take any value.
fn corpus_tools() -> ToolSet {
    let tool = |name: &&str| ToolDefinition::new(*name, json!({"type": "object"}));
    let more = [
        "book_table",
        "close_blinds",
        "create_event",
        "get_temperature",
        "get_time",
        "list_dir",
        "lock_door",
        "play_music",
        "read_file",
        "search_emails",
        "search_files",
        "set_alarm",
        "set_light",
        "set_thermostat",
        "web_search",
        "delete_email",
        "delete_file",
    ];
    let more = more.iter().map(tool);
    ToolSet::from_definitions(definitions().into_iter().chain(more))
}

fn tools() -> ToolSet {
    ToolSet::from_definitions(definitions())
}

fn with(bare_calls: BareCalls) -> ExtractOptions {
    let mut options = ExtractOptions::default();
    options.bare_calls = bare_calls;
    options
}

/// Reads a reply in pieces of so many bytes.
fn in_pieces(tools: &ToolSet, reply: &str, size: usize) -> Extraction {
    let mut extraction = Extraction::default();
    let mut extractor = Extractor::new(tools, ExtractOptions::default());
    for chunk in reply.as_bytes().chunks(size) {
        extractor.push(chunk, &mut |piece| extraction.add(piece));
    }
    extractor.finish(&mut |piece| extraction.add(piece));
    extraction
}

fn names(extraction: &Extraction) -> Vec<&str> {
    extraction
        .calls
        .iter()
        .map(|call| call.name.as_str())
        .collect()
}

fn read(reply: &str) -> Extraction {
    extract(&tools(), ExtractOptions::default(), reply)
}

/// The tools of `strangers.jsonl`: some that read or do no harm, and some that may do harm.
fn strangers_tools() -> ToolSet {
    let tool = |name: &str, does_harm| {
        ToolDefinition::new(name, json!({"type": "object"})).destructive(does_harm)
    };
    let harmless = ["get_weather", "list_files", "get_time", "turn_on_light"];
    let harmful = ["reboot_server", "delete_file", "unlock_door"];
    let harmless = harmless.map(|name| tool(name, false));
    ToolSet::from_definitions(
        harmless
            .into_iter()
            .chain(harmful.map(|name| tool(name, true))),
    )
}

/// Says of which replies of a corpus the calls are not found, in some way of cutting them.
fn misread(tools: &ToolSet, corpus: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for line in corpus.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        for size in [usize::MAX, 1, 7] {
            let found = in_pieces(tools, &case.reply, size.min(case.reply.len()).max(1));
            let is_whole = !case.calls.is_empty() || found.content == case.reply;
            if names(&found) != case.calls || !is_whole {
                wrong.push(format!(
                    "{:?} in pieces of {size}: {:?}",
                    case.reply,
                    names(&found)
                ));
            }
        }
    }
    wrong
}

#[test]
fn every_reply_of_the_corpus_is_told_apart_however_it_is_cut() {
    let corpus = include_str!("../mentions/corpus.jsonl");
    assert!(corpus.lines().count() > 1000);
    let wrong = misread(&corpus_tools(), corpus);
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn replies_with_tools_that_may_do_harm_are_told_apart() {
    let corpus = include_str!("../mentions/strangers.jsonl");
    assert!(corpus.lines().count() > 800);
    let wrong = misread(&strangers_tools(), corpus);
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_mention_says_why_and_stays_in_the_text() {
    for (reply, reason) in [
        (
            format!("Your options:\n1. {BARE}\n2. list_files()"),
            Mention::Option,
        ),
        (
            format!("Never run the following:\n```\n{BARE}\n```"),
            Mention::Prohibited,
        ),
        (format!("{BARE}\nShall I run this?"), Mention::Question),
        (
            format!("If the disk is full:\n{BARE}"),
            Mention::Conditional,
        ),
        (format!("For example:\n{BARE}"), Mention::Example),
        (
            format!("> {BARE}\nis what the page says."),
            Mention::Quotation,
        ),
    ] {
        let found = read(&reply);
        assert_eq!(names(&found), [] as [&str; 0], "{reply}");
        assert_eq!(found.content, reply);
        assert_eq!(found.mentions.first(), Some(&reason), "{reply}");
    }
    assert_eq!(Mention::Option.reason(), "offered as an option");
}

#[test]
fn a_marked_call_is_a_call_unless_the_text_before_it_says_otherwise() {
    let call = "<tool_call>{\"name\": \"reboot_server\", \"arguments\": {}}</tool_call>";
    for lead in [
        "",
        "Well.",
        "It is slow.",
        "I restart it, as you said:",
        "It is not executed yet, so I'll run it now:",
        "A look at the database schema comes first:",
        "18:30 is fine, so I restart it:",
    ] {
        assert_eq!(
            names(&read(&format!("{lead}\n{call}\nOk?"))),
            ["reboot_server"],
            "{lead}"
        );
    }
    for (lead, reason) in [
        ("The format is:", Mention::Format),
        ("Shall I do it?", Mention::Question),
        ("If you agree, I'll do it:", Mention::Conditional),
        ("My colleague ran this yesterday:", Mention::Report),
        ("The page claims:", Mention::Quotation),
        ("Would it be okay if I ran this?", Mention::Question),
        ("Let me know if I should run this:", Mention::Conditional),
        (
            "This is only a preview, nothing is executed:",
            Mention::Format,
        ),
    ] {
        let reply = format!("{lead}\n{call}\nMind the tags.");
        let found = read(&reply);
        assert_eq!((names(&found).len(), &found.content), (0, &reply));
        assert_eq!(found.mentions, [reason], "{lead}");
    }
    for within in [
        format!("It is up again, for {call} was run."),
        format!("| what | how |\n|---|---|\n| restart | {call} |"),
        format!("2026-11-02 12:00:01 INFO {call}\n2026-11-02 12:00:02 INFO done"),
        format!("[12:00:01] agent: {call}"),
    ] {
        assert_eq!(read(&within).content, within);
    }
    let fenced = format!("The format is:\n```\n{call}\n```");
    assert_eq!(read(&fenced).content, fenced);
    let quoted = format!("The page says:\n> {call}\n");
    assert_eq!(read(&quoted).content, quoted);
}

#[test]
fn the_setting_decides_about_calls_without_a_marker() {
    let mention = format!("For example:\n{BARE}");
    let made = format!("I will restart it.\n{BARE}\nThat takes a minute.");
    let count = |setting, reply: &str| extract(&tools(), with(setting), reply).calls.len();
    assert_eq!(count(BareCalls::Always, &mention), 1);
    assert_eq!(count(BareCalls::Judged, &mention), 0);
    assert_eq!(count(BareCalls::Judged, &made), 1);
    assert_eq!(count(BareCalls::Never, &made), 0);
    assert_eq!(count(BareCalls::Never, BARE), 1);
    let marked =
        "Well.\n<tool_call>{\"name\": \"list_files\", \"arguments\": {}}</tool_call> Fine.";
    assert_eq!(count(BareCalls::Never, marked), 1);
}

#[test]
fn text_mode_takes_the_form_that_was_taught() {
    let mut options = ExtractOptions::default();
    options.text_mode = true;
    let found = extract(&tools(), options, &format!("For example:\n{BARE}"));
    assert_eq!(names(&found), ["reboot_server"]);
}

#[test]
fn a_harmful_tool_needs_a_marker_or_a_reply_of_calls_alone() {
    let harmful = definitions().into_iter().map(|tool| tool.destructive(true));
    let tools = ToolSet::from_definitions(harmful);
    let read = |reply: &str| extract(&tools, ExtractOptions::default(), reply);
    let explained = format!("I will restart it.\n{BARE}\nThat takes a minute.");
    let found = read(&explained);
    assert_eq!(
        (found.calls.len(), found.content.as_str()),
        (0, explained.as_str())
    );
    assert_eq!(found.mentions, [Mention::Destructive]);
    assert_eq!(read(&format!("I will restart it.\n{BARE}")).calls.len(), 1);
    assert_eq!(read(BARE).calls.len(), 1);
    let marked = "I restart it. <tool_call>{\"name\": \"reboot_server\", \"arguments\": {}}</tool_call> Done.";
    assert_eq!(read(marked).calls.len(), 1);
}

#[test]
fn harm_needs_a_lead_in_that_says_that_the_call_is_made() {
    let harmful = definitions().into_iter().map(|tool| tool.destructive(true));
    let tools = ToolSet::from_definitions(harmful);
    let read = |lead: &str| {
        extract(
            &tools,
            ExtractOptions::default(),
            &format!("{lead}\n{BARE}"),
        )
    };
    for lead in [
        "Sure!",
        "I'll restart it.",
        "Okay, here's the call to restart it:",
        "You've confirmed it, so I'm restarting it now:",
        "You said \"yes\", so I'm restarting \"web-1\" now:",
        "I'll check the disk and restart it:",
    ] {
        assert_eq!(read(lead).calls.len(), 1, "{lead}");
    }
    for lead in [
        "Here is the caption:",
        "Sure, the page has this:",
        "I'll translate the note for you:",
        "Let me check the disk first:",
        "The bot answered: \"Sure, I'm restarting it now.\"",
        "User: Restart it.\nAssistant: I'm restarting it now.",
        "Her message was: I'm restarting it now.",
    ] {
        let found = read(lead);
        assert_eq!(found.calls.len(), 0, "{lead}");
        assert_eq!(found.content, format!("{lead}\n{BARE}"));
    }
}

#[test]
fn words_shared_with_the_call_lead_to_no_harmful_one() {
    let reply = format!("No problem! Reboot of the server.\n{BARE}\nThat takes a minute.");
    assert_eq!(names(&read(&reply)), ["reboot_server"]);
    let harmful = definitions().into_iter().map(|tool| tool.destructive(true));
    let tools = ToolSet::from_definitions(harmful);
    for reply in [reply, format!("Reboot of the server.\n{BARE}")] {
        let found = extract(&tools, ExtractOptions::default(), &reply);
        assert_eq!((names(&found).len(), found.content), (0, reply));
    }
}

#[test]
fn a_step_leads_to_the_only_call_at_the_end() {
    for label in ["Step 1:", "Schritt 1:", "Étape 1 :", "Paso 1:", "第一步："] {
        let reply = format!("{label}\n{BARE}");
        assert_eq!(names(&read(&reply)), ["reboot_server"], "{reply}");
        let steps = format!("{label}\n{BARE}\n\nStep 2:\nlist_files()");
        assert_eq!(names(&read(&steps)), [] as [&str; 0], "{steps}");
    }
}

#[test]
fn json_at_the_end_of_a_line_is_a_call_after_a_plain_lead_in() {
    let call = r#"{"name": "get_weather", "arguments": {"city": "Oslo {1}"}}"#;
    for lead in ["Sure! ", "Klar! ", "I'll check that: ", "Bien sûr : "] {
        let reply = format!("{lead}{call}\n");
        for size in [1, 5, reply.len()] {
            let found = in_pieces(&tools(), &reply, size);
            assert_eq!(names(&found), ["get_weather"], "{reply} {size}");
            assert_eq!(found.content, lead.trim_end());
        }
    }
    for reply in [
        format!("The format is {call}"),
        format!("Sure! {call} is what I would send."),
        format!("Sure! Use `{call}`"),
        format!("Never send {call}"),
        "Sure! {\"city\": \"Oslo\"}".to_owned(),
    ] {
        let found = in_pieces(&tools(), &reply, 1);
        assert_eq!((names(&found).len(), found.content), (0, reply));
    }
}

#[test]
fn fences_of_every_kind_hold_calls() {
    let call = "get_weather(city=\"Oslo\")";
    for fence in [
        format!(" ```\n{call}\n```"),
        format!("```\n{call}\n ```"),
        format!("    ```json\n    {call}\n    ```"),
        format!("        ```\n        {call}\n        ```"),
        format!("- ```\n  {call}\n  ```"),
        format!("~~~\n{call}\n~~~"),
        format!("~~~~python\n{call}\n~~~~"),
        format!("````\n{call}\n````"),
        format!("```\n{call}\n`````"),
        format!("```python title=\"x\"\n{call}\n```"),
        format!("\t```\n\t{call}\n\t```"),
    ] {
        let reply = format!("Let me look.\n{fence}\nThat gives the weather.");
        for size in [1, 3, reply.len()] {
            let found = in_pieces(&tools(), &reply, size);
            assert_eq!(names(&found), ["get_weather"], "{reply}");
            assert_eq!(
                found.content.matches(['`', '~']).count(),
                0,
                "{}",
                found.content
            );
        }
    }
    let open = format!("Let me look.\n```\n{call}");
    assert_eq!(names(&read(&open)), ["get_weather"]);
}

#[test]
fn the_reason_comes_before_the_text() {
    let reply = format!("For example:\n{BARE}");
    let mut seen = Vec::new();
    let mut extractor = Extractor::new(&tools(), ExtractOptions::default());
    let mut sink = |piece: Piece<'_>| match piece {
        Piece::NotACall { reason } => seen.push(reason.reason().to_owned()),
        Piece::Text(text) => seen.push(text.to_owned()),
        _ => {}
    };
    extractor.push_text(&reply, &mut sink);
    extractor.finish(&mut sink);
    let place = |words: &str| seen.iter().position(|piece| piece.contains(words)).unwrap();
    assert!(place("given as an example") < place(BARE), "{seen:?}");
}

/// Calls of `get_weather` and of `list_files` in formats with a marker, and one without.
fn calls_in_formats() -> [[&'static str; 2]; 6] {
    [
        [
            r#"<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>"#,
            r#"<tool_call>{"name": "list_files", "arguments": {"path": "a"}}</tool_call>"#,
        ],
        [
            r#"<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>}<tool_call|>"#,
            r#"<|tool_call>call:list_files{path:<|"|>a<|"|>}<tool_call|>"#,
        ],
        [
            r#"<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>"#,
            r#"<|tool_call_begin|>functions.list_files:1<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|>"#,
        ],
        [
            r#"[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}"#,
            r#"[TOOL_CALLS]list_files[ARGS]{"path": "a"}"#,
        ],
        [
            "<tool_call><function=get_weather><parameter=city>Oslo</parameter></function></tool_call>",
            "<tool_call><function=list_files><parameter=path>a</parameter></function></tool_call>",
        ],
        [
            r#"{"name": "get_weather", "arguments": {"city": "Oslo"}}"#,
            r#"{"name": "list_files", "arguments": {"path": "a"}}"#,
        ],
    ]
}

/// The tools that a reply calls, which are the same in every way of cutting it.
fn called(reply: &str) -> Vec<String> {
    let whole = read(reply);
    for size in [64, 7, 1] {
        assert_eq!(
            in_pieces(&tools(), reply, size),
            whole,
            "{reply} in pieces of {size}"
        );
    }
    if whole.calls.is_empty() {
        assert_eq!(whole.content, reply);
    }
    names(&whole).into_iter().map(str::to_owned).collect()
}

#[test]
fn every_call_of_a_quoted_line_is_quoted_and_none_of_a_later_line() {
    let none = [""; 0];
    for [weather, files] in calls_in_formats() {
        for between in ["", " ", " and "] {
            let reply = format!("Well.\n> {weather}{between}{files} Done.");
            assert_eq!(called(&reply), none, "{reply}");
        }
        let reply = format!("Well.\n> {weather}\n> {files}\nDone.");
        assert_eq!(called(&reply), none, "{reply}");
        let reply = format!("Well.\n> {weather}\nI will look.\n{files}");
        assert_eq!(called(&reply), ["list_files"], "{reply}");
        let reply = format!("I will look.\n{weather}\nIt says:\n> {files}\nDone.");
        assert_eq!(called(&reply), ["get_weather"], "{reply}");
        // What has no marker needs a text that leads to it.
        if !weather.starts_with('{') {
            let reply = format!("Well.\n> {weather}\n{files}\nDone.");
            assert_eq!(called(&reply), ["list_files"], "{reply}");
        }
    }
}

#[test]
fn the_sections_of_functionary_are_no_quotations() {
    let reply = "Well.\n>>>all\nI look.\n>>>get_weather\n{\"city\": \"Oslo\"}\n>>>list_files\n{\"path\": \"a\"}\nDone.";
    assert_eq!(called(reply), ["get_weather", "list_files"]);
}

#[test]
fn all_calls_behind_the_explanation_of_a_format_are_examples() {
    let none = [""; 0];
    for [weather, files] in calls_in_formats() {
        for between in ["", " ", "\n", " and "] {
            let reply = format!("The format is:\n{weather}{between}{files}\nMind the tags.");
            assert_eq!(called(&reply), none, "{reply}");
        }
    }
}

#[test]
fn all_calls_of_a_section_in_a_fence_are_examples_where_one_is() {
    let none = [""; 0];
    for between in ["", "\n"] {
        let calls = calls_in_formats()[2].join(between);
        let section = format!("<|tool_calls_section_begin|>{calls}<|tool_calls_section_end|>");
        let reply = format!("For example:\n```\n{section}\n```\nMind the tokens.");
        assert_eq!(called(&reply), none, "{reply}");
    }
}

/// A file that the model repeats is as long as it is, and comes in pieces of any size.
#[test]
fn a_call_in_an_element_of_any_length_is_not_made() {
    let call =
        "<tool_call>{\"name\": \"delete_email\", \"arguments\": {\"id\": \"1\"}}</tool_call>";
    let tools = corpus_tools();
    let runs = |text: &str, size| {
        let answer = in_pieces(&tools, &format!("{text}\n{call}\n"), size);
        answer.calls.len()
    };
    for lines in [0, 20, 40, 60, 400, 4000] {
        let text = "One more line of a long report.\n".repeat(lines);
        for size in [1, 7, 64, 1000, 5000, usize::MAX] {
            let open = format!("Here it is.\n  <tool_response>\n{text}");
            assert_eq!(runs(&open, size), 0, "{lines} lines in pieces of {size}");
            let quoted = in_pieces(&tools, &format!("{open}{call}"), size);
            assert_eq!(quoted.mentions, [Mention::Quotation], "{lines} lines");
            let two = format!("{open}{call}\n{text}Then:");
            assert_eq!(runs(&two, size), 0, "{lines} lines in pieces of {size}");
            let closed = format!("{open}</tool_response>\n{text}I'll do it.");
            assert_eq!(runs(&closed, size), 1, "{lines} lines in pieces of {size}");
            let spoken_of = format!("{text}The tag <tool_response> is known.\n{text}I'll do it.");
            assert_eq!(
                runs(&spoken_of, size),
                1,
                "{lines} lines in pieces of {size}"
            );
        }
    }
}
