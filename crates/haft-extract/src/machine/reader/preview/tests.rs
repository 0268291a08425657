use serde_json::json;

use crate::{ExtractOptions, Extractor, Piece, ToolDefinition, ToolSet};

fn tools() -> ToolSet {
    let schema = json!({"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}}});
    let tool = |name: &str| ToolDefinition::new(name, schema.clone());
    ToolSet::from_definitions([tool("get_weather"), tool("get_news")])
}

/// What a watcher has seen of each call in the end; nearly all of it came before the last byte of
/// the reply.
fn watched(reply: &str) -> Vec<(String, String)> {
    let mut extractor = Extractor::new(&tools(), ExtractOptions::default());
    let mut calls: Vec<(String, String, String)> = Vec::new();
    let mut see = |is_early: bool, piece: Piece<'_>| match piece {
        Piece::CallStart { index, name } => {
            calls.truncate(index);
            calls.push((name.to_owned(), String::new(), String::new()));
        }
        Piece::CallArgs { index, fragment } => {
            if is_early {
                calls[index].1.push_str(fragment);
            }
            calls[index].2.push_str(fragment);
        }
        _ => {}
    };
    let last = reply.len() - 1;
    for (at, byte) in reply.as_bytes().chunks(1).enumerate() {
        extractor.push(byte, &mut |piece| see(at < last, piece));
    }
    extractor.finish(&mut |piece| see(false, piece));
    let whole = calls.into_iter().map(|(name, early, arguments)| {
        // The last quote and what closes behind it may yet turn out to be part of a value.
        let late = arguments.strip_prefix(early.as_str()).unwrap();
        assert!(late.len() <= 3, "{late} comes late");
        (name, arguments)
    });
    whole.collect()
}

fn call(name: &str, arguments: &str) -> (String, String) {
    (name.to_owned(), arguments.to_owned())
}

#[test]
fn the_arguments_of_calls_without_markers_come_as_they_are_written() {
    let oslo = r#"{"city": "Oslo", "days": 3}"#;
    let rome = r#"{"city": "Rome"}"#;
    let object =
        |name: &str, arguments: &str| format!(r#"{{"name": "{name}", "arguments": {arguments}}}"#);
    let (first, second) = (object("get_weather", oslo), object("get_news", rome));
    let one = [call("get_weather", oslo)];
    let both = [call("get_weather", oslo), call("get_news", rome)];
    assert_eq!(watched(&format!("{first}\n")), one);
    assert_eq!(watched(&format!("Sure.\n{first}\n")), one);
    assert_eq!(watched(&format!("[{first}, {second}]\n")), both);
    assert_eq!(watched(&format!("```json\n{first}\n```\n")), one);
    assert_eq!(watched(&format!("get_weather {oslo}\n")), one);
    let written = "city=\"Oslo\", days=3";
    let python = [
        call("get_weather", written),
        call("get_news", "city='Rome'"),
    ];
    let calls = format!("[get_weather({written}), get_news(city='Rome')]\n");
    assert_eq!(watched(&calls), python);
}

#[test]
fn the_arguments_of_actions_come_as_they_are_written() {
    let oslo = r#"{"city": "Oslo", "days": 3}"#;
    let one = [call("get_weather", oslo)];
    let action = format!("Thought: look.\nAction: get_weather\nAction Input: {oslo}");
    assert_eq!(watched(&format!("{action}\nObservation: rain")), one);
    assert_eq!(watched(&format!("{action}\n\n")), one);
    let fenced = format!("Action: `get_weather`\nAction Input:\n```json\n{oslo}\n```\n");
    assert_eq!(watched(&fenced), one);
    let object = format!("{{\"action\": \"get_weather\", \"action_input\": {oslo}}}");
    assert_eq!(watched(&format!("Action:\n```\n{object}\n```\n")), one);
    let list = format!("Action: [{{\"name\": \"get_weather\", \"parameters\": {oslo}}}]\n");
    assert_eq!(watched(&list), one);
}

#[test]
fn a_call_behind_one_of_an_unknown_tool_is_announced_at_its_place() {
    let python = "[send_mail(to='Ann'), get_weather(city='Oslo')]\n";
    let objects = r#"[{"name": "send_mail", "arguments": {"to": "Ann"}}, {"name": "get_weather", "arguments": {"city": "Oslo"}}]"#;
    for reply in [python, objects] {
        let mut extractor = Extractor::new(&tools(), ExtractOptions::default());
        let (mut announced, mut made) = (Vec::new(), Vec::new());
        let mut see = |piece: Piece<'_>| match piece {
            Piece::CallStart { index, name } => announced.push((index, name.to_owned())),
            Piece::CallEnd { index, call, .. } => made.push((index, call.name)),
            _ => {}
        };
        for byte in reply.as_bytes().chunks(1) {
            extractor.push(byte, &mut see);
        }
        extractor.finish(&mut see);
        let expected = [(1, "get_weather".to_owned())];
        assert_eq!(
            (announced.as_slice(), made.as_slice()),
            (&expected[..], &expected[..])
        );
    }
}

#[test]
fn what_is_no_call_is_told_once_as_text() {
    let reply = "get_weather(city, days) is its signature\n";
    let mut extractor = Extractor::new(&tools(), ExtractOptions::default());
    let (mut text, mut calls) = (String::new(), 0);
    let mut see = |piece: Piece<'_>| match piece {
        Piece::Text(more) => text.push_str(more),
        Piece::CallEnd { .. } => calls += 1,
        _ => {}
    };
    for byte in reply.as_bytes().chunks(1) {
        extractor.push(byte, &mut see);
    }
    extractor.finish(&mut see);
    assert_eq!((text.as_str(), calls), (reply, 0));
}
