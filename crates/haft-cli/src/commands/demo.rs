//! `haft demo`: six broken replies, before and after.

use anstyle::{AnsiColor, Style};
use haft::gateway::demo::scenes;
use serde_json::json;

use crate::args::DemoArgs;
use crate::failure::{Exit, Failure};
use crate::output::print_json;
use crate::text::plain;

const TITLE: Style = Style::new().bold();
const BAD: Style = AnsiColor::Red.on_default();
const GOOD: Style = AnsiColor::Green.on_default();
const LABEL: Style = Style::new().dimmed();

pub(crate) async fn run(arguments: &DemoArgs) -> Result<Exit, Failure> {
    let scenes = scenes().await?;
    if arguments.json {
        let scene = |scene: &haft::gateway::demo::Scene| json!({"broken": scene.title, "before": scene.before, "after": scene.after});
        print_json(&scenes.iter().map(scene).collect::<Vec<_>>())?;
        return Ok(Exit::Success);
    }
    anstream::println!("A client asks \"How is the weather in Oslo?\" and offers get_weather.\n");
    for (number, scene) in scenes.iter().enumerate() {
        let number = number + 1;
        anstream::println!("{TITLE}{number}. {}{TITLE:#}", scene.title);
        anstream::println!(
            "   {LABEL}without haft{LABEL:#}  {BAD}{}{BAD:#}",
            plain(&scene.before)
        );
        anstream::println!(
            "   {LABEL}with haft   {LABEL:#}  {GOOD}{}{GOOD:#}",
            plain(&scene.after)
        );
    }
    anstream::println!(
        "\nThe replies are made up, in the shapes of real ones; the gateway is the real one."
    );
    Ok(Exit::Success)
}
