//! Reads a well-formed object into values in the pass that finds its end.
//!
//! `serde_json` with numbers of any length reads each number twice and grows every map and string
//! as it goes; here all are made in their size. What is unusual is left to it: damage, deep
//! nesting, and the keys that it keeps for itself. It agrees on everything that is read here.
//!
//! The same reads the arguments of plain calls in Python's notation, `a=1, b='x', c=[True, None]`.
//! There the careful way is the reader in [`value`](crate::value).

use memchr::memchr2;
use serde_json::{Map, Number, Value};

use super::MAX_DEPTH;
use crate::same::is_same;
use crate::tool_set::{Check, Filled, Filling, keep_first};
use crate::value::read_number;

/// Members for which a map has room at first; few calls have more arguments.
const FEW: usize = 4;

/// Bytes of a string with escapes that are copied into one of its size.
const USUAL: usize = 256;

/// With what the keys begin that `serde_json` keeps for itself.
const RESERVED: &str = "$serde_json";

/// The members of an object that begin at `at`, behind its brace, their numbers settled, and where
/// the object ends. They are put into `filling`, which has the names that are expected.
pub(super) fn object(text: &str, at: usize, filling: Filling<'_>) -> Option<(Filled, usize)> {
    let mut arguments = filling.arguments;
    let mut reader = Reader::new(text, at, filling.check);
    reader.members(&mut arguments, 1)?;
    Some((reader.check.end(arguments), reader.at))
}

/// The value that `text` is, its numbers settled.
pub(crate) fn value(text: &str) -> Option<Value> {
    let mut value = Value::Null;
    fill(text, &mut value)?;
    Some(value)
}

/// Puts the value that `text` is into its place, which has the names that are expected in it. If
/// it cannot be read, what is left there means nothing.
pub(crate) fn fill(text: &str, place: &mut Value) -> Option<()> {
    let bytes = text.as_bytes();
    // A number ends where something else begins.
    if let Some(b'-' | b'0'..=b'9') = bytes.first() {
        *place = read_number(text).map(Value::Number)?;
        return Some(());
    }
    let mut reader = Reader::new(text, 0, Check::nothing());
    reader.fill(place, 1)?;
    (reader.at == text.len()).then_some(())
}

/// The arguments in Python's notation that begin at `at`, behind a parenthesis, and where the
/// closing one stands. They are put into `filling`, which has the names that are expected.
pub(crate) fn python_arguments(
    text: &str,
    at: usize,
    filling: Filling<'_>,
) -> Option<(Filled, usize)> {
    let mut arguments = filling.arguments;
    let mut reader = Reader::new(text, at, filling.check);
    reader.is_python = true;
    reader.arguments(&mut arguments)?;
    Some((reader.check.end(arguments), reader.at - 1))
}

struct Reader<'t, 's> {
    text: &'t str,
    bytes: &'t [u8],
    /// What is behind was read.
    at: usize,
    is_python: bool,
    /// Room for strings with escapes.
    scratch: String,
    /// What is said of the arguments.
    check: Check<'s>,
}

