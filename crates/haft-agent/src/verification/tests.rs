use haft_core::ToolMessage;
use haft_testing::{SpyTool, named_tool};
use serde_json::json;

use super::*;

fn tools() -> Vec<Arc<dyn Tool>> {
    let schema = json!({
        "type": "object",
        "properties": {"deviceName": {"type": "string", "description": "Name of the device"}},
        "required": ["deviceName"],
    });
    let verify = SpyTool::new("verify_device", |_| Ok("".into()))
        .with_description("Check that a device exists and tell its state")
        .with_schema(schema);
    vec![
        Arc::new(verify),
        haft_tools::get_current_datetime(),
        named_tool("get_weather", None),
    ]
}

fn judge(conversation: &[Message], reply: &str) -> Option<&'static str> {
    let tools = tools();
    let unproven = Unproven {
        conversation,
        tools: &tools,
    };
    unproven.answer(reply)
}

#[test]
fn what_nobody_looked_up_is_no_answer() {
    let lock = [Message::human("Is the front door locked?")];
    for reply in [
        "The front door is unlocked.",
        "Yes.",
        "I am sorry to hear that. The door is locked.",
        "I can not see it, but it should be locked now. The front door is locked.",
        "Certainly, the front door is locked.",
    ] {
        let answer = judge(&lock, reply);
        assert!(
            answer.is_some_and(|answer| answer.contains("find that out")),
            "{reply}"
        );
    }
    let clock = [Message::human("What time is it in Nairobi?")];
    assert!(judge(&clock, "In Nairobi, the time is 22:30.").is_some());
}

#[test]
fn a_failed_call_proves_nothing() {
    let mut lock = vec![Message::human("Is the front door locked?")];
    lock.push(
        ToolMessage::error(
            "There is no device called Front Door Lock. Known: Gate.",
            "1",
        )
        .into(),
    );
    assert!(judge(&lock, "The front door is locked.").is_some());
    for honest in [
        "There is no device called Front Door Lock.",
        "Known: Gate.",
        "The front door was not found. Do you mean the gate?",
    ] {
        assert_eq!(judge(&lock, honest), None, "{honest}");
    }
}

#[test]
fn questions_back_and_limits_stand() {
    let lock = [Message::human("Is the front door locked?")];
    for reply in [
        "Which door do you mean?",
        "I would be glad to help with that. Let me know if you want me to go on.",
        "I can't check that.",
        "No idea.",
        "Well.",
        "I'm sorry, but I don't have access to your door.",
        "I cannot see your devices. You could look at the app of your lock.",
        "I don't know. Please ask again later.",
        "As an AI, I have no senses.",
        "Sure! Which front door do you mean?",
    ] {
        assert_eq!(judge(&lock, reply), None, "{reply}");
    }
}

#[test]
fn only_questions_that_surely_need_a_tool_are_judged() {
    for question in [
        "What is the capital of France?",
        "Is it safe to leave the door locked?",
        "How does a smart lock work?",
        "Who invented the light bulb?",
        "What is the weather in Oslo?",
        "Tell me a story about a locked door.",
        "Write a poem about the kitchen light",
        "Why do clocks go forward?",
        "What weekday is 24 December 2030?",
        "What time zone is Tokyo in?",
    ] {
        let asked = [Message::human(question)];
        assert_eq!(judge(&asked, "The door is locked."), None, "{question}");
    }
}

#[test]
fn what_is_already_told_needs_no_call() {
    let question = || Message::human("Is the front door locked?");
    let told = [Message::system("Front door: locked"), question()];
    assert_eq!(judge(&told, "It is locked."), None);
    let unrelated = [Message::system("You are brief."), question()];
    assert!(judge(&unrelated, "It is locked.").is_some());
    let earlier = [ToolMessage::success("locked", "1").into(), question()];
    assert_eq!(judge(&earlier, "It is locked."), None);
    let clock = [
        Message::system("It is 17:14 now."),
        Message::human("What time is it?"),
    ];
    assert_eq!(judge(&clock, "It is 17:14."), None);
}
