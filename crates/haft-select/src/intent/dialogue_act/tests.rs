use super::*;

const COMMANDS: [&str; 44] = [
    "Turn on the kitchen light",
    "turn the lamp off please",
    "Please dim the bedroom light to 40 percent.",
    "Could you turn on the porch light?",
    "Can you please close the blinds?",
    "Would you mind closing the garage door?",
    "Will you lock the front door for me?",
    "Hey, can you switch off the fan",
    "Unlock the back door!",
    "Set the thermostat to 21 degrees",
    "Kitchen lights on",
    "bedroom lamp off please",
    "I want you to open the curtains",
    "I'd like you to start the vacuum",
    "I want the hall light off",
    "I would like to order two large pizzas",
    "Let's turn off everything",
    "Make it warmer in here",
    "Play some jazz in the study",
    "Pause the music",
    "Add milk to my shopping list",
    "Remind me to call Ann at five",
    "Send an email to Bob saying that I am late",
    "Book a table for two at 8 pm",
    "Which movie should I watch? Add it to my list.",
    "Is the light on? Turn it off.",
    "What time is it and turn off the hall lamp",
    "What's the weather, then close the blinds",
    "Good evening! Lock all doors.",
    "Go ahead and restart the server",
    "Delete the last note",
    "Stop the dishwasher",
    "Stop vacuuming",
    "Unpause the music in the attic",
    "Play \"Don't stop me now\"",
    "Write \"is the door open?\" on the board",
    "I need you to mute the television",
    "Ok, now raise the shutter",
    "Shut the window, it is cold",
    "Turn down the volume a bit",
    "Increase the brightness in the office",
    "The hall is dark. Turn on a lamp.",
    "Check out the cart",
    "If possible, close the gate",
];

const QUESTIONS: [&str; 45] = [
    "Is the kitchen light on?",
    "is the kitchen light on",
    "Are all doors locked?",
    "Are the blinds open or closed?",
    "What is the temperature in the bedroom?",
    "What's the time in Nairobi?",
    "whats the humidity in the bathroom",
    "Which lights are on?",
    "Which doors did I leave open?",
    "How warm is it in the attic?",
    "How many windows are open?",
    "Did I turn off the oven?",
    "Did you turn on the light and lock the door?",
    "Do I have to turn off the heater?",
    "Does the fan run?",
    "Has somebody opened the gate?",
    "Was the door locked at noon?",
    "Were the lights off last night?",
    "Who turned on the heating?",
    "Why is the porch light still on?",
    "Where is the remote control for the TV?",
    "When was the garage opened?",
    "What happens if you restart the server?",
    "What happens if I stop and restart the pump?",
    "How do I turn on the dishwasher?",
    "How can I lock the front door?",
    "What does it mean to arm the alarm?",
    "Should I turn off the heater?",
    "Will it rain tomorrow?",
    "Would the door be locked by now?",
    "Can you tell me whether the light is on?",
    "Could you check if the door is locked?",
    "Tell me if the garage is open",
    "Show me which windows are open",
    "Do you know if the lamp is off?",
    "I want to know if the oven is on",
    "Please tell me what time it is.",
    "Tell me, is the fan on?",
    "Is the fan on? Answer yes or no.",
    "Hello! Is the heater running?",
    "I am home. Are the lights on?",
    "What time is it? And is it raining?",
    "Is it safe to leave the oven on and go out?",
    "Is the thermostat set to 21 degrees?",
    "What did she say about the light?",
];

const UNCLEAR: [&str; 47] = [
    "",
    "Hello",
    "Thanks, that was all!",
    "Don't turn on the kitchen light",
    "Do not open the door.",
    "Never unlock the back door",
    "You should not close the blinds",
    "If it is dark, turn on the light",
    "When I come home, open the garage",
    "Turn on the heater if it gets cold",
    "Turn off the light when I leave",
    "Unless it rains, water the garden",
    "After sunset close the blinds",
    "Turn on the porch light after sunset",
    "Every morning, turn on the radio",
    "He said turn on the light",
    "She told me to unlock the door",
    "Mum asked if you could close the window",
    "According to Tom, I have to restart the router",
    "He said \"turn on the light\"",
    "\"Open the door\"",
    "I turned on the light",
    "The light was turned off by Ann",
    "I have locked the door",
    "I am going to turn on the light",
    "We talked about how to open the gate",
    "What about the bedroom?",
    "How about turning on a lamp?",
    "And the hall light?",
    "Why don't you turn on the light?",
    "Is it possible to turn on the light?",
    "Can I have the lights on?",
    "Could the light be turned off?",
    "Turn on the light?",
    "Is it dark? If so, turn on the lamp.",
    "Turn on the light, no wait",
    "Open the garage. Never mind.",
    "Switch off the fan, scratch that",
    "It is cold in here",
    "It would be nice if you turned on the heating",
    "Let me know if the door opens",
    "Schalte das Licht ein",
    "Ist das Licht an?",
    "Tell me a joke",
    "List all devices",
    "Show me the lights",
    "yes",
];

fn check(act: DialogueAct, texts: &[&str]) {
    let wrong: Vec<_> = texts
        .iter()
        .map(|text| (text, DialogueAct::of(text)))
        .filter(|(_, found)| *found != act)
        .collect();
    assert!(wrong.is_empty(), "not {act:?}: {wrong:#?}");
}

#[test]
fn polite_plain_and_verbless_commands_are_commands() {
    check(DialogueAct::Command, &COMMANDS);
}

#[test]
fn a_question_about_a_change_is_a_question() {
    check(DialogueAct::Question, &QUESTIONS);
}

#[test]
fn negations_conditions_reports_quotations_and_hints_are_neither() {
    check(DialogueAct::Unclear, &UNCLEAR);
}

#[test]
fn a_document_is_no_request() {
    let text = "Turn on the light. ".repeat(60);
    assert_eq!(DialogueAct::of(&text), DialogueAct::Unclear);
}
