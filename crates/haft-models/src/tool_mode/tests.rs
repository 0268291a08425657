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
    assert_eq!(route.way(), Way::Native);
    let other = ModelError::new(ModelErrorKind::BadRequest, "no");
    assert!(!route.falls_back(Way::Native, "m", &other));
    assert!(route.falls_back(Way::Native, "m", &refusal()));
    assert_eq!(clone.way(), Way::Text);
    assert!(!route.falls_back(Way::Text, "m", &refusal()));
    let mut elsewhere = clone.clone();
    elsewhere.forget();
    assert_eq!((elsewhere.way(), clone.way()), (Way::Native, Way::Text));
}

#[test]
fn the_other_modes_stay_what_they_are() {
    for (mode, way) in [(ToolMode::Native, Way::Native), (ToolMode::Text, Way::Text)] {
        let route = ToolRoute {
            mode,
            ..ToolRoute::default()
        };
        assert!(!route.falls_back(way, "m", &refusal()));
        assert_eq!(route.way(), way);
    }
}

#[test]
fn text_is_searched_where_tools_are_bound_and_it_is_no_data() {
    let bound = BoundTools::new(&[named_tool("get_time", None)]).unwrap();
    let searched = |mode, bound: &BoundTools, options: &CallOptions| {
        let route = ToolRoute {
            mode,
            ..ToolRoute::default()
        };
        route.reading(route.way(), bound, options)
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
