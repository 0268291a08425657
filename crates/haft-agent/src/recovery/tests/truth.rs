//! Nothing is changed on a question, and nothing is stated that no tool reported.

use super::*;
use crate::ClientTurn;

/// A tool that tells the state of a device: of the lamp that it is off, of all others nothing.
fn verify() -> Arc<SpyTool> {
    let schema = json!({"type": "object",
        "properties": {"deviceName": {"type": "string", "description": "Name of the device"}},
        "required": ["deviceName"]});
    let tool = SpyTool::new("verify_device", |input| match input.get("deviceName") {
        Some(name) if name.to_string().to_lowercase().contains("lamp") => {
            Ok("Hall Lamp is off.".into())
        }
        _ => Err(ToolError::new("There is no such device.")),
    });
    let tool = tool.with_description("Check that a device exists and tell its state");
    Arc::new(tool.with_schema(schema))
}

/// A tool that switches devices.
fn control() -> Arc<SpyTool> {
    let schema = json!({"type": "object",
        "properties": {
            "deviceName": {"type": "string", "description": "Name of the device"},
            "action": {"type": "string", "enum": ["on", "off"], "description": "What to do"},
        },
        "required": ["deviceName", "action"]});
    let tool = SpyTool::new("control_device", |_| Ok("Hall Lamp is now on.".into()));
    let tool = tool
        .with_description("Turn a device on or off")
        .with_schema(schema);
    Arc::new(tool)
}

fn switch(device: &str, action: &str) -> AiMessage {
    let args = json!({"deviceName": device, "action": action});
    call("control_device", args)
}

fn look(device: &str) -> AiMessage {
    call("verify_device", json!({"deviceName": device}))
}

async fn asked(agent: &Agent, question: &str) -> Answer {
    agent.ask(question).await.unwrap()
}

const IS_ON: &str = "Is the hall lamp on?";
const TURN_ON: &str = "Turn on the hall lamp";

#[tokio::test]
async fn a_question_is_asked_again_only_with_tools_that_read() {
    let model = ScriptedModel::saying([says("Yes."), look("Hall Lamp"), says("No, it is off.")]);
    let tools = [control(), verify()];
    let agent_ = agent(&model, &tools, with_due(true));
    let answer = agent_.ask(IS_ON).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.outcome),
        (
            "No, it is off.",
            Outcome::Recovered(RecoveryStep::ConstrainedCall)
        )
    );
    assert_eq!(model.requests()[1].tools, ["verify_device"]);
    assert!(tools[0].seen().is_empty());

    // With nothing that reads, the step is not taken.
    let model = ScriptedModel::saying([says("Yes.")]);
    let answer = asked(&agent(&model, &[control()], with_due(true)), IS_ON).await;
    assert_eq!(answer.recovery, []);
    // A command may be asked again with all.
    let model = ScriptedModel::saying([
        says("Sure."),
        switch("hall lamp", "on"),
        says("It is on now."),
    ]);
    let answer = asked(&agent(&model, &tools, with_due(true)), TURN_ON).await;
    assert_eq!(answer.text, "It is on now.");
    assert_eq!(model.requests()[1].tools.len(), 2);
    assert_eq!(tools[0].seen().len(), 1);
}

#[tokio::test]
async fn a_call_that_disagrees_with_the_command_does_not_run() {
    for wrong in [
        switch("hall lamp", "off"),
        switch("kitchen lamp", "on"),
        switch("deviceName", "on"),
    ] {
        let model = ScriptedModel::saying([says("I could do that."), wrong]);
        let tool = control();
        let answer = asked(
            &agent(&model, slice::from_ref(&tool), with_due(true)),
            TURN_ON,
        )
        .await;
        assert!(tool.seen().is_empty());
        assert_eq!(steps(&answer), [(RecoveryStep::ConstrainedCall, false)]);
    }
}

#[tokio::test]
async fn a_call_that_fails_has_not_helped() {
    let model = ScriptedModel::saying([
        says("It is open."),
        look("gate"),
        says("There is no such device."),
    ]);
    let agent = agent(&model, &[verify()], with_due(true));
    let answer = agent.ask("Is the gate open?").await.unwrap();
    assert_eq!(steps(&answer), [(RecoveryStep::ConstrainedCall, false)]);
    assert_eq!(answer.outcome, Outcome::ToolsFailed);
    let count = agent.metrics().of(RecoveryStep::ConstrainedCall);
    assert_eq!((count.tried, count.recovered), (1, 0));
}

#[tokio::test]
async fn a_change_that_the_model_wants_on_a_question_does_not_run() {
    let replies = [
        switch("Hall Lamp", "on"),
        look("Hall Lamp"),
        says("No, the hall lamp is off."),
    ];
    let model = ScriptedModel::saying(replies);
    let tools = [control(), verify()];
    let answer = asked(&agent(&model, &tools, AgentOptions::default()), IS_ON).await;
    assert_eq!(answer.text, "No, the hall lamp is off.");
    assert!(tools[0].seen().is_empty());
    let told = results(&model.requests()[1]);
    assert!(told[0].contains("only asked a question"), "{told:?}");

    // Commands, however polite, and hints are left to the model.
    for question in [
        "Can you turn on the hall lamp?",
        "Would you mind turning on the hall lamp?",
        "Is it dark? Turn on the hall lamp.",
        "Which lamp is in the hall? Switch it on",
        "What about the hall lamp?",
        "It is dark in here",
        "Ja, bitte",
    ] {
        let model = ScriptedModel::saying([switch("Hall Lamp", "on"), says("Done.")]);
        let tool = control();
        let agent = agent(&model, slice::from_ref(&tool), AgentOptions::default());
        agent.ask(question).await.unwrap();
        assert_eq!(tool.seen().len(), 1, "{question}");
    }
}

