//! A template in parts: text, and code between brackets, which Jinja and Go share.

/// A part of a template, without its brackets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'t> {
    Text(&'t str),
    /// `{{ ... }}`
    Output(&'t str),
    /// `{% ... %}`
    Tag(&'t str),
}

/// The length of the text in quotes at the beginning of `text`, quotes included.
pub(super) fn quoted_length(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate();
    let quote = bytes.next().map(|(_, byte)| byte);
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\\' {
            bytes.next();
        } else if Some(byte) == quote {
            return at + 1;
        }
    }
    text.len()
}

/// Cuts a template into its parts; comments are left out.
pub(super) struct Parts<'t>(pub(super) &'t str);

impl<'t> Iterator for Parts<'t> {
    type Item = Part<'t>;

    fn next(&mut self) -> Option<Part<'t>> {
        loop {
            let rest = self.0;
            let opens = |at: &usize| {
                let next = rest.as_bytes().get(at + 1);
                matches!(next, Some(b'{' | b'%' | b'#'))
            };
            let open = memchr::memchr_iter(b'{', rest.as_bytes()).find(opens);
            let open = open.unwrap_or(rest.len());
            if open > 0 {
                let (text, after) = rest.split_at(open);
                self.0 = after;
                return Some(Part::Text(text));
            }
            let kind = *rest.as_bytes().get(1)?;
            let inner = rest.get(2..).unwrap_or_default();
            // The bracket that ends it may also stand in quotes, but not in a comment.
            let end = match kind {
                b'#' => inner.find("#}"),
                b'%' => outside(inner, |rest, _| rest.starts_with("%}")),
                _ => outside(inner, |rest, _| rest.starts_with("}}")),
            };
            let len = end.unwrap_or(inner.len());
            let code = inner.get(..len).unwrap_or(inner);
            self.0 = inner.get(len + 2..).unwrap_or_default();
            let code = code.trim_matches(['-', '+']).trim();
            match kind {
                b'{' => return Some(Part::Output(code)),
                b'%' => return Some(Part::Tag(code)),
                _ => {}
            }
        }
    }
}

/// The first place outside of quotes that is looked for; the second argument tells how many
/// parentheses are open there.
pub(super) fn outside(text: &str, is_it: impl Fn(&str, usize) -> bool) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if is_it(rest, depth) {
            return Some(at);
        }
        match rest.as_bytes().first() {
            Some(b'"' | b'\'') => at += quoted_length(rest),
            Some(b'(') => (at, depth) = (at + 1, depth + 1),
            Some(b')') => (at, depth) = (at + 1, depth.saturating_sub(1)),
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    None
}
