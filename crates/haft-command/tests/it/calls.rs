//! Which calls a sentence makes, with the clock and the six Z-Wave tools bound.

use super::support::{calls, home};

/// Short forms: `T` is the clock here, `T place` there, `+ name` on, `- name` off, `40 name`
/// dim, `L` the listing, `? name` verify_device, `S name` the sensor.
pub(super) fn expand(short: &str) -> String {
    let text = |name: &str| serde_json::Value::from(name).to_string();
    let control = |name: &str, rest: &str| {
        format!(
            "control_zwave_device {{\"deviceName\":{},{rest}}}",
            text(name)
        )
    };
    match short.split_once(' ') {
        None if short == "T" => "get_current_datetime {}".to_owned(),
        None if short == "H" => "check_zwave_health {}".to_owned(),
        None if short == "L" => "list_devices {\"limit\":100}".to_owned(),
        Some(("T", place)) => format!("get_current_datetime {{\"timezone\":{}}}", text(place)),
        Some(("+", name)) => control(name, "\"action\":\"on\""),
        Some(("-", name)) => control(name, "\"action\":\"off\""),
        Some(("?", name)) => format!("verify_device {{\"deviceName\":{}}}", text(name)),
        Some(("S", name)) => format!("get_device_sensor_data {{\"deviceName\":{}}}", text(name)),
        Some(("heat", rest)) => {
            let (degrees, name) = rest.split_once(' ').unwrap();
            control(name, &format!("\"action\":\"on\",\"level\":{degrees}"))
        }
        Some((level, name)) => control(name, &format!("\"action\":\"dim\",\"level\":{level}")),
        None => panic!("{short}"),
    }
}

