use haft_schema::Repair;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::lexis::tests::{gemma, json};
use crate::tool_set::{Check, Filling};
use crate::value::{read_value, settle_numbers};

type Members = Map<String, Value>;

fn token_arguments(text: &str, at: usize, arguments: Members) -> Option<(Members, Repair, usize)> {
    let check = Check::nothing();
    let (filled, repair, end) = super::token_arguments(text, at, Filling { arguments, check })?;
    Some((filled.arguments, repair, end))
}

/// What is read agrees with the careful way, in values, order, repairs and end, whatever names are
/// expected; false if nothing is read.
fn agrees(text: &str) -> bool {
    let read = token_arguments(text, 1, Map::new());
    let names = json!({"a": null, "b": {"a": null}}).as_object().cloned();
    let with = token_arguments(text, 1, names.unwrap());
    assert_eq!(format!("{with:?}"), format!("{read:?}"), "{text}");
    let Some((arguments, repair, end)) = read else {
        return false;
    };
    let with = token_arguments(text, 1, arguments.clone());
    assert_eq!(
        format!("{with:?}"),
        format!("{:?}", Some((&arguments, &repair, end))),
        "{text}"
    );
    let mut careful = read_value(text.get(..end).unwrap(), false).unwrap();
    settle_numbers(&mut careful.value);
    let arguments = Value::Object(arguments);
    assert_eq!(
        format!("{arguments:?} {:?}", [repair]),
        format!("{:?} {:?}", careful.value, careful.repairs),
        "{text}"
    );
    true
}

#[test]
fn what_the_template_writes_is_read() {
    for text in [
        "{a:1}",
        "{a:<|\"|><|\"|>,b:<|\"|>O\"s\\lo\n<b> {[<|\"|>}",
        "{a:[],b:[<|\"|>x<|\"|>,1,[{}]],c:{a:{b:null},c:true},d:false}",
        "{n:[0,-1,12.5,1.50,1e3,123456789012345678901234567890]}",
        "{b:{a:1},c:{},d:1}<tool_call|>",
    ] {
        assert!(agrees(text), "{text}");
    }
}

#[test]
fn what_is_written_otherwise_is_left_to_the_careful_way() {
    let long = format!("{{{}:1}}", "x".repeat(61));
    for text in [
        "{}",
        "{a: 1}",
        "{\"a\":1}",
        "{a:1,a:2}",
        "{a:1,}",
        "{a:[1,]}",
        "{a:01}",
        "{a:x}",
        "{a:True}",
        "{a:}",
        "{:1}",
        "{1a:1}",
        "{é:1}",
        "{a=1}",
        "{a:<|\"|>x}",
        "{a:<|\"|>x<|\"|>y}",
        "{a:'x'}",
        "{a:1",
        "{a:1,b:{c:1}}",
        &long,
    ] {
        assert!(!agrees(text), "{text}");
    }
}

proptest! {
    #[test]
    fn the_careful_way_agrees(
        values in prop::collection::vec(("[a-c_]{1,3}", json()), 1..4),
        damage in prop::option::of(("[\"'\\\\{}\\[\\],:=<>| a1]", any::<prop::sample::Index>())),
    ) {
        let members: Map<String, Value> = values.into_iter().collect();
        let mut text = gemma(&Value::Object(members));
        if let Some((sign, at)) = damage {
            let mut at = at.index(text.len() - 1) + 1;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, &sign);
        }
        if text.starts_with('{') {
            agrees(&text);
        }
    }
}
