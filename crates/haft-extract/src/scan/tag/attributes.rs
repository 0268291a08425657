//! The attributes of a tag: `name="x"`, `=x`, words without a value.

/// The value of an attribute such as `name="x"` in a tag's attributes, quotes taken off; for
/// `name` also the value of a bare `=x`.
pub(crate) fn attribute<'t>(attributes: &'t str, wanted: &str) -> Option<&'t str> {
    Attributes::new(attributes)
        .find(|(key, _)| *key == wanted)
        .and_then(|(_, value)| value)
}

/// The attributes of a tag: names with values, quotes taken off, and words without a value. A bare
/// `=x` at the beginning is called `name`.
pub(crate) struct Attributes<'t> {
    rest: &'t str,
    is_first: bool,
}

impl<'t> Attributes<'t> {
    pub(crate) fn new(attributes: &'t str) -> Self {
        Self {
            rest: attributes,
            is_first: true,
        }
    }
}

impl<'t> Iterator for Attributes<'t> {
    type Item = (&'t str, Option<&'t str>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.trim_ascii_start();
        let is_first = std::mem::take(&mut self.is_first);
        let (word, after) = match rest.strip_prefix('=').filter(|_| is_first) {
            // Unquoted, but the only one: blanks are a part of it.
            Some(value)
                if !value.trim_ascii_start().starts_with(['"', '\'']) && !value.contains('=') =>
            {
                self.rest = "";
                return Some(("name", Some(value.trim_ascii())));
            }
            Some(_) => ("name", rest),
            None if rest.is_empty() => return None,
            None => split_word(rest, |byte| byte == b'=' || byte.is_ascii_whitespace()),
        };
        self.rest = after;
        let Some(value) = after.trim_ascii_start().strip_prefix('=') else {
            return Some((word, None));
        };
        let value = value.trim_ascii_start();
        let quoted = ['"', '\''].into_iter().find_map(|quote| {
            let inner = value.strip_prefix(quote)?;
            Some(inner.split_once(quote).unwrap_or((inner, "")))
        });
        let (value, rest) = match quoted {
            Some(quoted) => quoted,
            None => split_word(value, |byte| byte.is_ascii_whitespace()),
        };
        self.rest = rest;
        Some((word, Some(value)))
    }
}

/// `text` before and from the first byte that ends a word, an ASCII one.
fn split_word(text: &str, ends: impl Fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(ends);
    text.split_at(end.unwrap_or(text.len()))
}
