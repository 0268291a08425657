//! Gives a model a tool of your own and asks a question.
//!
//! `cargo run -p haft --example ask_with_a_tool -- ollama:qwen3:0.6b "Do I need a coat in Oslo?"`

#![allow(clippy::print_stdout, reason = "programs may print")]

use haft::{Agent, ToolError};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct WeatherArgs {
    /// City name
    city: String,
}

async fn get_weather(args: WeatherArgs) -> Result<String, ToolError> {
    match args.city.to_lowercase().as_str() {
        "oslo" => Ok("4 degrees and rain in Oslo".to_owned()),
        "lima" => Ok("21 degrees and sun in Lima".to_owned()),
        // The model reads this and can ask for another city.
        other => Err(ToolError::new(format!(
            "There is no weather station in {other}."
        ))),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().unwrap_or_else(|| "builtin".to_owned());
    let question = arguments
        .next()
        .unwrap_or_else(|| "What time is it in Oslo?".to_owned());
    let agent = Agent::builder()
        .model(model)
        .tool(haft::tools::get_current_datetime())
        .tool(haft::tool("get_weather", "Current weather in a city", get_weather).read_only())
        .build()
        .await?;
    println!("{}", agent.ask(question).await?.text);
    Ok(())
}
