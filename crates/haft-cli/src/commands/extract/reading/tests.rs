use haft::ToolCall;
use haft::schema::RepairKind;
use haft::types::InvalidToolCall;
use serde_json::json;

use super::*;

fn call_end(index: usize, repairs: Vec<Repair>) -> Piece<'static> {
    let id = format!("dim_{index}");
    Piece::CallEnd {
        is_bare: false,
        index,
        call: ToolCall::new("dim", json!({"level": 40}), id),
        repairs,
        format: "hermes",
    }
}

fn repair() -> Repair {
    Repair::new("/level", RepairKind::TextToNumber, "\"40\"", "40")
}

#[test]
fn each_repair_names_its_call() {
    let mut reading = Reading::default();
    reading.add(Piece::Text("Here: "));
    reading.add(Piece::Invalid {
        index: 0,
        call: InvalidToolCall {
            name: "dimm".to_owned(),
            args: "{".to_owned(),
            id: "dimm_0".to_owned(),
            error: "There is no tool dimm".to_owned(),
        },
        format: "hermes",
    });
    reading.add(call_end(1, Vec::new()));
    reading.add(call_end(2, vec![repair()]));
    let id = json!([7, null]);
    assert_eq!(
        serde_json::to_value(reading.report(Some(&id))).unwrap(),
        json!({
            "id": [7, null],
            "calls": [
                {"id": "dim_1", "name": "dim", "args": {"level": 40}},
                {"id": "dim_2", "name": "dim", "args": {"level": 40}},
            ],
            "content": "Here: ",
            "reasoning": "",
            "invalid": [
                {"id": "dimm_0", "name": "dimm", "args": "{", "error": "There is no tool dimm"},
            ],
            "repairs": [{
                "call": "dim_2",
                "path": "/level",
                "kind": "text_to_number",
                "before": "\"40\"",
                "after": "40",
                "reason": "level: text \"40\" became the number 40",
            }],
            "format": "hermes",
        })
    );
}

#[test]
fn what_was_mended_in_a_thought_is_forgotten() {
    let mut reading = Reading::default();
    reading.add(Piece::Text("maybe "));
    reading.add(call_end(0, vec![repair()]));
    reading.add(Piece::ThinkingEnded);
    reading.add(call_end(0, Vec::new()));
    let report = serde_json::to_value(reading.report(None)).unwrap();
    assert_eq!(report["repairs"], json!([]));
    assert_eq!(report["reasoning"], "maybe ");
    assert_eq!(report["calls"].as_array().unwrap().len(), 1);
    assert_eq!(report.get("id"), None);
}

#[test]
fn a_reply_that_is_empty_is_read_too() {
    for split in [None, NonZeroUsize::new(1)] {
        let options = ExtractOptions::default();
        let reading = Reading::of(
            b"",
            &ToolSet::any(),
            Manner {
                options,
                guessed: false,
                split,
            },
        );
        assert!(reading.is_empty());
        assert_eq!(reading.extraction, Extraction::default());
    }
}
