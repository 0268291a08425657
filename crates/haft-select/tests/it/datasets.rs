//! The accuracy of the classifier on the datasets of queries, if they are available.
//!
//! `HAFT_DATA` names the folder that contains `intents/`. The weights were also trained on `dev`,
//! so this test only detects a weights file that does not match the code. `examples/train_intents`
//! measures the accuracy.

use haft_select::{Intent, IntentClassifier, ToolGroups};
use serde_json::Value;

#[test]
fn accuracy_on_the_development_queries() {
    let Some(folder) = std::env::var_os("HAFT_DATA") else {
        eprintln!("skipped: HAFT_DATA does not name the folder that holds intents/");
        return;
    };
    let path = std::path::Path::new(&folder).join("intents/dev.jsonl");
    let (classifier, tool_groups) = (IntentClassifier::default(), ToolGroups::default());
    let (mut all, mut right, mut devices, mut lost) = (0, 0, 0, 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = line["text"].as_str().unwrap();
        let intent = Intent::named(line["label"].as_str().unwrap()).unwrap();
        let found = classifier.classify(text);
        all += 1;
        right += usize::from(found.label() == intent);
        if intent == Intent::Device {
            devices += 1;
            let names = tool_groups.choose(text, &found);
            lost += usize::from(names.is_ok_and(|names| !names.contains(&"device")));
        }
    }
    assert!(right * 1000 >= all * 955, "{right} of {all}");
    assert!(lost * 100 <= devices, "{lost} of {devices}");
}
