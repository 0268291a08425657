//! Why something that reads like a call is none.

/// Makes the reasons: what each is in a few words.
macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident: $text:literal;)+) => {
        /// Why something that reads like a call is none.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Mention {
            $($(#[$doc])* $variant,)+
        }

        impl Mention {
            /// The reason in a few words, such as `offered as an option`.
            #[must_use]
            pub fn reason(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }
    };
}

reasons! {
    /// The text forbids it, or says that it is not made.
    Prohibited: "said not to be made";
    /// It depends on something that is not the case yet.
    Conditional: "said under a condition";
    /// It is one of several possibilities.
    Option: "offered as an option";
    /// It is part of a plan or a proposal.
    Plan: "part of a plan or proposal";
    /// The user is asked whether it is to be made.
    Question: "the user is asked about it";
    /// It is an example.
    Example: "given as an example";
    /// It shows how calls are written.
    Format: "shows how calls are written";
    /// It is part of documentation.
    Documentation: "part of documentation";
    /// It is quoted.
    Quotation: "quoted";
    /// It stands behind a turn of the user that the model made up.
    Invented: "after a turn of the user that the model made up";
    /// It is part of a log, or of a report of what was done.
    Report: "part of a log or report";
    /// It is code under review, a change or a test.
    Review: "code under review, a change or a test";
    /// It is an item of a list that nothing says is to be done.
    Listed: "an item of a list";
    /// It stands in a sentence.
    Sentence: "within a sentence";
    /// Its tool may do harm, and it has no marker.
    Destructive: "its tool may do harm, and it has no marker";
    /// Calls without a marker are switched off.
    SwitchedOff: "calls without a marker are switched off";
    /// The reply was cut, so what it says of the call is not known, and it has no marker.
    Cut: "the reply was cut, and it has no marker";
}
