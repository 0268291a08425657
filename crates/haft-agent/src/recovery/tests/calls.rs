//! Invalid calls and repeated calls.

use super::*;

#[tokio::test]
async fn invalid_calls_are_answered_with_the_exact_error_and_retried_once() {
    let wrong = || call("get_weather", json!({"town": 7}));
    let model = ScriptedModel::saying([wrong(), oslo(), says("Sunny.")]);
    let tool = weather();
    let answer = agent(&model, slice::from_ref(&tool), AgentOptions::default())
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!(tool.seen().len(), 1);
    assert_eq!(
        answer.outcome,
        Outcome::Recovered(RecoveryStep::InvalidCalls)
    );
    let told = &results(&model.requests()[1])[0];
    assert!(
        told.starts_with("Error: Invalid arguments for get_weather: ") && told.contains("city"),
        "{told}"
    );

    // The same error again, and that is enough.
    let model = ScriptedModel::saying([wrong(), wrong(), says("Sorry, no.")]);
    let answer = agent(&model, slice::from_ref(&tool), AgentOptions::default())
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!(answer.text, "Sorry, no.");
    assert_eq!(
        choices(&model),
        [ToolChoice::Auto, ToolChoice::Auto, ToolChoice::None]
    );
    assert_eq!(
        steps(&answer),
        [
            (RecoveryStep::InvalidCalls, false),
            (RecoveryStep::InvalidCalls, true)
        ]
    );
    assert_eq!(results(&model.requests()[2]).len(), 2);
}

#[tokio::test]
async fn a_different_error_is_progress_and_unreadable_calls_count_as_invalid() {
    let unread = |error: &str| AiMessage {
        invalid_tool_calls: vec![InvalidToolCall {
            name: "get_weather".into(),
            args: "{".into(),
            id: "1".into(),
            error: error.into(),
        }],
        ..AiMessage::default()
    };
    let model = ScriptedModel::saying([
        call("get_wether_now", json!({})),
        unread("The arguments are cut off"),
        call("get_weather", json!({"city": null})),
        oslo(),
        says("Sunny."),
    ]);
    let answer = agent(&model, &[weather()], AgentOptions::default())
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!((answer.text.as_str(), answer.rounds), ("Sunny.", 5));
    let model = ScriptedModel::saying([unread("cut"), unread("cut"), says("Sorry.")]);
    let answer = agent(&model, &[weather()], AgentOptions::default())
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!((answer.text.as_str(), answer.rounds), ("Sorry.", 3));
}

#[tokio::test]
async fn with_invalid_calls_off_errors_are_answered_up_to_the_round_limit() {
    let wrong = || call("get_weather", json!({}));
    let model = ScriptedModel::saying([wrong(), wrong(), wrong(), oslo(), says("Sunny.")]);
    let answer = agent(&model, &[weather()], without(RecoveryStep::InvalidCalls))
        .ask("Coat?")
        .await
        .unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.outcome),
        ("Sunny.", Outcome::Answered)
    );
}

#[tokio::test]
async fn a_repeated_call_of_a_read_only_tool_gets_the_known_result() {
    let again = |args: Value| call("look", args);
    let model = ScriptedModel::saying([
        again(json!({"a": 1, "b": [2]})),
        again(json!({"b": [2], "a": 1})),
        says("done"),
    ]);
    let tool = counting("look", true);
    let answer = agent(&model, slice::from_ref(&tool), AgentOptions::default())
        .ask("go")
        .await
        .unwrap();
    assert_eq!(tool.seen().len(), 1);
    let told = results(&model.requests()[2]);
    assert_eq!(told[0], "run 1");
    assert!(told[1].starts_with("run 1\n\n(The same call"), "{told:?}");
    assert_eq!(steps(&answer), [(RecoveryStep::RepeatedCalls, true)]);
}

#[tokio::test]
async fn the_third_equal_round_ends_in_a_round_without_tools() {
    let model = ScriptedModel::saying(
        (0..3)
            .map(|_| call("look", json!({})))
            .chain([says("what I know")]),
    );
    let tool = counting("look", true);
    let agent = agent(&model, slice::from_ref(&tool), AgentOptions::default());
    let answer = agent.ask("go").await.unwrap();
    assert_eq!(tool.seen().len(), 1);
    assert_eq!(
        (answer.text.as_str(), answer.outcome, answer.rounds),
        (
            "what I know",
            Outcome::Recovered(RecoveryStep::RepeatedCalls),
            4
        )
    );
    assert_eq!(choices(&model).last(), Some(&ToolChoice::None));
    assert_eq!(results(&model.requests()[3]).len(), 3, "the work is kept");
    let count = agent.metrics().of(RecoveryStep::RepeatedCalls);
    assert_eq!((count.tried, count.recovered), (2, 1));
}