#[tokio::test]
async fn a_parameter_name_as_value_is_answered_with_an_error() {
    let model = ScriptedModel::saying([
        look("deviceName"),
        look("Hall Lamp"),
        says("The hall lamp is off."),
    ]);
    let tool = verify();
    let agent = agent(&model, slice::from_ref(&tool), AgentOptions::default());
    let answer = agent.ask(IS_ON).await.unwrap();
    assert_eq!(answer.text, "The hall lamp is off.");
    assert_eq!(tool.seen().len(), 1);
    let told = results(&model.requests()[1]);
    assert!(told[0].contains("name in the schema"), "{told:?}");
}

#[tokio::test]
async fn a_value_that_stands_for_a_result_is_answered_with_an_error() {
    for value in [
        "{{verify_device.name}}",
        "<result of verify_device>",
        "${search_results}",
    ] {
        let model = ScriptedModel::saying([
            switch(value, "on"),
            switch("Hall Lamp", "on"),
            says("The hall lamp is on."),
        ]);
        let tools = [control(), verify()];
        asked(&agent(&model, &tools, AgentOptions::default()), TURN_ON).await;
        assert_eq!(tools[0].seen().len(), 1, "{value}");
        let told = results(&model.requests()[1]);
        assert!(told[0].contains("result of another call"), "{told:?}");

        // What the user said is meant as it is.
        let model = ScriptedModel::saying([switch(value, "on"), says("Done.")]);
        let tool = control();
        let agent = agent(&model, slice::from_ref(&tool), AgentOptions::default());
        asked(&agent, &format!("Turn on the device {value}")).await;
        assert_eq!(tool.seen().len(), 1, "{value}");
    }
}

#[tokio::test]
async fn what_no_tool_has_told_is_not_the_answer() {
    let model = ScriptedModel::saying([says("The hall lamp is on."), says("none")]);
    let agent = agent(&model, &[verify()], AgentOptions::default());
    let answer = agent.ask(IS_ON).await.unwrap();
    assert_eq!(answer.outcome, Outcome::Unverified);
    assert_eq!(
        answer.text,
        "No tool gave an answer, so I could not find that out."
    );
    assert_eq!(
        answer.withdrawn_text.as_deref(),
        Some("The hall lamp is on.")
    );
    assert_eq!(
        answer.messages.last().unwrap().content().text(),
        answer.text
    );
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(
        (&json["outcome"], &json["withdrawn_text"]),
        (&json!("unverified"), &json!("The hall lamp is on."))
    );
}

#[tokio::test]
async fn a_command_that_no_call_carried_out_is_not_done() {
    let invented = "The hall lamp is now on.";
    let model = ScriptedModel::saying([says(invented), says("none")]);
    let agent_ = agent(&model, &[control()], AgentOptions::default());
    let answer = agent_.ask(TURN_ON).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.outcome),
        (
            "No tool call succeeded, so nothing was done.",
            Outcome::Unverified
        )
    );
    // A question back is an answer, and so is whatever follows a call that succeeded.
    let back = "Which lamp do you mean?";
    let model = ScriptedModel::saying([says(back), says("none")]);
    let answer = asked(
        &agent(&model, &[control()], AgentOptions::default()),
        TURN_ON,
    )
    .await;
    assert_eq!(
        (answer.text.as_str(), answer.outcome),
        (back, Outcome::Answered)
    );
    let model = ScriptedModel::saying([switch("Hall Lamp", "on"), says(invented)]);
    let answer = asked(
        &agent(&model, &[control()], AgentOptions::default()),
        TURN_ON,
    )
    .await;
    assert_eq!(answer.outcome, Outcome::Answered);
}

#[tokio::test]
async fn an_answer_against_the_results_is_replaced_with_them() {
    let wrong = "Yes, the hall lamp is on.";
    let replies = || [look("Hall Lamp"), says(wrong)];
    let model = ScriptedModel::saying(replies());
    let answer = asked(&agent(&model, &[verify()], AgentOptions::default()), IS_ON).await;
    assert_eq!(answer.text, "Hall Lamp is off.");
    let step = RecoveryStep::UngroundedAnswer;
    assert_eq!(answer.outcome, Outcome::Recovered(step));
    assert_eq!(steps(&answer), [(step, true)]);
    assert_eq!(answer.withdrawn_text.as_deref(), Some(wrong));
    assert_eq!(
        answer.messages.last().unwrap().content().text(),
        answer.text
    );
    assert_eq!(model.requests().len(), 2, "the model is not asked again");

    let model = ScriptedModel::saying(replies());
    let answer = asked(&agent(&model, &[verify()], without(step)), IS_ON).await;
    assert_eq!(
        (answer.text.as_str(), answer.outcome, answer.withdrawn_text),
        (wrong, Outcome::Answered, None)
    );
}

#[tokio::test]
async fn a_client_that_runs_the_tools_gets_the_reply_as_it_is() {
    let mut conversation = vec![Message::human(IS_ON), look("Hall Lamp").into()];
    conversation.push(haft_core::ToolMessage::success("Hall Lamp is off.", "1").into());
    let wrong = "Yes, the hall lamp is on.";
    let model = ScriptedModel::saying([says(wrong)]);
    let agent = agent(&model, &[verify()], AgentOptions::default());
    let mut events = agent.turn(conversation, ClientTurn::default());
    let mut text = None;
    while let Some(event) = events.next().await {
        if let Event::Done(answer) = event.unwrap() {
            text = Some(answer.text);
        }
    }
    assert_eq!(text.as_deref(), Some(wrong));
}
