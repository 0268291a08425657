use haft_core::ToolCall;
use haft_testing::data_dir;
use serde_json::{Value, json};

use super::score;
use crate::case::{Case, CaseTools, Expected, GoldCall};
use crate::dataset::Dataset;
use crate::flaky::gold_calls;
use crate::result::Verdict;

/// A case with one tool `f`, with this schema of `x` and these accepted values.
fn case(schema: &Value, accepted: &Value) -> Case {
    let tool = json!({"name": "f", "parameters": {"type": "dict", "properties": {"x": schema, "y": {"type": "string"}}}});
    let case = json!([{"id": "1", "query": "?", "tools": [tool], "answer": [{"name": "f", "args": {"x": accepted}}]}]);
    Dataset::read("test", &case.to_string())
        .unwrap()
        .cases
        .remove(0)
}

fn calls(list: &Value) -> Vec<ToolCall> {
    let list = list.as_array().unwrap().iter().enumerate();
    let call = |(at, call): (usize, &Value)| {
        ToolCall::new(
            call[0].as_str().unwrap(),
            call[1].clone(),
            format!("call_{at}"),
        )
    };
    list.map(call).collect()
}

/// Schema, accepted values, value, and whether it is correct.
const VALUES: &str = r#"
{"type": "integer"} | [5] | 5 | right
{"type": "integer"} | [5] | "5" | wrong
{"type": "integer"} | [5] | 5.0 | wrong
{"type": "integer"} | [1] | true | wrong
{"type": "float"} | [5.0] | 5 | right
{"type": "float"} | [5] | 5.0 | right
{"type": "float"} | [0.5, 50] | 50 | right
{"type": "string"} | ["New York, NY"] | "new york ny" | right
{"type": "string"} | ["it's"] | "it\"s" | right
{"type": "string"} | ["Lima"] | "Oslo" | wrong
{"type": "string"} | ["a"] | null | wrong
{"type": "boolean"} | [true] | "true" | wrong
{"type": "tuple", "items": {"type": "float"}} | [[1.0, 3.0]] | [1, 3] | right
{"type": "array", "items": {"type": "string"}} | [["A B", "c"]] | ["ab", "C"] | right
{"type": "array"} | [["a", "b"]] | ["b", "a"] | wrong
{"type": "array"} | [["a", "b"]] | ["a"] | wrong
{"type": "array"} | [] | [] | right
{"type": "array"} | [] | ["a"] | wrong
{"type": "array"} | [[{"n": ["x"], "a": [18]}]] | [{"n": "X", "a": 18}] | right
{"type": "any"} | ["x", 1] | 1 | right
{"type": "dict"} | [{"a": [1, 2], "b": ["", "z"]}] | {"a": 2} | right
{"type": "dict"} | [{"a": [1, 2], "b": ["", "z"]}] | {"a": 2, "b": "Z"} | right
{"type": "dict"} | [{"a": [1, 2]}] | {"a": 3} | wrong
{"type": "dict"} | [{"a": [1, 2]}] | {} | wrong
{"type": "dict"} | [{"a": [1]}] | {"a": 1, "c": 1} | wrong
"#;

#[test]
fn values_are_compared_by_type_and_by_what_counts_in_a_text() {
    for row in VALUES.lines().filter(|row| !row.is_empty()) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let parsed = |at: usize| serde_json::from_str::<Value>(cells[at]).unwrap();
        let made = calls(&json!([["f", {"x": parsed(2)}]]));
        let verdict = match cells[3] {
            "right" => Verdict::Right,
            _ => Verdict::WrongValue,
        };
        assert_eq!(
            score(&case(&parsed(0), &parsed(1)), &made),
            verdict,
            "{row}"
        );
    }
}

#[test]
fn an_argument_may_be_left_out_only_if_that_is_accepted() {
    use Verdict::{MissingArgument, Right};
    let text = json!({"type": "string"});
    let left_out = calls(&json!([["f", {}]]));
    assert_eq!(
        score(&case(&text, &json!(["a"])), &left_out),
        MissingArgument
    );
    assert_eq!(score(&case(&text, &json!(["", "a"])), &left_out), Right);
    let too_much = calls(&json!([["f", {"x": "a", "y": "b"}]]));
    assert_eq!(
        score(&case(&text, &json!(["a"])), &too_much),
        Verdict::UnknownArgument
    );
}

fn several(answers: &Value, optional: &Value) -> Case {
    let tools =
        ["f.a", "g", "look"].map(|name| json!({"name": name, "parameters": {"type": "object"}}));
    let case = json!([{"id": "1", "query": "?", "tools": tools, "answers": answers, "optional": optional}]);
    Dataset::read("test", &case.to_string())
        .unwrap()
        .cases
        .remove(0)
}

