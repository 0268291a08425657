use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn selector(tools: &[(&str, &str)]) -> ToolSelector {
    let tools = tools
        .iter()
        .map(|(name, text)| ToolText::new(name, text, &Value::Null));
    ToolSelector::new(tools)
}

fn best_of(tools: &[(&str, &str)], query: &str) -> String {
    tools[selector(tools).rank(query)[0].index].0.to_owned()
}

#[test]
fn words_fragments_and_meanings_find_a_tool() {
    let tools = [
        ("get_forecast", "Weather of the next days"),
        ("send_mail", "Sends a message"),
        ("stringConcatenator", "Joins"),
        ("control_lock", "Closes a door"),
    ];
    for (query, name) in [
        ("weather tomorrow", "get_forecast"),
        ("concat these", "stringConcatenator"),
        ("rain tomorrow", "get_forecast"),
        ("write an email to Ann", "send_mail"),
    ] {
        assert_eq!(best_of(&tools, query), name, "{query}");
    }
}

#[test]
fn examples_and_parameters_find_a_tool() {
    let (plain, city) = (
        Value::Null,
        json!({"properties": {"city": {"enum": ["Lima"]}}}),
    );
    let selector = ToolSelector::new([
        ToolText::new("f1", "", &plain),
        ToolText::new("f2", "", &plain).with_examples(&["is the dishwasher done"]),
        ToolText::new("f3", "", &city),
    ]);
    assert_eq!(selector.rank("when is the dishwasher ready")[0].index, 1);
    assert_eq!(selector.rank("anything in Lima")[0].index, 2);
}

#[test]
fn ties_keep_the_order_of_the_set() {
    let selector = selector(&[("same", "x"), ("same", "x"), ("same", "x")]);
    for query in ["same", "", "x y z", "🦀"] {
        let order: Vec<_> = selector.rank(query).iter().map(|tool| tool.index).collect();
        assert_eq!(order, [0, 1, 2], "{query}");
    }
}

#[test]
fn shares_add_up_to_one() {
    let selector = selector(&[("a", "rain"), ("b", "snow"), ("c", "sun")]);
    let sum: f32 = selector
        .rank("rain or snow")
        .iter()
        .map(|tool| tool.share)
        .sum();
    assert!((sum - 1.0).abs() < 1e-5);
}

#[test]
fn an_empty_set_has_no_answer() {
    let selector = selector(&[]);
    assert!(selector.is_empty());
    assert_eq!(selector.rank("anything"), []);
    assert!(selector.bind("anything").is_empty());
    assert!(selector.session().bind("anything").is_empty());
}

#[test]
fn small_sets_are_never_pruned() {
    let names: Vec<_> = (0..8).map(|n| format!("tool_{n}")).collect();
    let text = "a very long text ".repeat(1000);
    let tools = names
        .iter()
        .map(|name| ToolText::new(name, &text, &Value::Null));
    assert_eq!(ToolSelector::new(tools).bind("tool").len(), 8);
    let names: Vec<_> = (0..60).map(|n| format!("tool_{n}")).collect();
    let tools = names
        .iter()
        .map(|name| ToolText::new(name, "brief", &Value::Null));
    assert_eq!(ToolSelector::new(tools).bind("tool").len(), 60);
}

#[test]
fn only_the_beginning_of_long_descriptions_is_read() {
    let endless = "word and another, \u{0}\u{1b}[2J\u{202e} ".repeat(40_000);
    assert!(endless.len() > 1_000_000);
    let name = |n| format!("tool_{n}_{}", if n == 77 { "zebra" } else { "x" });
    let names: Vec<_> = (0..5000).map(name).collect();
    let tools = names.iter().enumerate().map(|(n, name)| {
        let description = if n % 100 == 0 { &endless } else { "brief" };
        ToolText::new(name, description, &Value::Null)
    });
    let selector = ToolSelector::new(tools);
    assert_eq!(selector.len(), 5000);
    assert_eq!(selector.best("feed the zebra", 1)[0].index, 77);
    assert_eq!(selector.best(&endless, 3).len(), 3);
}

#[test]
fn empty_and_strange_texts_are_tools_too() {
    let selector = selector(&[
        ("", ""),
        ("\u{0}\u{7f}", "\n\n"),
        ("🦀", "\u{feff}"),
        ("weather", ""),
    ]);
    assert_eq!(selector.rank("weather")[0].index, 3);
    assert_eq!(selector.rank("\u{0}").len(), 4);
}

#[test]
fn a_clone_and_a_second_build_rank_alike() {
    let tools = [
        ("get_weather", "Weather"),
        ("get_news", "News"),
        ("get_time", "Time"),
    ];
    let (one, two) = (selector(&tools), selector(&tools));
    for query in ["news about weather", "time", "?"] {
        assert_eq!(one.rank(query), two.rank(query));
        assert_eq!(one.rank(query), one.clone().rank(query));
    }
}

proptest! {
    #[test]
    fn best_returns_exactly_the_requested_number(
        names in prop::collection::vec("[a-z]{1,6}(_[a-z]{1,6})?", 0..40),
        query in "[a-z ]{0,30}",
        count in 0usize..50,
    ) {
        let tools: Vec<_> = names.iter().map(|name| (name.as_str(), "text")).collect();
        let selector = selector(&tools);
        let best = selector.best(&query, count);
        prop_assert_eq!(best.len(), count.min(names.len()));
        let all = selector.rank(&query);
        prop_assert_eq!(&best[..], &all[..best.len()]);
        prop_assert!(all.iter().all(|tool| tool.share.is_finite()));
    }

    #[test]
    fn strange_texts_do_not_panic(
        tools in prop::collection::vec((any::<String>(), any::<String>()), 0..12),
        query in any::<String>(),
    ) {
        let tools: Vec<_> = tools.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let selector = selector(&tools);
        let mut order: Vec<_> = selector.rank(&query).iter().map(|tool| tool.index).collect();
        order.sort_unstable();
        prop_assert_eq!(order, (0..tools.len()).collect::<Vec<_>>());
        prop_assert!(selector.bind(&query).is_sorted());
    }
}

#[test]
fn other_languages_are_ranked_by_a_few_words_and_nothing_is_withheld() {
    let none = json!({});
    let text = "does one of very many things ".repeat(20);
    let names: Vec<_> = (0..40).map(|n| format!("tool_{n}")).collect();
    let others = names.iter().map(|name| ToolText::new(name, &text, &none));
    let weather = ToolText::new("get_weather", "Weather in a city", &none);
    let selector = ToolSelector::new(others.chain([weather]));
    assert_eq!(selector.rank("北京后天的天气如何？")[0].index, 40);
    assert_eq!(selector.bind("北京后天的天气如何？").len(), 41);
}

#[test]
fn a_day_in_a_query_favours_tools_with_a_date() {
    let now = json!({"properties": {"city": {"type": "string"}}});
    let later = json!({"properties": {"city": {"type": "string"}, "date": {"type": "string"}}});
    let names = [
        "weather_a",
        "weather_b",
        "weather_c",
        "weather_d",
        "weather_e",
    ];
    let tools = names.map(|name| {
        let takes = if name == "weather_d" { &later } else { &now };
        ToolText::new(name, "The weather in a city", takes)
    });
    let selector = ToolSelector::with(tools, Learned::default());
    assert_eq!(selector.rank("The weather in Oslo on Friday")[0].index, 3);
    assert_eq!(selector.rank("The weather in Oslo")[0].index, 0);
}
