//! Bounds on what is read: sizes in bytes, depths and counts.
//!
//! A reply may hold anything, for ever, and what is not decided is looked at again with each chunk.
//! Each of these is more than models write and little enough to keep the work in proportion to the
//! text. Numbers that are part of a rule, such as the words that a name may have or the ticks that
//! open a fence, stand in that rule.

/// A call that is read, in bytes. A longer one is answered with an error.
pub(crate) const CALL: usize = 64 * 1024 * 1024;

/// What is held back while it may be a call, in bytes: more than any reply that a person reads, or
/// any argument that a model writes without markers.
pub(crate) const HELD: usize = 1024 * 1024;

/// A chat template, in bytes; the longest known ones have some 30 thousand.
pub(crate) const TEMPLATE: usize = 1024 * 1024;

/// Text behind the end of a call, in bytes, that is looked through once: a few closing sentences, or
/// other calls.
pub(crate) const FAR: usize = 64 * 1024;

/// Text that a search for its end goes through with each chunk, in bytes.
pub(crate) const SEARCHED: usize = 16 * 1024;

/// Text that is read anew with each chunk, in bytes, or once more from its next line on.
pub(crate) const REREAD: usize = 4 * 1024;

/// The text before a call and behind it that tells what it is, in bytes.
pub(crate) const NEAR: usize = 1024;

/// A tag with its attributes, the header of a message, or all markup before a call, in bytes.
pub(crate) const HEADER: usize = 512;

/// How far it is looked ahead for what a tag, a quote or a name is, in bytes.
pub(crate) const AHEAD: usize = 256;

/// The name of a parameter, in bytes.
pub(crate) const KEY: usize = 256;

/// Blanks between two pieces of markup, in bytes.
pub(crate) const BLANKS: usize = 256;

/// The name of a tool, in bytes.
pub(crate) const NAME: usize = 128;

/// Blanks, list marks and ticks before a call or the end of a fence, in bytes: deep lists fit.
pub(crate) const DECORATION: usize = 80;

/// Words before a call in its line, or a value without quotes in words, in bytes.
pub(crate) const WORDS: usize = 80;

/// A word that belongs to markup, in bytes: the letters of a marker, a label, a role, a type.
pub(crate) const WORD: usize = 64;

/// Signs around a label, or between brackets that close too early, in bytes.
pub(crate) const GAP: usize = 16;

/// A text that does no more than announce a call, in bytes without marks.
pub(crate) const LEAD_IN: usize = 240;

/// A text that names what follows, as an item of a list or a heading does, in words.
pub(crate) const LABEL: usize = 8;

/// A sentence that leads to a call because it speaks of what that is about, in bytes.
pub(crate) const SENTENCE: usize = 160;

/// Text between a call and the question to the user that ends the reply, in bytes.
pub(crate) const CLOSING: usize = 400;

/// Brackets, elements or conditions inside each other: more than any tool wants, less than any stack
/// holds.
pub(crate) const DEPTH: usize = 64;

/// Texts, lists or wrappers around a call or its arguments, each of which is read on its own.
pub(crate) const NESTING: usize = 4;

/// Readings inside each other: a fence in an unfinished thought. Each reads the text once more.
pub(crate) const READINGS: u8 = 3;

/// Tags, fences, words or escapes in a row, and lines that may end a call.
pub(crate) const PARTS: usize = 16;

/// Unreadable arguments that a model is shown again, in characters.
pub(crate) const SHOWN: usize = 300;

/// A text that is shown in a repair, in characters.
pub(crate) const EXCERPT: usize = 60;

/// Tools that an error names as near the one that was meant.
pub(crate) const NEAREST: usize = 3;

/// So much room is made at once for text that comes in small chunks, in bytes.
pub(crate) const ROOM: usize = 256;
