use haft_testing::named_tool;

use super::*;

fn refusal() -> ModelError {
    ModelError::new(ModelErrorKind::ToolsUnsupported, "no tools")
}

#[test]
fn a_mode_is_read_as_it_is_written() {
    for mode in [ToolMode::Auto, ToolMode::Native, ToolMode::Text] {
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
    assert!("yes".parse::<ToolMode>().is_err());
}

#[test]
fn auto_falls_back_once_and_remembers_for_all_clones() {
    let route = ToolRoute::default();
    let clone = route.clone();
    assert_eq!(route.protocol(), ToolProtocol::Native);
    let other = ModelError::new(ModelErrorKind::BadRequest, "no");
    assert!(!route.falls_back(ToolProtocol::Native, "m", &other));
    assert!(route.falls_back(ToolProtocol::Native, "m", &refusal()));
    assert_eq!(clone.protocol(), ToolProtocol::Text);
    assert!(!route.falls_back(ToolProtocol::Text, "m", &refusal()));
    let mut elsewhere = clone.clone();
    elsewhere.forget();
    assert_eq!(
        (elsewhere.protocol(), clone.protocol()),
        (ToolProtocol::Native, ToolProtocol::Text)
    );
}

#[test]
fn fixed_modes_do_not_fall_back() {
    for (mode, protocol) in [
        (ToolMode::Native, ToolProtocol::Native),
        (ToolMode::Text, ToolProtocol::Text),
    ] {
        let route = ToolRoute {
            mode,
            ..ToolRoute::default()
        };
        assert!(!route.falls_back(protocol, "m", &refusal()));
        assert_eq!(route.protocol(), protocol);
    }
}

#[test]
fn bare_calls_are_as_set_and_always_count_in_the_taught_form() {
    let bound = BoundTools::new(&[named_tool("get_time", None)]).unwrap();
    for bare_calls in BareCalls::ALL {
        let route = ToolRoute {
            bare_calls,
            ..ToolRoute::default()
        };
        let read = |protocol| route.reading(protocol, &bound, &CallOptions::default());
        let set = |protocol| read(protocol).text.unwrap().bare_calls;
        assert_eq!(set(ToolProtocol::Native), bare_calls);
        assert_eq!(set(ToolProtocol::Text), BareCalls::Always);
    }
}

#[test]
fn text_is_searched_if_tools_are_bound_and_no_schema_applies() {
    let bound = BoundTools::new(&[named_tool("get_time", None)]).unwrap();
    let searched = |mode, bound: &BoundTools, options: &CallOptions| {
        let route = ToolRoute {
            mode,
            ..ToolRoute::default()
        };
        route.reading(route.protocol(), bound, options)
    };
    let free = CallOptions::default();
    let reading = searched(ToolMode::Auto, &bound, &free);
    assert!(reading.allows_calls && !reading.text.unwrap().text_mode);
    assert!(
        searched(ToolMode::Text, &bound, &free)
            .text
            .unwrap()
            .text_mode
    );
    assert_eq!(searched(ToolMode::Native, &bound, &free).text, None);
    assert_eq!(
        searched(ToolMode::Auto, &BoundTools::default(), &free).text,
        None
    );
    let mut none = CallOptions {
        tool_choice: ToolChoice::None,
        ..CallOptions::default()
    };
    let reading = searched(ToolMode::Auto, &bound, &none);
    assert!(!reading.allows_calls && reading.text.is_some());
    none.response_schema = Some(Arc::default());
    assert_eq!(searched(ToolMode::Auto, &bound, &none).text, None);
}
