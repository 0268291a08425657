//! Variables that a configuration must not set for a server.
//!
//! These variables determine which code runs: where programs and libraries are found, and what an
//! interpreter executes first. In a shared `.mcp.json`, a line that looks like a setting could
//! otherwise run other code in a trusted server.

use crate::failure::Problem;

/// Variables from the documentation of `ld.so`, of shells, and of interpreters.
const REFUSED: [&str; 40] = [
    "BASHOPTS",
    "BASH_ENV",
    "CLASSPATH",
    "COMSPEC",
    "DOTNET_STARTUP_HOOKS",
    "ENV",
    "GCONV_PATH",
    "GEM_HOME",
    "GEM_PATH",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "IFS",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "LUA_CPATH",
    "LUA_INIT",
    "LUA_PATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PATH",
    "PATHEXT",
    "PERL5LIB",
    "PERL5OPT",
    "PERLLIB",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PROMPT_COMMAND",
    "PS4",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "RUBYLIB",
    "RUBYOPT",
    "SHELLOPTS",
    "SYSTEMROOT",
    "WINDIR",
    "ZDOTDIR",
    "_JAVA_OPTIONS",
];

/// The prefixes of refused variables.
const REFUSED_PREFIXES: [&str; 3] = ["LD_", "DYLD_", "BASH_FUNC_"];

/// Refuses the first of these variables that determines which code runs. Case is ignored, because
/// variables are case-insensitive on some systems.
pub(crate) fn check<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), Problem> {
    let Some(name) = names.into_iter().find(|name| is_refused(name)) else {
        return Ok(());
    };
    let upper = name.to_ascii_uppercase();
    let problem = Problem::new(format!(
        "its \"env\" sets {name}, which decides what code runs"
    ));
    Err(problem.with_hint(if upper == "PATH" {
        "take it out, and give \"command\" with its full path; PATH itself is passed on as it is"
            .to_owned()
    } else {
        format!(
            "take it out; where the server needs it, let \"command\" be a script that sets {name}"
        )
    }))
}

fn is_refused(name: &str) -> bool {
    let name = name.trim().to_ascii_uppercase();
    REFUSED.contains(&name.as_str())
        || REFUSED_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests;