async fn check(table: &[(&str, &[&str])]) {
    let model = home();
    let mut wrong = Vec::new();
    for (sentence, expected) in table {
        let expected: Vec<String> = expected.iter().map(|short| expand(short)).collect();
        let made = calls(&model, sentence).await;
        if made != expected {
            wrong.push(format!(
                "{sentence:?}\n   made {made:?}\n   not  {expected:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn times() {
    check(&[
        ("what time is it", &["T"]),
        ("What time is it?", &["T"]),
        ("what's the time", &["T"]),
        ("Whats the time please?", &["T"]),
        ("tell me the time", &["T"]),
        ("Could you please tell me what time it is?", &["T"]),
        ("do you know what time it is?", &["T"]),
        ("Hey, what time is it right now?", &["T"]),
        ("time", &["T"]),
        ("current time", &["T"]),
        ("do you have the time?", &["T"]),
        ("what is the current local time", &["T"]),
        ("what time is it here", &["T"]),
        ("how late is it?", &["T"]),
        ("what time will it be in 2 hours?", &["T"]),
        ("what time is it in Kathmandu", &["T Kathmandu"]),
        ("tell me the time in Tokyo", &["T Tokyo"]),
        ("time in New York right now?", &["T New York"]),
        (
            "what time is it in new york at the moment?",
            &["T new york"],
        ),
        ("current time Asia/Kolkata", &["T Asia/Kolkata"]),
        ("What time is it in Asia/Kolkata?", &["T Asia/Kolkata"]),
        (
            "what time is it in Paris and Sydney",
            &["T Paris", "T Sydney"],
        ),
        (
            "what time is it in paris and sydney?",
            &["T paris", "T sydney"],
        ),
        (
            "What's the time in Paris, Tokyo and Rio de Janeiro?",
            &["T Paris", "T Tokyo", "T Rio de Janeiro"],
        ),
        ("What time is it in Paris, France?", &["T Paris, France"]),
        ("what time is it in St. Louis?", &["T St. Louis"]),
        (
            "what time is it in Sao Paulo and in Rio de Janeiro",
            &["T Sao Paulo", "T Rio de Janeiro"],
        ),
        ("What's the time in São Paulo?", &["T São Paulo"]),
        (
            "What is the current time in the Netherlands?",
            &["T Netherlands"],
        ),
        ("what time is it now in london", &["T london"]),
        ("what time is it in London now please", &["T London"]),
        ("In Tokyo, what time is it?", &["T Tokyo"]),
        ("Tokyo time", &["T Tokyo"]),
        (
            "What is the time over in Port-au-Prince",
            &["T Port-au-Prince"],
        ),
        (
            "what's the local time in Ulaanbaatar today",
            &["T Ulaanbaatar"],
        ),
        (
            "What time is it in Trinidad and Tobago?",
            &["T Trinidad and Tobago"],
        ),
        ("can you tell me the current time for UTC?", &["T UTC"]),
        (
            "give me the time in America/Argentina/Buenos_Aires",
            &["T America/Argentina/Buenos_Aires"],
        ),
        ("what is the date and time in Oslo", &["T Oslo"]),
        ("what's the date and time?", &["T"]),
        ("got the time", &["T"]),
        ("What time and date is it?", &["T"]),
    ])
    .await;
}

#[tokio::test]
async fn the_time_there_is_that_of_the_place_named_before() {
    check(&[
        (
            "My sister lives in Nairobi, what time is it over there?",
            &["T Nairobi"],
        ),
        (
            "I am phoning our office in New York later. What's the time there right now?",
            &["T New York"],
        ),
        (
            "we have friends in oslo and i would like to know what time it is over there",
            &["T oslo"],
        ),
        ("Tell me the time of sunset in Rome", &[]),
        ("What time is it over there?", &[]),
        ("He flew from Paris to Rome. What time is it there?", &[]),
        (
            "I have a meeting in March, what time is it over there?",
            &[],
        ),
        // What was wished for is not done, so the answer says so.
        (
            "Book a flight to Lima and tell me what time it is there",
            &["T Lima"],
        ),
        ("I have a call with Lima in the office", &[]),
    ])
    .await;
}

#[tokio::test]
async fn whether_a_device_answers() {
    check(&[
        ("Does the porch light still respond?", &["? porch light"]),
        ("Is the garage lamp reachable or dead?", &["? garage lamp"]),
        (
            "Is the hall sensor responding, or has it gone offline?",
            &["? hall sensor"],
        ),
        (
            "does the bathroom fan answer or is it unreachable",
            &["? bathroom fan"],
        ),
        ("Is the desk lamp on, or is it off?", &["? desk lamp"]),
        // Not about a device.
        ("Does the plumber still respond?", &[]),
        ("Does the lamp respond to my voice?", &[]),
    ])
    .await;
}

#[tokio::test]
async fn time_zones() {
    check(&[
        (
            "what's the time difference between Berlin and Tokyo",
            &["T Berlin", "T Tokyo"],
        ),
        ("is Tokyo ahead of London?", &["T Tokyo", "T London"]),
        ("time difference to Lima", &["T Lima", "T"]),
        ("which timezone is berlin in", &["T berlin"]),
    ])
    .await;
}

#[tokio::test]
async fn dates() {
    check(&[
        ("what day is it", &["T"]),
        ("What day is it today?", &["T"]),
        ("what is today's date", &["T"]),
        ("what's the date today?", &["T"]),
        ("what's the date tomorrow?", &["T"]),
        ("what is the date in 3 days", &["T"]),
        ("what date is next Friday?", &["T"]),
        ("what's the date next friday", &["T"]),
        ("what day of the week is 25 December 2026?", &["T"]),
        ("what day of the week is it", &["T"]),
        ("which day is it", &["T"]),
        ("What weekday is July 4th, 2027?", &["T"]),
        ("what day was yesterday", &["T"]),
        ("what day will it be in two weeks", &["T"]),
        ("how many days until Christmas?", &["T"]),
        ("How many days are there until 2026-12-31?", &["T"]),
        ("how many weeks until new year", &["T"]),
        ("how long until halloween", &["T"]),
        ("how many days are left in the year", &["T"]),
        ("when is Easter?", &["T"]),
        ("what year is it", &["T"]),
        ("what month is it?", &["T"]),
        ("what week is it", &["T"]),
        ("what calendar week is it", &["T"]),
        ("What week number is it?", &["T"]),
        ("is it Sunday today?", &["T"]),
        ("is today monday?", &["T"]),
        ("tell me the date", &["T"]),
        ("today's date", &["T"]),
        ("What's today?", &["T"]),
        ("what day is it in Tokyo", &["T Tokyo"]),
        ("What is the date today in Auckland?", &["T Auckland"]),
        ("what's the day after tomorrow", &["T"]),
    ])
    .await;
}

#[tokio::test]
async fn switching() {
    check(&[
        ("Turn on the kitchen light", &["+ kitchen light"]),
        ("turn the kitchen light on", &["+ kitchen light"]),
        ("turn the lamp off", &["- lamp"]),
        ("switch off the Coffee Machine", &["- Coffee Machine"]),
        ("Please switch the fan on.", &["+ fan"]),
        (
            "could you turn on the kitchen light please?",
            &["+ kitchen light"],
        ),
        (
            "Can you turn the kitchen light off for me",
            &["- kitchen light"],
        ),
        ("I want you to turn off the TV", &["- TV"]),
        ("kitchen light on please", &["+ kitchen light"]),
        ("bedroom lamp off", &["- bedroom lamp"]),
        ("turn on my desk lamp", &["+ desk lamp"]),
        ("turn on the light in the kitchen", &["+ kitchen light"]),
        (
            "turn on the salt and pepper lamp",
            &["+ salt and pepper lamp"],
        ),
        ("turn on the charm", &["+ charm"]),
        ("set the kitchen light to on", &["+ kitchen light"]),
        ("power off the heater", &["- heater"]),
        ("shut off the heater", &["- heater"]),
        ("activate the porch light", &["+ porch light"]),
        ("Turn on the kitchen light!", &["+ kitchen light"]),
        ("hi, turn on the kitchen light", &["+ kitchen light"]),
        ("turn on the kids' lamp", &["+ kids' lamp"]),
        ("turn on the kid's lamp", &["+ kid's lamp"]),
        ("lock the front door", &["+ front door"]),
        ("unlock the front door please", &["- front door"]),
        ("turn on all the lights", &["L"]),
        ("turn off everything", &["L"]),
        ("lights on in the kitchen", &["L"]),
        ("turn off the kitchen lights", &["L"]),
        ("turn off all lights except the kitchen light", &["L"]),
        ("everything off", &["L"]),
        ("lights out", &["L"]),
        (
            "switch on the lights in the bedroom and the hallway",
            &["L"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn levels() {
    check(&[
        ("dim the bedroom lamp to 40", &["40 bedroom lamp"]),
        ("dim the bedroom lamp to 40%", &["40 bedroom lamp"]),
        (
            "dim the bedroom lamp to forty percent",
            &["40 bedroom lamp"],
        ),
        ("set the bedroom lamp to 40 percent", &["40 bedroom lamp"]),
        ("set the bedroom to 40%", &["L"]),
        ("set the bedroom lamp to half", &["50 bedroom lamp"]),
        ("brighten the bedroom lamp to 75 %", &["75 bedroom lamp"]),
        ("bedroom lamp 30%", &["30 bedroom lamp"]),
        ("bedroom lamp to 30 percent", &["30 bedroom lamp"]),
        (
            "set the brightness of the bedroom lamp to 20",
            &["20 bedroom lamp"],
        ),
        ("set bedroom lamp brightness to 20", &["20 bedroom lamp"]),
        ("turn the reading light down to 10%", &["10 reading light"]),
        ("turn on the reading light at 60%", &["60 reading light"]),
        (
            "dim the lamp and the fan light to 15%",
            &["15 lamp", "15 fan light"],
        ),
        ("set the thermostat to 21 degrees", &["heat 21 thermostat"]),
        ("set the temperature to 21", &["heat 21 thermostat"]),
        (
            "set the hallway temperature to 20",
            &["heat 20 hallway thermostat"],
        ),
        (
            "set the thermostat to twenty one degrees celsius",
            &["heat 21 thermostat"],
        ),
        (
            "set the bedroom thermostat to 19°C",
            &["heat 19 bedroom thermostat"],
        ),
        ("dim the lamp to 140%", &[]),
        ("dim the bedroom lamp", &["L"]),
        ("make the bedroom light brighter", &["L"]),
        ("turn down the bedroom light by 10 percent", &["L"]),
        ("turn the thermostat up by 2 degrees", &["L"]),
        ("make it warmer in the hallway", &["L"]),
        ("switch the lights on in the bedroom at 50 percent", &["L"]),
        ("dim the bedroom lamp to minus 5", &[]),
    ])
    .await;
}

#[tokio::test]
async fn questions() {
    check(&[
        ("is the kitchen light on?", &["? kitchen light"]),
        ("Is the kitchen light still on", &["? kitchen light"]),
        ("is the light on in the kitchen?", &["? kitchen light"]),
        ("is the front door locked", &["? front door"]),
        ("is the lamp turned off?", &["? lamp"]),
        ("did I leave the coffee machine on?", &["? coffee machine"]),
        ("which lights are on?", &["L"]),
        ("what lights are on in the kitchen", &["L"]),
        ("what devices do I have", &["L"]),
        ("what devices are there?", &["L"]),
        ("list my devices", &["L"]),
        ("show me all the devices", &["L"]),
        ("list devices", &["L"]),
        ("devices", &["L"]),
        ("what's on?", &["L"]),
        ("are any lights on?", &["L"]),
        ("are all the lights off?", &["L"]),
        ("how many lights are on?", &["L"]),
        (
            "what is the temperature in the living room",
            &["S living room temperature"],
        ),
        (
            "what's the temperature in the living room?",
            &["S living room temperature"],
        ),
        (
            "what is the living room temperature?",
            &["S living room temperature"],
        ),
        ("how warm is it in the bedroom?", &["S bedroom temperature"]),
        ("bathroom humidity", &["S bathroom humidity"]),
        ("is it warm in the bedroom", &["S bedroom temperature"]),
        (
            "what is the temperature in the bedroom and the bath",
            &["S bedroom temperature", "S bath temperature"],
        ),
        ("is there motion in the hallway", &["S hallway motion"]),
        ("is anyone in the hallway?", &["S hallway motion"]),
        ("is anybody home", &["L"]),
        ("which devices are offline", &["L"]),
        ("is the system healthy", &["H"]),
        ("what level is the bedroom light at", &["? bedroom light"]),
        ("temperature", &["L"]),
        ("what is the status of the front door?", &["? front door"]),
        ("check the kitchen light", &["? kitchen light"]),
    ])
    .await;
}

#[tokio::test]
async fn several_commands_are_one_round() {
    check(&[
        (
            "Turn on the kitchen light and tell me the time in Tokyo",
            &["+ kitchen light", "T Tokyo"],
        ),
        (
            "turn on the kitchen light and the bedroom light",
            &["+ kitchen light", "+ bedroom light"],
        ),
        ("turn the lamp and the fan off", &["- lamp", "- fan"]),
        (
            "turn off the lamp and set the bedroom to 40%",
            &["- lamp", "L"],
        ),
        (
            "turn on the heater, the fan and the TV",
            &["+ heater", "+ fan", "+ TV"],
        ),
        (
            "turn on the lamp and turn off the fan",
            &["+ lamp", "- fan"],
        ),
        ("turn the lamp on and the fan off", &["+ lamp", "- fan"]),
        ("Turn on the lamp. What time is it?", &["+ lamp", "T"]),
        (
            "lock the front door, then turn off the hall light, and tell me the time",
            &["+ front door", "- hall light", "T"],
        ),
        (
            "what time is it and is the kitchen light on?",
            &["T", "? kitchen light"],
        ),
        (
            "what time is it in Tokyo and turn off the lamp",
            &["T Tokyo", "- lamp"],
        ),
        (
            "what time is it in Tokyo, and what's the date there",
            &["T Tokyo"],
        ),
        ("what's the time and what devices do I have?", &["T", "L"]),
        (
            "turn on the kitchen light and dim it to 40%",
            &["+ kitchen light", "40 kitchen light"],
        ),
        // What is not understood, or not to be done, stops all of it.
        ("turn on the kitchen light and write a poem", &[]),
        ("write a poem and turn on the kitchen light", &[]),
        ("don't turn on the lamp but turn on the fan", &[]),
        ("turn on the lamp; what day is it?", &["+ lamp", "T"]),
        ("what time is it and what day is it", &["T"]),
    ])
    .await;
}

#[tokio::test]
async fn what_is_no_command_calls_nothing() {
    for sentence in [
        "",
        "   ",
        "?!",
        "hello",
        "thanks",
        "help",
        "what can you do?",
        "who are you?",
        "turn it off",
        "turn that on",
        "turn off",
        "switch them off please",
        "dim it to 40%",
        "is it on?",
        "how do I turn on the light?",
        "how can I turn on the kitchen light",
        "don't turn on the light",
        "do not turn on the kitchen light",
        "please don't switch off the lamp",
        "never turn off the heater",
        "I don't want you to turn on the lamp",
        "why is the light on?",
        "why did you turn on the light",
        "should I turn on the light?",
        "did you turn on the light?",
        "if it is dark turn on the light",
        "When I come home, turn on the light",
        "turn on the light when I get home",
        "turn on the light in 10 minutes",
        "turn off the lamp at 7pm",
        "turn off the lamp tomorrow",
        "turn on the heater at sunset",
        "remind me to call mum and turn off the oven",
        "translate \"turn on the light and lock the door\" to German",
        "set volume to 50",
        "set a timer for 10 minutes",
        "set an alarm for 7 am",
        "what is the fourth dimension",
        "what dimension does time have",
        "tell me a joke",
        "write a poem about time",
        "who wrote Faust?",
        "what is the best time to visit Japan?",
        "what time does the store open",
        "how much time do I have",
        "what is the time complexity of quicksort",
        "As of the current date, what is the price of silver?",
        "once upon a time",
        "what is 2 plus 2",
        "what is love",
        "lock the kitchen light",
        "what is the temperature of the sun",
        "what is for dinner in the kitchen",
        "raise the price",
        "make my day brighter",
        "hold on",
        "come on",
        "go on",
        "Schalte das Licht ein",
        "¿Qué hora es?",
        "I turned on the light",
        "the light is on",
        "what does turn on mean",
        "make sure you lock in the gains",
        "explain how locks work",
        "open the discussion",
        "close the deal",
        "turn on the light if it is dark",
    ] {
        let made = calls(&home(), sentence).await;
        assert!(made.is_empty(), "{sentence:?} made {made:?}");
    }
}
