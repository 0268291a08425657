//! Whether misspelt words may be guessed; `coerce::misspelling` does the guessing.

/// Whether edit distance may correct the names of parameters and the spelling of choices.
///
/// A guess may be wrong, so it is allowed only for tools that change nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guessing {
    /// No guessing: a word that differs by more than case and separators is unchanged.
    #[default]
    Forbidden,
    /// A word of five letters or more becomes the only known one within two edits, if no other
    /// is within three. Each is recorded as [`RepairKind::Misspelling`](crate::RepairKind).
    Allowed,
}

impl Guessing {
    /// The setting for a tool: guessing is allowed if a wrong guess does no harm.
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
