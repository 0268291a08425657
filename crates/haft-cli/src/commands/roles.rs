//! `haft roles`: lists the roles of the settings, or shows one.

use crate::args::{ModelArgs, RolesArgs};
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text};
use crate::settings::{Role, Settings};
use crate::terminal;
use crate::text::{fitted, one_line};
use crate::trust::Trust;

/// The maximum length of a prompt in the list, in characters.
const PROMPT: usize = 200;

pub(crate) async fn run(arguments: RolesArgs, trust: Trust) -> Result<Exit, Failure> {
    let settings = Settings::load(&ModelArgs::default(), None, trust.without_asking()).await?;
    match (&arguments.name, arguments.json) {
        (Some(name), true) => print_json(settings.role(name)?)?,
        (Some(name), false) => print_text(&shown(settings.role(name)?))?,
        (None, true) => print_json(&settings.roles())?,
        (None, false) => print_text(&table(settings.roles()))?,
    }
    Ok(Exit::Success)
}

fn shown(role: &Role) -> String {
    let tools = match role.tools.as_slice() {
        [] => "all".to_owned(),
        names => names.join(", "),
    };
    let model = role
        .model
        .as_deref()
        .unwrap_or("the one that is used anyway");
    format!(
        "{}\nmodel   {model}\ntools   {tools}\n{}",
        role.name, role.system
    )
}

fn table(roles: &[Role]) -> String {
    let width = roles.iter().map(|role| role.name.chars().count()).max();
    let width = width.unwrap_or_default();
    let lines = roles.iter().map(|role| {
        let prompt = one_line(&role.system, PROMPT);
        fitted(
            &format!("{:<width$}  {prompt}", role.name),
            terminal::width() - 1,
        )
    });
    let lines: Vec<_> = lines.collect();
    match lines.is_empty() {
        true => "no roles; `haft roles --help` shows how to write one".to_owned(),
        false => lines.join("\n"),
    }
}
