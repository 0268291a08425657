//! Prints the events of a question while it is answered.
//!
//! `cargo run -p haft --example watch_a_question`

#![allow(clippy::print_stdout, reason = "programs may print")]

use haft::{Agent, ChatChunk, Event, StreamExt, zwave};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::builder()
        .model("builtin")
        .tool(haft::tools::get_current_datetime())
        .tools(zwave::zwave_tools(zwave::Home::demo()))
        .build()
        .await?;
    let mut events = agent
        .stream("Dim the bedroom light to 40% and tell me the time in Lima")
        .await?;
    while let Some(event) = events.next().await {
        match event? {
            Event::RoundStarted { round, tools } => {
                println!("round {round}, {} tools", tools.len());
            }
            Event::Chunk(ChatChunk::Text(text)) => println!("says    {text}"),
            Event::ToolStarted { call } => println!("calls   {}", call.name),
            Event::ToolFinished(report) => {
                println!(
                    "result  {} ({:?})",
                    report.message.content.text(),
                    report.duration
                );
            }
            Event::Done(answer) => println!("done in {} rounds", answer.rounds),
            _ => {}
        }
    }
    Ok(())
}
