//! Parses Playwright's snapshot into a list of elements.
//!
//! The outline is a restricted form of YAML, so it is read line by line: dashes, a role, a name in
//! quotes, attributes in brackets, a text after a colon. Other lines are skipped.

/// The maximum number of elements. Pages have some hundred; the rest of a longer page is not read.
const MAX_NODES: usize = 5000;

/// The maximum length of a line in bytes: a longer line is a whole document in one element.
const MAX_LINE: usize = 10_000;

/// An element of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    /// The indentation; children have a larger one.
    pub(super) depth: usize,
    /// The role, such as `link`, `heading`, `paragraph`, and `text` for text between elements.
    pub(super) role: String,
    /// The accessible name of the element.
    pub(super) name: Option<String>,
    /// The text, if the element contains nothing else.
    pub(super) text: Option<String>,
    /// The target of a link, as written in the page.
    pub(super) url: Option<String>,
}

impl Node {
    /// The readable text of the element itself.
    pub(super) fn label(&self) -> &str {
        let label = self.name.as_deref().or(self.text.as_deref());
        label.unwrap_or_default()
    }
}

/// The elements of a snapshot, from top to bottom.
pub(super) fn outline(snapshot: &str) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for line in snapshot.lines().filter(|line| line.len() <= MAX_LINE) {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        // Each level is indented by two spaces.
        let depth = indent / 2;
        let Some(body) = body.strip_prefix("- ") else {
            continue;
        };
        if let Some(url) = body.strip_prefix("/url:") {
            let mut owners = nodes.iter_mut().rev();
            if let Some(owner) = owners.find(|node| node.depth < depth) {
                owner.url = Some(scalar(url));
            }
        } else if let Some(node) = element(body) {
            nodes.push(Node { depth, ..node });
        }
        if nodes.len() == MAX_NODES {
            break;
        }
    }
    nodes
}

/// Parses `role "name" [marks]: text`, of which everything but the text may be in single quotes.
fn element(body: &str) -> Option<Node> {
    let unquoted;
    let (head, text) = match body.strip_prefix('\'') {
        Some(rest) => {
            let (quoted, rest) = single_quoted(rest);
            unquoted = quoted;
            (unquoted.as_str(), rest.trim_start().strip_prefix(':'))
        }
        None => split_text(body),
    };
    let role_end = head.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let (role, rest) = head.split_at_checked(role_end.unwrap_or(head.len()))?;
    if role.is_empty() {
        return None;
    }
    let name = rest
        .trim_start()
        .strip_prefix('"')
        .map(|rest| double_quoted(rest).0);
    Some(Node {
        role: role.to_owned(),
        name: name.filter(|name| !name.is_empty()),
        text: text.map(scalar).filter(|text| !text.is_empty()),
        ..Node::default()
    })
}

/// The part before the colon that ends the element, and the text after it.
fn split_text(body: &str) -> (&str, Option<&str>) {
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ':' if !quoted => {
                let (head, text) = body.split_at_checked(at).unwrap_or((body, ""));
                return (head, text.strip_prefix(':'));
            }
            _ => {}
        }
    }
    (body, None)
}

/// A YAML scalar on one line.
fn scalar(text: &str) -> String {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('"') {
        return double_quoted(rest).0;
    }
    match text.strip_prefix('\'') {
        Some(rest) => single_quoted(rest).0,
        None => text.to_owned(),
    }
}

/// The content up to the closing double quote, and the rest.
fn double_quoted(text: &str) -> (String, &str) {
    let mut result = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (result, text.get(at + 1..).unwrap_or_default()),
            '\\' => match characters.next() {
                Some((_, 'n' | 't' | 'r')) => result.push(' '),
                Some((_, 'u')) => result.extend(hexadecimal(&mut characters, 4)),
                Some((_, 'x')) => result.extend(hexadecimal(&mut characters, 2)),
                None => {}
                Some((_, other)) => result.push(other),
            },
            other => result.push(other),
        }
    }
    (result, "")
}

/// The character with a code of this many hexadecimal digits.
fn hexadecimal(characters: &mut std::str::CharIndices<'_>, digits: usize) -> Option<char> {
    let digits: String = characters.take(digits).map(|(_, digit)| digit).collect();
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

/// The content up to the closing single quote, and the rest; two single quotes are an escaped one.
fn single_quoted(text: &str) -> (String, &str) {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\'') {
        result.push_str(before);
        match after.strip_prefix('\'') {
            Some(after) => {
                result.push('\'');
                rest = after;
            }
            None => return (result, after),
        }
    }
    result.push_str(rest);
    (result, "")
}

#[cfg(test)]
mod tests;
