//! The position of a value in the arguments: a linked list on the stack, so that walking a document
//! allocates nothing until there is something to report.

use std::fmt;

/// A position in a JSON document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'p> {
    /// The whole document.
    Root,
    /// A property of the object at the first position.
    Key(&'p Self, &'p str),
    /// An item of the list at the first position.
    Index(&'p Self, usize),
}

impl Path<'_> {
    /// The number of steps from the root.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Self::Root => 0,
            Self::Key(parent, _) | Self::Index(parent, _) => parent.depth() + 1,
        }
    }

    /// The JSON pointer (RFC 6901); empty for the whole document.
    pub(crate) fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(parent, key) => format!("{}/{}", parent.pointer(), escape(key)),
            Self::Index(parent, index) => format!("{}/{index}", parent.pointer()),
        }
    }
}

/// Writes it as `rooms[0].level`; empty for the root.
impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(Self::Root, key) => formatter.write_str(key),
            Self::Key(parent, key) => write!(formatter, "{parent}.{key}"),
            Self::Index(parent, index) => write!(formatter, "{parent}[{index}]"),
        }
    }
}

/// Escapes a name as a step of a JSON pointer.
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Unescapes a step of a JSON pointer.
pub(crate) fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
