//! What looks like a call and is none: a signature that is spoken of, a comment beside calls.

use haft_schema::RepairKind;

use crate::{ToolSet, arguments::value, scan::is_word_of};

/// Words for the types of values.
const TYPES: &str = "str string text int integer float number bool boolean list array dict \
    object any date datetime none null optional required";

/// True for a type in place of a value.
pub(crate) fn is_type(word: &str) -> bool {
    is_word_of(TYPES, word)
}

/// `get_weather(city, days)`, `get_weather(city: string, days?: int)`: the names of the parameters
/// and their types in place of values are a signature that is spoken of.
pub(super) fn is_signature(name: &str, arguments: &str, tools: &ToolSet) -> bool {
    let parts = || {
        let parts = arguments.split(',');
        parts.map(|part| part.split_once(':').unwrap_or((part, "")))
    };
    let is_parameter = |(word, _): (&str, &str)| {
        let word = word.split('=').next().unwrap_or_default().trim();
        tools.has_parameter(name, word.trim_end_matches('?'))
    };
    let is_typed =
        |(_, kind): (&str, &str)| is_type(kind.trim().trim_end_matches(['?', '[', ']', ' ']));
    let has_values =
        arguments.contains(['"', '\'', '{', '[']) || parts().any(|(_, kind)| is_proper_name(kind));
    // Of `f(query, limit=10)` the name without a value tells; `limit: 10` has one.
    let is_bare = || parts().any(|(word, kind)| !word.contains('=') && !is_literal(kind));
    let is_plain = (!has_values && is_bare()) || has_type(arguments);
    // The names come last: to compare them takes longest, and most calls have values.
    (is_plain || parts().all(is_typed)) && !arguments.trim().is_empty() && parts().all(is_parameter)
}

/// True for a name of two words or more, `Attic Fan`: no type is written so.
fn is_proper_name(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_capital = |word: &str| {
        let is_word = word.chars().all(char::is_alphanumeric);
        let begins = word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        begins && is_word && !is_type(word)
    };
    words.clone().nth(1).is_some() && words.all(is_capital)
}

/// True for a number and for `true` and `false`, which are no types.
fn is_literal(text: &str) -> bool {
    let text = text.trim();
    let number = text.strip_prefix('-').unwrap_or(text);
    number.starts_with(|c: char| c.is_ascii_digit()) || is_word_of("true false", text)
}

/// True when a type stands among values, `city: str = "Oslo"`, and in none of them.
fn has_type(arguments: &str) -> bool {
    arguments.match_indices(": str").any(|(at, _)| {
        let (before, _) = arguments.split_at(at);
        let is_closed = |quote: char| before.matches(quote).count() % 2 == 0;
        is_closed('"') && is_closed('\'')
    })
}

/// Declarations of C and its like: `int argc, char **argv`.
fn is_declaration(arguments: &str) -> bool {
    const TYPES: &str = "const char int long unsigned void struct size_t bool float double auto";
    !arguments.trim().is_empty()
        && !arguments.contains(['"', '='])
        && arguments.split(',').all(|part| {
            let words = part.trim().split_once([' ', '*', '&']);
            words.is_some_and(|(first, _)| {
                is_word_of(TYPES, first) || first.ends_with("_t") || first.contains("::")
            })
        })
}

/// True where the arguments are left out, `f(...)` and `f(args)`, or can only be those of a program:
/// declarations, a condition or a lambda without quotes, or the words of a remark behind a blank,
/// `range (as far as it goes)`.
pub(super) fn is_code(arguments: &str, is_apart: bool) -> bool {
    const SIGNS: [&str; 8] = ["===", "!==", "->", "::", "=>", "&&", "||", "function"];
    const LEFT_OUT: &str = "... … args... ...args args arguments params parameters *args **kwargs";
    let mut parts = arguments.split(',');
    if parts.all(|part| is_word_of(LEFT_OUT, part.trim())) || is_declaration(arguments) {
        return true;
    }
    let has_signs = SIGNS.iter().any(|sign| arguments.contains(sign))
        || arguments.split(',').any(is_variable)
        || is_choice(arguments);
    let may_be_remark = is_apart && !arguments.contains(['"', '\'', '=', ':', '{', '[']);
    if !has_signs && !may_be_remark {
        return false;
    }
    let Ok(read) = value::read_parenthesized(arguments, false) else {
        return arguments.split(',').next().is_some_and(is_variable);
    };
    let lines = arguments.contains('\n');
    read.repairs.iter().any(|repair| match repair.kind {
        RepairKind::BareText => {
            let text = &repair.before;
            SIGNS.iter().any(|sign| text.contains(sign))
                || is_variable(text)
                || (may_be_remark && text.split_whitespace().nth(2).is_some())
        }
        // The quotes of code in several lines, or around what it chooses from.
        RepairKind::InnerQuote => (lines && arguments.contains("function")) || is_choice(arguments),
        _ => false,
    })
}

/// True for `"a" if x else "b"`.
fn is_choice(arguments: &str) -> bool {
    let is_written = |first: &str, second: &str| {
        let parts = arguments.split_once(first);
        parts.is_some_and(|(_, rest)| rest.contains(second))
    };
    is_written("\" if ", " else \"") || is_written("' if ", " else '")
}

/// True for the variable of a program, with the sign or the owner that languages give it:
/// `$path`, `${path}`, `my $path`, `\&wanted`, `!found`, `this.items`, `&args`, `self`; and for
/// what is made of one, `x for x in items`.
fn is_variable(text: &str) -> bool {
    const SIGNS: [&str; 6] = ["${", "my $", "\\&", "\\@", "\\%", "\\$"];
    let text = text.trim();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let begins_name = |c: char| c.is_alphabetic() || c == '_';
    let refers = |rest: &str| rest.starts_with(char::is_alphabetic) && rest.chars().all(is_letter);
    let mut words = text.split_whitespace();
    let is_made = words.next().is_some_and(|first| {
        words.next() == Some("for") && words.next() == Some(first) && words.next() == Some("in")
    });
    is_made
        || matches!(text, "self" | "this")
        || text.strip_prefix('&').is_some_and(refers)
        || SIGNS.iter().any(|sign| text.starts_with(sign))
        || ["$", "!", "this.", "self.", "process."]
            .iter()
            .any(|before| {
                let name = text.strip_prefix(before);
                name.is_some_and(|name| name.starts_with(begins_name))
            })
}

/// True for blanks and for comments to the ends of their lines.
pub(super) fn is_comment(text: &str) -> bool {
    text.split('\n').all(|line| {
        let rest = line.trim_start_matches([' ', '\t', '`', '*', ',', ';', ']', '\r']);
        rest.is_empty() || rest.starts_with('#') || rest.starts_with("//")
    })
}

#[cfg(test)]
mod tests;
