use serde::{Deserialize, Serialize};
use serde_json::{json, to_string, to_value};

use super::WireTools;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Named {
    name: String,
}

fn tools() -> WireTools<Named> {
    let named = |name: &str| Named {
        name: name.to_owned(),
    };
    ["one", "two", "three"].map(named).into_iter().collect()
}

#[test]
fn each_writing_is_the_same_and_that_of_the_list() {
    let tools = tools();
    let first = to_string(&tools).unwrap();
    assert_eq!(first, r#"[{"name":"one"},{"name":"two"},{"name":"three"}]"#);
    assert_eq!(to_string(&tools).unwrap(), first);
    assert_eq!(to_string(&tools.clone()).unwrap(), first);
    assert_eq!(
        to_value(&tools).unwrap(),
        json!([{"name": "one"}, {"name": "two"}, {"name": "three"}])
    );
    assert_eq!(
        serde_json::from_str::<WireTools<Named>>(&first).unwrap(),
        tools
    );
}

#[test]
fn a_choice_has_a_text_of_its_own() {
    let tools = tools();
    let all = to_string(&tools).unwrap();
    assert_eq!(to_string(&tools.at(&[1])).unwrap(), r#"[{"name":"two"}]"#);
    assert_eq!(to_string(&tools.at(&[0, 1, 2])).unwrap(), all);
    assert!(tools.at(&[]).is_empty());
}
