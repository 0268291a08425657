//! Whether a misspelt word may be guessed; where it may be is decided in `coerce::misspelling`.

/// Whether edit distance may correct the names of parameters and the spelling of choices.
///
/// A guess can be wrong, so it is allowed only for tools that change nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guessing {
    /// Nothing is guessed: what differs by more than case and separators stays as it is.
    #[default]
    Forbidden,
    /// A word of five letters or more becomes the only known one within two edits, if no other
    /// is within three. Each is recorded as [`RepairKind::Misspelling`](crate::RepairKind).
    Allowed,
}

impl Guessing {
    /// What suits a tool: guessing is allowed where a wrong guess does no harm.
    ///
    /// ```
    /// use haft_schema::Guessing;
    ///
    /// assert_eq!(Guessing::for_tool(true), Guessing::Allowed);
    /// assert_eq!(Guessing::for_tool(false), Guessing::Forbidden);
    /// ```
    #[must_use]
    pub fn for_tool(read_only: bool) -> Self {
        if read_only {
            Self::Allowed
        } else {
            Self::Forbidden
        }
    }
}
