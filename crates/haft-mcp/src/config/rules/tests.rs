use serde_json::{Value, json};

use super::*;

fn read(server: &Value) -> Result<ToolRules, Problem> {
    let lookup = |_: &str| None;
    ToolRules::read(&Fields::new(
        server.as_object().unwrap(),
        "servers.json",
        &lookup,
    ))
}

#[test]
fn without_lists_every_tool_is_offered_and_none_is_approved() {
    let rules = read(&json!({"command": "x"})).unwrap();
    assert_eq!(rules, ToolRules::default());
    assert!(rules.keeps("a") && !rules.approves("a"));
}

#[test]
fn tools_are_included_excluded_and_approved_by_name() {
    let rules = read(&json!({
        "include": ["a", "b"], "excludeTools": ["b", "z"], "alwaysAllow": ["a", "y"]
    }))
    .unwrap();
    let kept: Vec<_> = ["a", "b", "c"]
        .into_iter()
        .filter(|name| rules.keeps(name))
        .collect();
    assert_eq!(kept, ["a"]);
    assert!(rules.approves("a") && !rules.approves("b"));
    assert_eq!(
        rules.unknown(&["a", "b", "c"]),
        [
            UnknownName {
                list: RuleList::Exclude,
                name: "z"
            },
            UnknownName {
                list: RuleList::AutoApprove,
                name: "y"
            },
        ]
    );
    let all = read(&json!({"autoApprove": ["*"], "include": []})).unwrap();
    assert!(all.approves("anything") && !all.keeps("anything"));
    assert!(all.unknown(&["a"]).is_empty());
}

#[test]
fn an_invalid_list_is_a_problem_that_names_the_field() {
    let problem = read(&json!({"exclude": "a"})).unwrap_err();
    assert_eq!(
        problem.message,
        "\"exclude\" in servers.json must be a list of strings"
    );
}

#[test]
fn only_true_grants_trust() {
    let standing = |server: Value| read(&server).map(|rules| rules.standing("a"));
    assert_eq!(standing(json!({})).unwrap(), Standing::Unknown);
    assert_eq!(
        standing(json!({"trust": false})).unwrap(),
        Standing::Unknown
    );
    assert_eq!(standing(json!({"trust": true})).unwrap(), Standing::Trusted);
    let approved = json!({"trust": true, "autoApprove": ["a"]});
    assert_eq!(standing(approved).unwrap(), Standing::Approved);
    for wrong in [json!("true"), json!(1)] {
        let problem = standing(json!({ "trust": wrong })).unwrap_err();
        assert_eq!(
            problem.message,
            "\"trust\" in servers.json must be true or false"
        );
    }
}