impl<'t, 's> Reader<'t, 's> {
    fn new(text: &'t str, at: usize, check: Check<'s>) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            is_python: false,
            scratch: String::new(),
            check,
        }
    }

    /// The next byte that is no blank.
    fn sign(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
        }
    }

    /// The members behind a brace. `depth`: so many brackets are open.
    fn members(&mut self, members: &mut Map<String, Value>, depth: u32) -> Option<()> {
        let Some(mut sign) = self.expected(members, depth, b'}')? else {
            return Some(());
        };
        make_room(members);
        loop {
            self.is_quote(sign).then_some(())?;
            let key = self.string(sign)?;
            (self.sign()? == b':' && !key.starts_with(RESERVED)).then_some(())?;
            let value = self.value(depth)?;
            if members.insert(key, value).is_some() {
                (!self.is_python).then_some(())?;
                self.check.replaced();
            }
            sign = match self.sign()? {
                b',' => self.sign()?,
                b'}' => return Some(()),
                _ => return None,
            };
        }
    }

    /// Named arguments behind a parenthesis.
    fn arguments(&mut self, arguments: &mut Map<String, Value>) -> Option<()> {
        let Some(mut sign) = self.expected(arguments, 1, b')')? else {
            return Some(());
        };
        make_room(arguments);
        loop {
            let key = self.keyword(sign)?;
            let value = self.value(1)?;
            // Of two arguments with one name the careful way keeps a record.
            arguments.insert(key, value).is_none().then_some(())?;
            match self.sign()? {
                b',' => sign = self.sign()?,
                b')' => return Some(()),
                _ => return None,
            }
        }
    }

    /// The members of an object, or the arguments up to `closer`, as long as they have the names
    /// that are in `members`, in their order; what is there of others is taken out. The first sign
    /// of what follows, if that was not all.
    fn expected(
        &mut self,
        members: &mut Map<String, Value>,
        depth: u32,
        closer: u8,
    ) -> Option<Option<u8>> {
        let mut filled = 0;
        let mut next = Some(self.sign()?).filter(|sign| *sign != closer);
        for (name, place) in members.iter_mut() {
            if !next.is_some_and(|sign| self.skip_name(name, sign, closer)) {
                break;
            }
            (closer == b')' || self.sign()? == b':').then_some(())?;
            self.fill(place, depth)?;
            if depth == 1 {
                self.check.filled(place);
            }
            filled += 1;
            next = match self.sign()? {
                b',' => Some(self.sign()?),
                sign if sign == closer => None,
                _ => return None,
            };
        }
        keep_first(members, filled);
        Some(next)
    }

    /// Passes `name` if it stands here, in quotes or as the name of an argument. The first sign of
    /// what stands here was passed.
    fn skip_name(&mut self, name: &str, sign: u8, closer: u8) -> bool {
        let (start, end) = match closer {
            b')' => (self.at - 1, b'='),
            _ if self.is_quote(sign) => (self.at, sign),
            _ => return false,
        };
        let after = start + name.len();
        let is_there = self.bytes.get(after) == Some(&end)
            && self
                .bytes
                .get(start..after)
                .is_some_and(|word| is_same(word, name.as_bytes()));
        if is_there {
            self.at = after + 1;
        }
        is_there
    }

    /// Puts a value into its place, which has the names that are expected in it.
    fn fill(&mut self, place: &mut Value, depth: u32) -> Option<()> {
        let sign = self.sign()?;
        match place {
            Value::Object(members) if sign == b'{' && depth < MAX_DEPTH => {
                self.members(members, depth + 1)?;
            }
            place => *place = self.value_from(sign, depth)?,
        }
        Some(())
    }

    /// The items behind a bracket.
    fn items(&mut self, depth: u32) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        let start = self.at;
        if self.sign()? == b']' {
            return Some(items);
        }
        self.at = start;
        loop {
            items.push(self.value(depth)?);
            match self.sign()? {
                b',' => {}
                b']' => return Some(items),
                _ => return None,
            }
        }
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        let sign = self.sign()?;
        self.value_from(sign, depth)
    }

    /// The value whose first sign was passed.
    fn value_from(&mut self, sign: u8, depth: u32) -> Option<Value> {
        match sign {
            quote if self.is_quote(quote) => self.string(quote).map(Value::String),
            b'{' if depth < MAX_DEPTH => {
                let mut members = Map::new();
                self.members(&mut members, depth + 1)?;
                Some(Value::Object(members))
            }
            b'[' if depth < MAX_DEPTH => self.items(depth + 1).map(Value::Array),
            b'T' if self.is_python => self.word(b"rue", Value::Bool(true)),
            b'F' if self.is_python => self.word(b"alse", Value::Bool(false)),
            b'N' if self.is_python => self.word(b"one", Value::Null),
            b't' if !self.is_python => self.word(b"rue", Value::Bool(true)),
            b'f' if !self.is_python => self.word(b"alse", Value::Bool(false)),
            b'n' if !self.is_python => self.word(b"ull", Value::Null),
            b'-' | b'0'..=b'9' => self.number().map(Value::Number),
            _ => None,
        }
    }

    fn is_quote(&self, byte: u8) -> bool {
        byte == b'"' || (byte == b'\'' && self.is_python)
    }

    /// The name before an equals sign, whose first letter was passed.
    fn keyword(&mut self, first: u8) -> Option<String> {
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
        is_letter(first).then_some(())?;
        let start = self.at - 1;
        let rest = self.bytes.get(self.at..)?;
        let is_of_name = |byte: &u8| is_letter(*byte) || byte.is_ascii_digit();
        let end = self.at + rest.iter().position(|byte| !is_of_name(byte))?;
        self.at = end + 1;
        (self.bytes.get(end) == Some(&b'=')).then_some(())?;
        self.text.get(start..end).map(str::to_owned)
    }

    fn word(&mut self, rest: &[u8], value: Value) -> Option<Value> {
        let is_there = self.bytes.get(self.at..)?.starts_with(rest);
        self.at += rest.len();
        is_there.then_some(value)
    }

    /// The number whose first sign was passed.
    fn number(&mut self) -> Option<Number> {
        let start = self.at - 1;
        let is_of_number =
            |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let rest = self.bytes.get(self.at..)?;
        self.at += rest.iter().position(|byte| !is_of_number(byte))?;
        read_number(self.text.get(start..self.at)?)
    }

    /// The string behind a quote.
    fn string(&mut self, quote: u8) -> Option<String> {
        let start = self.at;
        let stop = start + special(self.bytes.get(start..)?, quote)?;
        if self.bytes.get(stop) == Some(&quote) {
            self.at = stop + 1;
            return self.text.get(start..stop).map(str::to_owned);
        }
        self.escaped_string((start, stop), quote)
    }

    /// The string that begins at `start`, with the first escape at `stop`.
    #[inline(never)]
    fn escaped_string(&mut self, (start, mut stop): (usize, usize), quote: u8) -> Option<String> {
        let mut string = std::mem::take(&mut self.scratch);
        string.clear();
        string.reserve(USUAL);
        self.at = start;
        loop {
            string.push_str(self.text.get(self.at..stop)?);
            self.at = stop + 1;
            match self.bytes.get(stop)? {
                byte if *byte == quote => break,
                b'\\' => string.push(self.escape()?),
                _ => return None,
            }
            stop = self.at + special(self.bytes.get(self.at..)?, quote)?;
        }
        // What is short is copied in its size, and what is long given away.
        if string.len() > USUAL {
            string.shrink_to_fit();
            return Some(string);
        }
        let copy = string.as_str().to_owned();
        self.scratch = string;
        Some(copy)
    }

    /// What stands behind a backslash.
    fn escape(&mut self) -> Option<char> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(match byte {
            b'"' | b'\\' => char::from(byte),
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'\'' if self.is_python => '\'',
            _ if self.is_python => return None,
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'u' => return self.code(),
            _ => return None,
        })
    }

    /// The character whose code stands behind `\u`, or the pair of codes.
    fn code(&mut self) -> Option<char> {
        let code = self.four_digits()?;
        let (0xD800..=0xDBFF, Some([b'\\', b'u'])) = (code, self.bytes.get(self.at..self.at + 2))
        else {
            return char::from_u32(code);
        };
        self.at += 2;
        let low = self
            .four_digits()?
            .checked_sub(0xDC00)
            .filter(|low| *low < 0x400)?;
        char::from_u32(0x1_0000 + ((code - 0xD800) << 10) + low)
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.iter().try_fold(0, |code, digit| {
            Some(code << 4 | char::from(*digit).to_digit(16)?)
        })
    }
}

