//! What the engine says once its calls are answered.

use haft_core::{CallOptions, Message, ToolChoice, ToolMessage};
use serde_json::{Value, json};

use super::support::{ask, bound, clock, home, turn, world};

const ANSWERS: &[(&str, &str)] = &[
    (
        "what day of the week was July 20, 1969?",
        "20 July 1969 was a Sunday.",
    ),
    (
        "how many days since 1 January 2026?",
        "Thursday, 1 January 2026 was 325 days ago.",
    ),
    (
        "Turn on the kitchen light and tell me the time in Tokyo",
        "Kitchen Light is now on. It is 13:45 in Tokyo.",
    ),
    ("what time is it", "It is 04:45."),
    (
        "what is the date and time in Tokyo",
        "It is 13:45 in Tokyo on Sunday, 22 November 2026.",
    ),
    ("what time will it be in 2 hours", "It will be 06:45."),
    ("what time will it be in half an hour", "It will be 05:15."),
    (
        "what time is it in Tokkyo",
        "I do not know the place \"Tokkyo\". Did you mean Tokyo?",
    ),
    ("what day is it", "Today is Sunday, 22 November 2026."),
    (
        "what day is it in Tokyo",
        "In Tokyo it is Sunday, 22 November 2026.",
    ),
    (
        "what's the date tomorrow",
        "Tomorrow is Monday, 23 November 2026.",
    ),
    (
        "what's the date in 3 days",
        "In 3 days it is Wednesday, 25 November 2026.",
    ),
    (
        "what was the date 10 days ago",
        "10 days ago it was Thursday, 12 November 2026.",
    ),
    (
        "what's the date next Friday",
        "The next Friday is 27 November 2026.",
    ),
    (
        "what day of the week is 25 December 2026",
        "25 December 2026 is a Friday.",
    ),
    ("when is Easter", "Easter is on Sunday, 28 March 2027."),
    (
        "how many days until Christmas",
        "There are 33 days until Christmas on Friday, 25 December 2026.",
    ),
    (
        "how many days until 2026-12-31",
        "There are 39 days until Thursday, 31 December 2026.",
    ),
    (
        "how many days until tomorrow",
        "There is 1 day until Monday, 23 November 2026.",
    ),
    (
        "how many weeks until Christmas",
        "There are 4 weeks and 5 days until Christmas on Friday, 25 December 2026.",
    ),
    ("what year is it", "It is 2026."),
    ("is it December?", "No, it is November 2026."),
    ("is it november", "Yes, it is November 2026."),
    ("is it 2027", "No, it is 2026."),
    (
        "is it the weekend",
        "Yes, today is Sunday, 22 November 2026.",
    ),
    (
        "is tomorrow a weekend",
        "No, tomorrow is Monday, 23 November 2026.",
    ),
    ("is it friday yet", "No, today is Sunday, 22 November 2026."),
    (
        "when is the next Monday",
        "The next Monday is 23 November 2026.",
    ),
    ("is 2028 a leap year", "Yes, 2028 is a leap year."),
    ("is this year a leap year?", "No, 2026 is not a leap year."),
    (
        "how many days are in february",
        "February 2027 has 28 days.",
    ),
    (
        "how many days has February 2028",
        "February 2028 has 29 days.",
    ),
    (
        "how many days are left in this month",
        "There are 8 days until Monday, 30 November 2026.",
    ),
    (
        "when is easter next year",
        "Easter is on Sunday, 28 March 2027.",
    ),
    (
        "when was easter 2024",
        "Easter was on Sunday, 31 March 2024.",
    ),
    ("when is the first of may", "1 May 2027 is a Saturday."),
    (
        "what day of the week is the twenty fifth of december",
        "25 December 2026 is a Friday.",
    ),
    (
        "how long ago was 1 january 2026",
        "Thursday, 1 January 2026 was 325 days ago.",
    ),
    (
        "how many days from today until friday",
        "There are 5 days until Friday, 27 November 2026.",
    ),
    ("whats todays date", "Today is Sunday, 22 November 2026."),
    ("what time was it 3 hours ago", "It was 01:45."),
    (
        "what time was it half an hour ago in Tokyo",
        "It was 13:15 in Tokyo.",
    ),
    (
        "what time zone is Tokyo in",
        "Tokyo is in the time zone Asia/Tokyo, 9 hours ahead of UTC.",
    ),
    ("what time zone am I in", "The time zone here is UTC."),
    (
        "what's the time difference between Berlin and Tokyo",
        "Berlin is 8 hours behind Tokyo.",
    ),
    (
        "how many hours is Tokyo ahead of Berlin",
        "Tokyo is 8 hours ahead of Berlin.",
    ),
    ("how far ahead is Tokyo", "Tokyo is 9 hours ahead of here."),
    (
        "what is the time difference between Tokkyo and Berlin",
        "I do not know the place \"Tokkyo\". Did you mean Tokyo?",
    ),
    ("what month is it", "It is November 2026."),
    ("what week is it", "It is week 47 of 2026."),
    (
        "is it monday today?",
        "No, today is Sunday, 22 November 2026.",
    ),
    (
        "is today sunday?",
        "Yes, today is Sunday, 22 November 2026.",
    ),
    (
        "dim the reading light to forty percent",
        "Reading Light is now at 40 percent.",
    ),
    (
        "turn on the kitchn light",
        "I find no device named \"kitchn light\". Did you mean Kitchen Light?",
    ),
    ("is the kitchen light on?", "No, Kitchen Light is off."),
    ("is the coffee machine on?", "Yes, Coffee Machine is on."),
    (
        "is the front door locked?",
        "Yes, Front Door Lock is locked.",
    ),
    (
        "is the front door open?",
        "No, Front Door Sensor is closed.",
    ),
    (
        "which lights are on?",
        "Reading Light and Hallway Lamp are on.",
    ),
    ("which lights are off?", "Kitchen Light is off."),
    (
        "are any lights on in the kitchen?",
        "No kitchen lights are on.",
    ),
    ("how many lights are on", "2 lights are on."),
    (
        "what is the temperature in the living room",
        "Living Room Temperature reads 21.5 °C.",
    ),
    ("temperature", "Living Room Temperature reads 21.5 °C."),
    ("turn it off", "Which device do you mean?"),
    (
        "make the reading light brighter",
        "Reading Light is now at 50 percent.",
    ),
    (
        "make the reading light a bit darker",
        "Reading Light is now at 20 percent.",
    ),
    (
        "turn the reading light down by 5 percent",
        "Reading Light is now at 25 percent.",
    ),
    (
        "make the attic light brighter",
        "I find no attic light whose state I can read.",
    ),
    ("make it brighter", "Which device do you mean?"),
    (
        "dim the reading light to minus 5",
        "A level goes from 0 to 100 percent.",
    ),
    ("toggle the hallway lamp", "Hallway Lamp is now off."),
    (
        "turn on the kitchen light or the hallway lamp",
        "Which device do you mean?",
    ),
    (
        "turn on the kitchen light, no wait, the hallway lamp",
        "You changed your mind on the way, so I did nothing. Please say it once more.",
    ),
    (
        "turn on the kitchen light, no rush",
        "Kitchen Light is now on.",
    ),
    ("leave the kitchen light off", "All right, I did nothing."),
    ("turn on no lights", "All right, I did nothing."),
    (
        "set the thermostat to 21.5 degrees",
        "That value cannot be set here. Try a whole number such as 20.",
    ),
    (
        "set the thermostat to -3 degrees",
        "That value cannot be set here. Try a whole number such as 20.",
    ),
    (
        "set the reading light to about fifty percent",
        "Reading Light is now at 50 percent.",
    ),
    (
        "turn on the kitchen\u{1b} light",
        "Kitchen Light is now on.",
    ),
    (
        "how long until the weekend",
        "There are 6 days until Saturday, 28 November 2026.",
    ),
    (
        "turn off the lights but not the kitchen light",
        "Reading Light is now off. Hallway Lamp is now off.",
    ),
    (
        "turn on the kitchen light and don't turn on the hallway lamp",
        "You said \"don't turn on the hallway lamp\", so I changed nothing. Please say only what I am to do.",
    ),
    (
        "turn on the kitchen light turn off the hallway lamp what time is it",
        "Kitchen Light is now on. Hallway Lamp is now off. It is 04:45.",
    ),
    (
        "turn on the coffee machine at seven",
        "I can only act at once, not later or on a condition, so I did nothing.",
    ),
    (
        "at 7 am turn on the coffee machine",
        "I can only act at once, not later or on a condition, so I did nothing.",
    ),
    (
        "make the living room brighter",
        "Reading Light is now at 50 percent.",
    ),
    (
        "pls turn on the kitchen light thx",
        "Kitchen Light is now on.",
    ),
    (
        "can u turn on the kitchen light",
        "Kitchen Light is now on.",
    ),
    ("how many doors are unlocked", "No locks are unlocked."),
    ("which doors are open", "No doors are open."),
    ("i want the kitchen light on", "Kitchen Light is now on."),
    ("the kitchen light should be on", "Kitchen Light is now on."),
    ("start the coffee machine", "Coffee Machine is now on."),
    (
        "uh turn on um the kitchen light",
        "Kitchen Light is now on.",
    ),
    (
        "turn off every light in every room",
        "Kitchen Light is now off. Reading Light is now off. Hallway Lamp is now off.",
    ),
    (
        "dim all the lights to 20 percent",
        "Reading Light is now at 20 percent.",
    ),
    ("what is offline", "No devices are offline."),
    ("are all devices online", "Yes, 7 devices are online."),
    (
        "are all the lights off",
        "No, Reading Light and Hallway Lamp are on.",
    ),
    (
        "is the kitchen light online",
        "Yes, Kitchen Light is online.",
    ),
    (
        "is the kitchen light on or off",
        "No, Kitchen Light is off.",
    ),
    (
        "tell me if the front door is locked",
        "Yes, Front Door Lock is locked.",
    ),
    (
        "did I lock the front door",
        "Yes, Front Door Lock is locked.",
    ),
    (
        "what rooms are there",
        "There are 3 rooms: Kitchen, Living Room and Hallway.",
    ),
    (
        "what is in the kitchen",
        "You have 2 kitchen devices: Kitchen Light is off, Coffee Machine is on.",
    ),
    ("is there a light in the attic", "I find no attic lights."),
    (
        "do I have a sensor",
        "You have 2 sensors: Front Door Sensor is closed, Living Room Temperature is 21.5 °C.",
    ),
    ("any motion", "I find no motion sensor there."),
    (
        "Tell me which lights are on",
        "Reading Light and Hallway Lamp are on.",
    ),
    (
        "could you tell me which lights are on?",
        "Reading Light and Hallway Lamp are on.",
    ),
    (
        "show me what's on",
        "Reading Light, Hallway Lamp and Coffee Machine are on.",
    ),
    (
        "tell me what is still on",
        "Reading Light, Hallway Lamp and Coffee Machine are on.",
    ),
    ("list the lights that are off", "Kitchen Light is off."),
    ("show all lights which are off", "Kitchen Light is off."),
    (
        "show me the lights that are on in the kitchen",
        "No kitchen lights are on.",
    ),
    (
        "which of the lights are on?",
        "Reading Light and Hallway Lamp are on.",
    ),
    ("which lights in the hallway are on", "Hallway Lamp is on."),
    (
        "which lights did I leave on?",
        "Reading Light and Hallway Lamp are on.",
    ),
    (
        "do I have any lights on?",
        "Reading Light and Hallway Lamp are on.",
    ),
    ("tell me how many lights are on", "2 lights are on."),
    ("how many of the lights are on", "2 lights are on."),
    (
        "is anything still on in the kitchen?",
        "Coffee Machine is on.",
    ),
    (
        "is anything still on upstairs",
        "I find no upstairs devices.",
    ),
    (
        "are any of the lights on",
        "Reading Light and Hallway Lamp are on.",
    ),
    (
        "what's still on?",
        "Reading Light, Hallway Lamp and Coffee Machine are on.",
    ),
    (
        "tell me whether the front door is locked",
        "Yes, Front Door Lock is locked.",
    ),
    (
        "let me know if the front door is locked",
        "Yes, Front Door Lock is locked.",
    ),
    ("kitchen light on?", "No, Kitchen Light is off."),
    ("hallway lamp still on?", "Yes, Hallway Lamp is on."),
    (
        "turn off all the lights except the attic light",
        "I know no device or room called \"attic light\", so I changed nothing.",
    ),
    (
        "turn off the lights in the kitchen and the attic",
        "I know no device or room called \"attic\", so I changed nothing.",
    ),
    (
        "confirm the front door is locked",
        "Yes, Front Door Lock is locked.",
    ),
    ("are there any unlocked doors?", "No locks are unlocked."),
    ("do I have any open doors", "No doors are open."),
    // "This room" is not the living room, and "here" not the whole house.
    (
        "turn off every light in this room",
        "Which room do you mean?",
    ),
    ("lights off in here", "Which room do you mean?"),
    ("turn off the lights here", "Which room do you mean?"),
    (
        "set the brightness in here to 20 percent",
        "Which device do you mean?",
    ),
    (
        "which lights are on in here",
        "Reading Light and Hallway Lamp are on.",
    ),
    ("bye", "See you soon."),
    ("never mind", "All right, I did nothing."),
    (
        "dim the kitchen light",
        "Kitchen Light cannot be made darker.",
    ),
    ("don't turn on the lamp", "All right, I did nothing."),
    (
        "dim the lamp to 140 percent",
        "A level goes from 0 to 100 percent.",
    ),
    ("turn on the lights in the attic", "I find no attic lights."),
];