#[tokio::test]
async fn a_repeated_call_that_changes_something_runs_with_a_note() {
    let again = || call("get_weather", json!({"city": "Oslo"}));
    let model = ScriptedModel::saying([again(), again(), again(), says("done")]);
    let tool = weather();
    let answer = agent(&model, slice::from_ref(&tool), AgentOptions::default())
        .ask("go")
        .await
        .unwrap();
    assert_eq!(tool.seen().len(), 3);
    let told = results(&model.requests()[3]);
    assert_eq!(told[0], "sunny");
    assert!(
        told[1].contains("has run again") && told[2].contains("has run again"),
        "{told:?}"
    );
    assert_eq!(choices(&model).last(), Some(&ToolChoice::None));
    assert_eq!(
        answer.outcome,
        Outcome::Recovered(RecoveryStep::RepeatedCalls)
    );
}

#[tokio::test]
async fn calls_with_changing_results_are_no_loop() {
    let louder = || call("louder", json!({}));
    let model = ScriptedModel::saying((0..5).map(|_| louder()).chain([says("loud")]));
    let tool = counting("louder", false);
    let answer = agent(&model, slice::from_ref(&tool), AgentOptions::default())
        .ask("Five times!")
        .await
        .unwrap();
    assert_eq!((tool.seen().len(), answer.text.as_str()), (5, "loud"));
    assert!(
        choices(&model)
            .iter()
            .all(|choice| *choice == ToolChoice::Auto)
    );
}

#[tokio::test]
async fn after_a_change_a_repeated_call_runs() {
    let look = || ToolCall::new("look", json!({}), "1");
    let change = || ToolCall::new("change", json!({}), "2");
    let round = |calls: Vec<ToolCall>| AiMessage::new("").with_tool_calls(calls);
    let model = ScriptedModel::saying([
        round(vec![look()]),
        round(vec![change()]),
        round(vec![look()]),
        // What changes beside it may change it too.
        round(vec![change(), look()]),
        says("done"),
    ]);
    let (looking, changing) = (counting("look", true), counting("change", false));
    agent(
        &model,
        &[looking.clone(), changing.clone()],
        AgentOptions::default(),
    )
    .ask("go")
    .await
    .unwrap();
    assert_eq!((looking.seen().len(), changing.seen().len()), (3, 2));
    assert!(results(&model.requests()[3])[2].starts_with("run 2"));
}

#[tokio::test]
async fn failures_are_not_reused_and_equal_calls_in_one_reply_all_run() {
    let failing = Arc::new(
        SpyTool::new("f", |_| Err(ToolError::new("busy"))).with_annotations(ToolAnnotations {
            read_only: true,
            ..ToolAnnotations::default()
        }),
    );
    let model = ScriptedModel::saying([call("f", json!({})), call("f", json!({})), says("no")]);
    agent(&model, slice::from_ref(&failing), AgentOptions::default())
        .ask("go")
        .await
        .unwrap();
    assert_eq!(failing.seen().len(), 2);
    let told = &results(&model.requests()[2])[1];
    assert!(told.starts_with("Error: busy") && told.contains("Do not repeat"));

    let tool = counting("f", true);
    let twins = [
        ToolCall::new("f", json!({}), "1"),
        ToolCall::new("f", json!({}), "2"),
    ];
    let model = ScriptedModel::saying([AiMessage::new("").with_tool_calls(twins), says("x")]);
    let answer = agent(&model, slice::from_ref(&tool), AgentOptions::default())
        .ask("go")
        .await
        .unwrap();
    assert_eq!((tool.seen().len(), answer.recovery.len()), (2, 0));
}

#[tokio::test]
async fn with_repeated_calls_off_every_call_runs() {
    let model = ScriptedModel::saying((0..4).map(|_| call("f", json!({}))).chain([says("x")]));
    let tool = counting("f", true);
    let answer = agent(
        &model,
        slice::from_ref(&tool),
        without(RecoveryStep::RepeatedCalls),
    )
    .ask("go")
    .await
    .unwrap();
    assert_eq!((tool.seen().len(), answer.outcome), (4, Outcome::Answered));
}

#[tokio::test]
async fn a_call_after_an_invalid_one_helped_only_if_it_succeeds() {
    for (result, helped) in [
        (Ok("sunny".into()), 1),
        (Err(ToolError::new("no signal")), 0),
    ] {
        let schema = json!({"type": "object", "properties": {"city": {"type": "string"}},
            "required": ["city"]});
        let tool = SpyTool::new("get_weather", move |_| result.clone()).with_schema(schema);
        let invalid = call("get_weather", json!({"town": 7}));
        let model = ScriptedModel::saying([invalid, oslo(), says("So it is.")]);
        let agent = agent(&model, &[Arc::new(tool)], AgentOptions::default());
        agent.ask("Weather in Oslo?").await.unwrap();
        let count = agent.metrics().of(RecoveryStep::InvalidCalls);
        assert_eq!((count.tried, count.recovered), (1, helped));
    }
}