#[test]
fn calls_may_come_in_any_order_and_each_fits_one() {
    let both =
        json!([[{"name": "f.a", "args": {"n": [1, 2]}}, {"name": "f.a", "args": {"n": [1]}}]]);
    let both = several(&both, &json!([]));
    let table = [
        // Greedy pairing would leave no partner for the other call.
        (
            json!([["f.a", {"n": 1}], ["f_a", {"n": 2}]]),
            Verdict::Right,
        ),
        (
            json!([["f_a", {"n": 2}], ["f.a", {"n": 1}]]),
            Verdict::Right,
        ),
        (
            json!([["f.a", {"n": 1}], ["f.a", {"n": 1}]]),
            Verdict::Right,
        ),
        (
            json!([["f.a", {"n": 2}], ["f.a", {"n": 2}]]),
            Verdict::WrongValue,
        ),
        (json!([["f.a", {"n": 1}]]), Verdict::WrongNumber),
        (
            json!([["f.a", {"n": 1}], ["f.a", {"n": 1}], ["g", {}]]),
            Verdict::WrongNumber,
        ),
        (json!([["f.a", {"n": 1}], ["g", {}]]), Verdict::WrongTool),
        (json!([]), Verdict::NoCall),
    ];
    for (made, verdict) in table {
        assert_eq!(score(&both, &calls(&made)), verdict, "{made}");
    }
}

#[test]
fn one_of_several_answers_is_enough_and_reading_calls_are_allowed() {
    let either = json!([[{"name": "f.a"}], [{"name": "g", "args": {"n": [1]}}]]);
    let either = several(&either, &json!(["look"]));
    for (made, verdict) in [
        (json!([["f.a", {}]]), Verdict::Right),
        (json!([["g", {"n": 1}]]), Verdict::Right),
        (
            json!([["look", {}], ["look", {"deep": true}], ["g", {"n": 1}]]),
            Verdict::Right,
        ),
        (json!([["look", {}]]), Verdict::NoCall),
        (json!([["g", {"n": 2}]]), Verdict::WrongValue),
        (json!([["f.a", {}], ["g", {"n": 1}]]), Verdict::WrongNumber),
    ] {
        assert_eq!(score(&either, &calls(&made)), verdict, "{made}");
    }
}

#[test]
fn no_call_and_some_call() {
    let with = |expected| Case {
        expected,
        ..several(&json!([[{"name": "g"}]]), &json!([]))
    };
    let one = calls(&json!([["g", {}]]));
    assert_eq!(score(&with(Expected::NoCall), &[]), Verdict::Right);
    assert_eq!(score(&with(Expected::NoCall), &one), Verdict::UnneededCall);
    assert_eq!(score(&with(Expected::SomeCall), &one), Verdict::Right);
    assert_eq!(score(&with(Expected::SomeCall), &[]), Verdict::NoCall);
}

/// The ways in which an answer is made wrong; `None` if it has no such part.
fn mutations(case: &Case, gold: &[ToolCall]) -> Vec<(&'static str, Vec<ToolCall>)> {
    let Expected::Calls(lists) = &case.expected else {
        return Vec::new();
    };
    let mut wrong = Vec::new();
    let change = |change: &dyn Fn(&mut ToolCall)| {
        let mut calls = gold.to_vec();
        change(&mut calls[0]);
        calls
    };
    wrong.push(("name", change(&|call| call.name.push_str("_other"))));
    wrong.push((
        "unknown argument",
        change(&|call| {
            call.args.insert("surely_unknown".to_owned(), json!(1));
        }),
    ));
    let mut more = gold.to_vec();
    more.push(gold[0].clone());
    wrong.push(("extra call", more));
    wrong.push(("no call", Vec::new()));
    if gold.len() > 1 {
        wrong.push(("call left out", gold[1..].to_vec()));
    }
    let first: &GoldCall = &lists[0][0];
    for (name, accepted) in &first.args {
        if gold[0].args.contains_key(name) {
            wrong.push((
                "wrong value",
                change(&|call| {
                    call.args
                        .insert(name.clone(), json!("surely no accepted value"));
                }),
            ));
            wrong.push((
                "wrong type",
                change(&|call| {
                    call.args
                        .insert(name.clone(), json!({"surely": {"wrong": [1]}}));
                }),
            ));
        }
        if !super::may_be_left_out(accepted) {
            wrong.push((
                "argument left out",
                change(&|call| {
                    call.args.shift_remove(name);
                }),
            ));
        }
    }
    wrong
}

#[test]
fn gold_answers_are_right_and_mutated_ones_wrong() {
    let Some(data) = data_dir("gold_answers_are_right_and_mutated_ones_wrong") else {
        return;
    };
    let dataset = Dataset::open(data.join("bfcl").to_str().unwrap()).unwrap();
    let (mut golds, mut wrongs) = (0, 0);
    for case in &dataset.cases {
        let CaseTools::Stubs(tools) = &case.tools else {
            continue;
        };
        let gold = gold_calls(case, &case.tools.open());
        assert_eq!(
            score(case, &gold),
            Verdict::Right,
            "{}: {gold:?} {tools:?}",
            case.id
        );
        golds += 1;
        if case.expected == Expected::NoCall {
            let call = [ToolCall::new(&tools[0].name, json!({}), "call_1")];
            assert_eq!(score(case, &call), Verdict::UnneededCall);
            wrongs += 1;
        }
        for (what, calls) in mutations(case, &gold) {
            assert_ne!(
                score(case, &calls),
                Verdict::Right,
                "{}, {what}: {calls:?}",
                case.id
            );
            wrongs += 1;
        }
    }
    assert_eq!(golds, dataset.cases.len());
    assert!(wrongs > 4 * golds, "{wrongs} of {golds}");
}