async fn answer(text: &str) -> String {
    turn(&home(), text, world).await.0
}

#[tokio::test]
async fn answers_are_short_sentences() {
    let mut wrong = Vec::new();
    for (sentence, expected) in ANSWERS {
        let said = answer(sentence).await;
        if said != *expected {
            wrong.push(format!(
                "{sentence:?}\n   said {said:?}\n   not  {expected:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn all_the_lights_are_listed_first_and_then_switched() {
    let (said, rounds) = turn(&home(), "turn off all the lights", world).await;
    assert_eq!(
        said,
        "Kitchen Light is now off. Reading Light is now off. Hallway Lamp is now off."
    );
    assert_eq!(rounds, [1, 3]);
    let (said, rounds) = turn(&home(), "turn off everything", world).await;
    assert_eq!(
        said,
        "4 devices are now off: Kitchen Light, Reading Light, Hallway Lamp, Coffee Machine."
    );
    assert_eq!(rounds, [1, 4]);
    let (said, _) = turn(
        &home(),
        "turn off all lights except the kitchen light",
        world,
    )
    .await;
    assert_eq!(said, "Reading Light is now off. Hallway Lamp is now off.");
    let (said, rounds) = turn(
        &home(),
        "turn off the hallway lights and tell me the time",
        world,
    )
    .await;
    assert_eq!(said, "Hallway Lamp is now off. It is 04:45.");
    assert_eq!(rounds, [2, 1]);
}

/// A home with so many lamps that are on.
fn lamps(count: usize) -> impl Fn(&str, &Value) -> Result<(String, Value), String> + Copy {
    move |tool: &str, arguments: &Value| {
        if tool == "list_devices" {
            let lamp = |at: usize| json!({"name": format!("Lamp {at}"), "type": "light", "state": "on", "on": true});
            let lamps: Vec<Value> = (0..count).map(lamp).collect();
            return Ok((String::new(), json!({"devices": lamps})));
        }
        let name = arguments["deviceName"].as_str().unwrap();
        Ok((format!("{name} is now off."), Value::Null))
    }
}

#[tokio::test]
async fn every_lamp_of_a_large_home_is_switched() {
    for sentence in ["turn off all the lights", "turn off everything"] {
        let (said, rounds) = turn(&home(), sentence, lamps(120)).await;
        assert_eq!(rounds, [1, 120], "{sentence}");
        assert!(!said.contains("left out"), "{said}");
    }
}

#[tokio::test]
async fn devices_beyond_the_limit_are_reported_as_left_out() {
    let (said, rounds) = turn(&home(), "turn off all the lights", lamps(230)).await;
    assert_eq!(rounds, [1, 200]);
    let told = "I only looked at the first 200 devices; 30 more were left out.";
    assert!(said.ends_with(told), "{said}");
    let (said, _) = turn(&home(), "which lights are on", lamps(230)).await;
    assert!(said.ends_with(told), "{said}");
}

#[tokio::test]
async fn a_failed_listing_ends_the_turn() {
    let failing = |_: &str, _: &Value| Err("The home does not answer.".to_owned());
    let (said, rounds) = turn(&home(), "turn off all the lights", failing).await;
    assert_eq!(
        (said.as_str(), rounds),
        ("The home does not answer.", vec![1])
    );
}

#[tokio::test]
async fn what_was_not_understood_is_quoted() {
    for (sentence, expected) in [
        (
            "turn on the kitchen light and write a poem",
            "I did not understand \"write a poem\", so I changed nothing. I am only haft's local command engine: for more, connect a language model",
        ),
        (
            "what time is it and write a poem",
            "It is 04:45. I did not understand \"write a poem\". I am only",
        ),
        (
            "In the event of a fire, unlock the front door",
            "I can only act at once, not later or on a condition, and you said \"In the event of a fire\", so I changed nothing.",
        ),
        (
            "Is the front door locked? In case of fire: unlock the front door",
            "Yes, Front Door Lock is locked. I can only act at once, not later or on a condition, and you said \"In case of fire\", so I changed nothing.",
        ),
        (
            "My boss said, turn off the hallway lamp",
            "I do not act on what somebody says or thinks, and you said \"My boss said\", so I changed nothing.",
        ),
        (
            "my boss said turn off the hallway lamp",
            "I do not act on what somebody says or thinks, and you said \"my boss said turn off the hallway lamp\", so I changed nothing.",
        ),
        (
            "turn off the hallway lamp, sorry, on",
            "You changed your mind on the way (\"sorry, on\"), so I changed nothing. Please say it once more.",
        ),
        (
            "turn on the kitchen light?",
            "You asked \"turn on the kitchen light?\", and a question changes nothing. Say it without the question mark and I do it.",
        ),
        (
            "he wrote \"turn on the kitchen light\"",
            "I do not act on words in quotation marks (\"he wrote \"turn on the kitchen light\"), so I changed nothing.",
        ),
    ] {
        let said = answer(sentence).await;
        assert!(said.starts_with(expected), "{sentence}\n{said}");
    }
}

#[tokio::test]
async fn the_rest_gets_an_honest_answer() {
    for sentence in [
        "who wrote Faust?",
        "Schalte das Licht ein",
        "tell me a joke",
    ] {
        let said = answer(sentence).await;
        assert!(said.contains("not a language model"), "{said}");
        assert!(
            said.contains("--model ollama:NAME") && said.contains("ANTHROPIC_API_KEY"),
            "{said}"
        );
    }
    for sentence in ["hello", "help", "what can you do?"] {
        let said = answer(sentence).await;
        assert!(said.contains("control and check devices"), "{said}");
    }
}

#[tokio::test]
async fn missing_tools_are_named() {
    let no_tools = bound(&[]);
    let said = ask(&no_tools, &[Message::human("turn on the kitchen light")]).await;
    assert!(said.content.text().contains("no device tools here"));
    let said = ask(&no_tools, &[Message::human("what time is it")]).await;
    assert!(said.content.text().contains("no clock here"));
    let only_clock = bound(&[clock()]);
    let said = ask(&only_clock, &[Message::human("help")]).await;
    assert!(said.content.text().contains("time"));
    assert!(!said.content.text().contains("devices"));
}

#[tokio::test]
async fn results_are_told_even_when_the_tools_are_gone() {
    let question = Message::human("tell me the time in Tokyo");
    let reply = ask(&home(), std::slice::from_ref(&question)).await;
    let id = reply.tool_calls[0].id.clone();
    let text = "It is 13:45 in Tokyo on Sunday, 22 November 2026 (Asia/Tokyo).";
    let messages = [
        question,
        reply.into(),
        ToolMessage::success(text, id).into(),
    ];
    let without = bound(&[]);
    assert_eq!(ask(&without, &messages).await.content.text(), text);
    let options = CallOptions {
        tool_choice: ToolChoice::None,
        ..CallOptions::default()
    };
    let with = home().invoke(&messages, &options).await.unwrap();
    assert_eq!(with.content.text(), "It is 13:45 in Tokyo.");
}

#[tokio::test]
async fn earlier_turns_do_not_count() {
    let mut messages = vec![Message::human("what time is it")];
    let reply = ask(&home(), &messages).await;
    let id = reply.tool_calls[0].id.clone();
    messages.extend([
        reply.into(),
        ToolMessage::success("It is 04:45.", id.clone()).into(),
    ]);
    messages.extend([
        Message::ai("It is 04:45."),
        Message::human("what time is it"),
    ]);
    let again = ask(&home(), &messages).await;
    assert_eq!(again.tool_calls.len(), 1);
    assert_ne!(again.tool_calls[0].id, id);
}

#[tokio::test]
async fn markdown_of_tools_is_not_read_out() {
    let listing = |_: &str, _: &Value| Ok(("# Home\n- **Kitchen** `ok`\n".to_owned(), json!({})));
    let (said, _) = turn(&home(), "check the kitchen light", listing).await;
    assert!(!said.contains(['#', '*', '`']), "{said}");
}

#[tokio::test]
async fn motion_is_told_as_yes_or_no() {
    for (state, expected) in [
        ("no motion", "No, Hallway Motion reports no motion."),
        ("motion", "Yes, Hallway Motion reports motion."),
    ] {
        let world = |_: &str, _: &Value| {
            let device = json!({"name": "Hallway Motion", "type": "sensor", "quantity": "motion", "state": state, "value": state});
            Ok((String::new(), json!({"device": device})))
        };
        for sentence in ["is anyone in the hallway", "is anybody home"] {
            let (said, _) = turn(&home(), sentence, world).await;
            assert_eq!(said, expected, "{sentence}");
        }
    }
}

#[tokio::test]
async fn after_three_rounds_nothing_more_is_called() {
    let mut messages = vec![Message::human("turn off all the lights")];
    let listing = ask(&home(), &messages).await;
    for round in 0..3 {
        let mut call = listing.tool_calls[0].clone();
        call.id = format!("call_{round}");
        let id = call.id.clone();
        messages.push(
            haft_core::AiMessage::new("")
                .with_tool_calls(vec![call])
                .into(),
        );
        let result = ToolMessage {
            artifact: Some(super::support::devices()),
            ..ToolMessage::success("", id)
        };
        messages.push(result.into());
        let is_last = round == 2;
        let reply = ask(&home(), &messages).await;
        assert_eq!(reply.tool_calls.is_empty(), is_last, "round {round}");
    }
}
