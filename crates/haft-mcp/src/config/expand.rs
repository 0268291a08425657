//! Replaces `${VAR}` and `${VAR:-default}` in a configuration, as other hosts do, so that a shared
//! `.mcp.json` contains no secrets.

/// Looks up the value of a variable; in the process environment outside of tests.
pub(crate) type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// `text` with its variables replaced. As in a shell, the default after `:-` also replaces an empty
/// value. Anything other than `${NAME}` with a plain name is unchanged.
///
/// # Errors
///
/// The name of the first variable that is not set and has no default.
pub(crate) fn expand(text: &str, lookup: Lookup<'_>) -> Result<String, String> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        expanded.push_str(before);
        let Some((inside, behind)) = after.split_once('}') else {
            expanded.push_str("${");
            rest = after;
            continue;
        };
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        if !is_name(name) {
            expanded.push_str("${");
            rest = after;
            continue;
        }
        match (lookup(name), default) {
            (Some(value), None) => expanded.push_str(&value),
            (Some(value), Some(_)) if !value.is_empty() => expanded.push_str(&value),
            (_, Some(default)) => expanded.push_str(default),
            (None, None) => return Err(name.to_owned()),
        }
        rest = behind;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests;
