use super::*;

#[test]
fn refusals_to_look_something_up_are_recognised() {
    for reply in [
        "I don't have access to real-time information.",
        "I don’t have access to real‑time data, so I can’t tell.",
        "I'm sorry, but as an AI language model I do not have access to the internet.",
        "I do not have direct access to current news.",
        "Unfortunately, I have no access to up-to-date information.",
        "I cannot browse the internet.",
        "I can't browse.",
        "I'm unable to browse websites or open links.",
        "I am not able to search the web for you.",
        "I cannot search for that.",
        "As a language model, I can't access the web.",
        "I CANNOT ACCESS THE INTERNET",
        "I don't have real-time capabilities.",
        "I don't have real-time weather data for your area.",
        "I have no real time access to prices.",
        "I don't have any current information about the election.",
        "I do not have the latest news about that team.",
        "I don't have up-to-date information on that.",
        "My knowledge cutoff is in 2023.",
        "Based on my knowledge cut-off, the answer may be outdated.",
        "As of my last update in April 2023, nobody had won.",
        "My training data only goes up to 2022.",
        "I can't look that up.",
        "I'm not able to look up current prices.",
        "I was unable to look it up.",
        "No direct answer found.",
        "I could not find a direct answer for \"boat race\".",
        "I'm not connected to the internet.",
        "I cannot provide real-time updates on the weather.",
        "I'm unable to give you the current stock prices.",
        "Sorry, cannot access the internet.",
        "I have no information about events after 2023.",
        "I was trained on data up to September 2021.",
        "I don't have the ability to browse the internet.",
        "Real-time data is not available to me.",
        "I cannot directly access external databases or APIs.",
        "Since I don't have access to external databases, I can't give an actual average.",
        "I don't have access to that.",
        "I do not have access to that information.",
        "I don't have the ability to search.",
        "I don't browse the internet.",
        "I have no way of knowing the current weather.",
        "My training data only includes events up to 2021.",
        "My knowledge was last updated in 2022.",
        "I'm just a language model and can't access real-time data.",
        "I do not have information about current events.",
    ] {
        assert!(asks_for_search(reply), "{reply}");
    }
}

#[test]
fn answers_are_not_taken_for_refusals() {
    for reply in [
        "Paris is the capital of France.",
        "The kitchen light is on.",
        "I turned on the kitchen light.",
        "I could not find a device called attic lamp.",
        "I don't have access to your bedroom light.",
        "I cannot access your calendar.",
        "I can't look up your order.",
        "I don't have access to that lamp.",
        "I can't search for lamps in a room that does not exist.",
        "My data cable is limited to two metres.",
        "I do not have access to it yet, as the hub is still starting.",
        "I can't turn on the garage door because it is offline.",
        "The internet is a network of networks.",
        "You don't have access to this page; ask its owner.",
        "If you do not have access to the internet, use a printed map.",
        "Without internet access the router blinks red.",
        "Many people do not have access to clean water.",
        "A knowledge cutoff is the date at which a model's training data ends.",
        "You can search the web for recipes or look them up in a book.",
        "I searched the web and found three results.",
        "I have access to real-time data: it is 14 degrees.",
        "I can look that up for you.",
        "There is no direct answer to that question; it depends on the wind.",
        "Here is the latest news: Northquay won.",
        "The current price of silver is 31 dollars.",
        "I do not have a favourite colour.",
        "I don't have enough information about the room to answer.",
        "Cats cannot search the web.",
        "I have no current plans.",
        "He has no access to the internet on the island.",
        "Real-time strategy games need quick hands.",
        "I cannot recommend the latest phone over last year's.",
        "The museum was last updated in 2019.",
        "I would not use the web for that; a dictionary will do.",
        "Dim the lamp to 30 percent? Done.",
        "",
    ] {
        assert!(!asks_for_search(reply), "{reply}");
    }
}

#[test]
fn a_remark_at_the_end_of_a_long_answer_is_no_refusal() {
    let answer = "The race is held every year on the river, over two miles. ".repeat(10);
    let remark = "I don't have access to real-time information.";
    assert!(!asks_for_search(&format!("{answer}{remark}")));
    assert!(asks_for_search(&format!("{remark} {answer}")));
}