/// Makes room for a few members at once.
fn make_room(members: &mut Map<String, Value>) {
    if members.is_empty() {
        *members = Map::with_capacity(FEW);
    }
}

/// Where the next `quote`, backslash or control character stands. In a long text without the two
/// a control character is left to the careful way.
#[inline(never)]
fn special(text: &[u8], quote: u8) -> Option<usize> {
    const SHORT: usize = 8;
    let (words, _) = text.as_chunks::<8>();
    for (at, word) in words.iter().take(SHORT).enumerate() {
        let found = specials(u64::from_le_bytes(*word), quote);
        if found != 0 {
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let from = words.len().min(SHORT) * 8;
    let rest = text.get(from..)?;
    let end = memchr2(quote, b'\\', rest)?;
    let is_control = |is_any, byte: &u8| is_any | (*byte < b' ');
    let has_control = rest.get(..end)?.iter().fold(false, is_control);
    (!has_control).then_some(from + end)
}

/// Marks quotes, backslashes and control characters by their highest bits, exactly up to the
/// first.
fn specials(word: u64, quote: u8) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let below = |word: u64, least: u64| word.wrapping_sub(ONES * least) & !word & (ONES << 7);
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    equal(quote) | equal(b'\\') | below(word, u64::from(b' '))
}

#[cfg(test)]
mod tests;
