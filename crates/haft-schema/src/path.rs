//! Where in the arguments something stands: a chain of steps that lives on the stack, so that
//! walking a document allocates nothing until there is something to say.

use std::fmt;

/// A place in a JSON document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'p> {
    /// The whole document.
    Root,
    /// A property of the object at the first place.
    Key(&'p Self, &'p str),
    /// An item of the list at the first place.
    Index(&'p Self, usize),
}

impl Path<'_> {
    /// Number of steps from the whole document.
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

/// As people write it: `rooms[0].level`; nothing for the whole document.
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

/// A name as one step of a JSON pointer.
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A step of a JSON pointer as a name.
pub(crate) fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
