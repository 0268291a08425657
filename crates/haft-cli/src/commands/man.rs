//! `haft man`: the man page, and one for each command.

use std::path::Path;

use clap::CommandFactory;

use crate::args::Cli;
use crate::failure::{Exit, Failure};
use crate::nearest::nearest;
use crate::output::write_raw;

/// Writes the pages of all commands into a folder: `haft.1`, `haft-ask.1` and so on.
pub(crate) fn write_all(folder: &Path) -> Result<Exit, Failure> {
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    written.map_err(|error| {
        Failure::new(format!("{} cannot be written: {error}", folder.display()))
    })?;
    Ok(Exit::Success)
}

pub(crate) fn run(path: &[String]) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    command.build();
    let mut title = vec!["haft".to_owned()];
    for name in path {
        let Some(found) = command.find_subcommand(name) else {
            let known: Vec<_> = command
                .get_subcommands()
                .map(clap::Command::get_name)
                .collect();
            let hint = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are: {}", known.join(", ")),
            };
            let message = format!("`{}` has no command `{name}`", title.join(" "));
            return Err(Failure::usage(message).with_hint(hint));
        };
        command = found.clone();
        title.push(name.clone());
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .title(title.join("-"))
        .render(&mut page)?;
    write_raw(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Success)
}
