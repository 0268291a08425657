//! Normalises a text to the form that a model reads, without encodings that would hide a call in
//! it.
//!
//! Pages contain characters as HTML entities, JSON in JSON contains them after a backslash, and
//! invisible characters may split any word. A model undoes all of that when it repeats the text.

/// The maximum length of an entity, with its `&` and `;`.
const LONGEST_ENTITY: usize = 10;

/// The maximum number of nested escapes.
const MOST_LAYERS: usize = 4;

/// The maximum length in bytes of a tag that is removed.
const LONGEST_TAG: usize = 128;

/// The text with entities, escapes and full-width letters decoded, and without invisible
/// characters, through all nested escapes.
pub(super) fn plain(text: &str) -> String {
    let mut plain = unescaped(text);
    for _ in 1..MOST_LAYERS {
        let next = unescaped(&plain);
        if next == plain {
            break;
        }
        plain = next;
    }
    plain
}

/// The text without HTML tags, if it has any: `delete<wbr>_file`.
pub(super) fn without_tags(text: &str) -> Option<String> {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        said.push_str(before);
        let end = behind
            .bytes()
            .take(LONGEST_TAG)
            .position(|byte| matches!(byte, b'<' | b'>' | b'\n'));
        let tag =
            end.and_then(|end| Some((behind.get(..end)?, behind.get(end..)?.strip_prefix('>')?)));
        let is_tag = |inner: &str| {
            inner
                .trim_start_matches('/')
                .starts_with(|c: char| c.is_ascii_alphabetic())
        };
        match tag {
            Some((inner, after)) if is_tag(inner) => rest = after,
            _ => {
                said.push('<');
                rest = behind;
            }
        }
    }
    said.push_str(rest);
    (said != text).then_some(said)
}

/// The text with one layer of escapes undone.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let decoded = match character {
            '&' => entity(rest),
            '\\' => escape(rest),
            '%' => percent(rest),
            _ => None,
        };
        let (character, length) = decoded.unwrap_or((character, character.len_utf8()));
        if !is_invisible(character) {
            plain.push(narrow(character));
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    plain
}

/// The character that an entity at the beginning stands for, and the entity's length.
fn entity(text: &str) -> Option<(char, usize)> {
    let end = text
        .bytes()
        .take(LONGEST_ENTITY)
        .position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let character = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "lpar" => '(',
        "rpar" => ')',
        "lbrace" | "lcub" => '{',
        "rbrace" | "rcub" => '}',
        "lsqb" | "lbrack" => '[',
        "rsqb" | "rbrack" => ']',
        "equals" => '=',
        "colon" => ':',
        "comma" => ',',
        "lowbar" => '_',
        "shy" | "zwnj" | "zwj" => '\u{200B}',
        number => char::from_u32(numbered(number)?)?,
    };
    Some((character, end + 1))
}

fn numbered(entity: &str) -> Option<u32> {
    let number = entity.strip_prefix('#')?;
    match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => number.parse().ok(),
    }
}

/// The character for a JSON escape at the beginning, and the escape's length.
fn escape(text: &str) -> Option<(char, usize)> {
    let kind = text.chars().nth(1)?;
    let character = match kind {
        'n' | 'r' | 't' => ' ',
        '"' | '\'' | '\\' | '/' | '_' | '`' | '*' | '{' | '}' | '(' | ')' | '[' | ']' => kind,
        'u' => {
            let digits = text.get(2..6)?;
            let number = u32::from_str_radix(digits, 16).ok()?;
            return Some((char::from_u32(number)?, 6));
        }
        _ => return None,
    };
    Some((character, 1 + kind.len_utf8()))
}

/// The character for a percent-escape at the beginning: `%2F`.
fn percent(text: &str) -> Option<(char, usize)> {
    let digits = text.get(1..3)?;
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u8::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    (number.is_ascii_graphic() || number == b' ').then_some((char::from(number), 3))
}

/// Zero-width white space, direction marks and similar characters.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}'
    )
}

/// The regular form of a full-width letter or sign.
fn narrow(character: char) -> char {
    match character {
        '\u{FF01}'..='\u{FF5E}' => {
            char::from_u32(u32::from(character) - 0xFEE0).unwrap_or(character)
        }
        '\u{3000}' => ' ',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_that_hide_a_call_are_undone() {
        for (written, read) in [
            ("&lt;tool_call&gt;", "<tool_call>"),
            ("&#123;&#x22;a&quot;&rcub;", "{\"a\"}"),
            ("{\\\"name\\\": \\\"f\\\"}", "{\"name\": \"f\"}"),
            ("\\u007b\\u0022a\\u0022\\u007d", "{\"a\"}"),
            ("one\\ntwo", "one two"),
            ("reboot\\_server", "reboot_server"),
            ("re\u{200B}bo\u{AD}ot&shy;_server", "reboot_server"),
            ("ｒｅｂｏｏｔ（）", "reboot()"),
            ("&amp;amp;lt;a&amp;gt;", "<a>"),
            ("{\\\\\\\"a\\\\\\\"}", "{\"a\"}"),
            ("f(%22%2Fetc%22)", "f(\"/etc\")"),
        ] {
            assert_eq!(plain(written), read, "{written}");
        }
    }

    #[test]
    fn tags_within_words_are_removed() {
        let said = |text| without_tags(text).unwrap_or_default();
        assert_eq!(
            said("delete<wbr>_<b class=\"x\">file</b>()"),
            "delete_file()"
        );
        for text in ["a < b > c", "1<2", "a <", "<\nb>"] {
            assert_eq!(without_tags(text), None, "{text}");
        }
    }

    #[test]
    fn other_text_is_unchanged() {
        for text in [
            "a & b; c",
            "&unknown;",
            "&#xZZ;",
            "C:\\dir",
            "\\u12",
            "&",
            "100 %",
            "%zz",
            "%C3",
            "\\",
            "ä\\ü&",
        ] {
            assert_eq!(plain(text), text);
        }
    }
}
