//! What is recorded of a family of formats.

pub(super) use crate::Format;

/// A family: formats that share their notation.
pub(super) struct Family {
    pub(super) records: &'static [Record],
    /// Each with the letters of all that mean the same, with blanks between them.
    pub(super) markers: &'static [Marker],
}

/// A format.
pub(super) struct Record {
    pub(super) format: Format,
    /// A call in it, line by line, each behind the blank of a comment.
    pub(super) example: &'static [&'static str],
    /// Its name, then other names by which servers and people know it, with blanks between them.
    pub(super) names: &'static str,
    /// Any of them betrays it in a chat template.
    pub(super) signs: &'static [Sign],
    /// Its properties beyond its markers.
    pub(super) properties: &'static [Property],
}

/// A property of a format beyond its markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    /// Calls in its wrapper are reported with this format, whatever the format of their tags.
    NamesItsCalls,
    /// Its messages stand between tokens of the frame.
    InChannels,
    /// Its template writes every value but text as JSON.
    JsonValues,
}

/// What stands in the chat templates that ask for a format.
#[derive(Debug)]
pub(super) struct Sign {
    pub(super) strength: Strength,
    /// All of it.
    pub(super) parts: &'static [&'static str],
}

/// In which templates a sign stands. What is peculiar to one format counts before what it shares
/// with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// In no template that asks for another format, but perhaps for one of a later record.
    Own,
    /// In some others too.
    Shared,
    /// In many.
    Common,
}

/// What a marker means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Calls stand inside: `<tool_call>`, `[TOOL_CALLS]`.
    Wrapper,
    /// Ends what some wrapper opened, in families where the closing token has a name of its own.
    Close,
    /// Opens a call and has its name: `<function=N>`, `<invoke name="N">`.
    Invoke,
    /// Opens a parameter and has its name: `<parameter=K>`.
    Parameter,
    /// The name of a parameter stands inside: `<arg_key>`.
    Key,
    /// The value of a parameter stands inside: `<arg_value>`.
    Value,
    /// The type of a value stands inside: `<arg_type>`.
    Type,
    /// Stands between the name of a call and its arguments.
    Separator,
    /// A token that stands for a quotation mark.
    Quote,
    /// Thinking stands inside.
    Thinking,
    /// Ends thinking, in families where the closing token has a name of its own.
    ThinkingEnd,
    /// Part of the header of a channel.
    Channel,
    /// Belongs to the frame of a reply: dropped.
    Noise,
}

/// Whether the template closes a wrapper with a tag of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClosingTag {
    Never,
    /// Where the tag has no bars: `<tool_call>`, but not `<|tool_call|>`.
    WithoutBars,
    Always,
}

/// A tag or special token, by its letters alone: how it is cut out of a text is in
/// [`tag`](crate::scan::tag).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    /// Its letters and digits, in small letters: `seedtoolcall` for `<seed:tool_call>`.
    pub(crate) letters: &'static str,
    /// What it means.
    pub(crate) role: Role,
    /// The format of the calls that it opens.
    pub(crate) format: Format,
    pub(super) closing: ClosingTag,
}

/// Makes a family. First come its formats: an example of each as its comment, the names, the variant,
/// what else holds for it, and the signs by which a template shows it. Then come its markers: for each
/// role, the format if they open calls, and how its template closes them, their letters.
macro_rules! family {
    (
        $(
            $(#[doc = $example:literal])+
            $names:literal $format:ident $($trait:ident)* $(: $($strength:ident $parts:tt),+)?;
        )*
        $($role:ident $($opened:ident $($closing:ident)?)?: $letters:literal;)*
    ) => {
        use $crate::formats::record;
        pub(super) static FAMILY: record::Family = record::Family {
            records: &[$(record::Record {
                format: $crate::Format::$format,
                example: &[$($example),+],
                names: $names,
                signs: &[$($(record::Sign {
                    strength: record::Strength::$strength,
                    parts: &$parts,
                }),+)?],
                properties: &[$(record::Property::$trait),*],
            }),*],
            markers: &[$(record::Marker {
                role: record::Role::$role,
                format: family!(@ Format Auto $($opened)?),
                closing: family!(@ ClosingTag Never $($($closing)?)?),
                letters: $letters,
            }),*],
        };
    };
    (@ $type:ident $default:ident) => { record::$type::$default };
    (@ $type:ident $default:ident $value:ident) => { record::$type::$value };
}

impl Marker {
    /// Those of which this one has the letters, one by one.
    pub(super) fn each(&self) -> impl Iterator<Item = Self> {
        let letters = self.letters.split_ascii_whitespace();
        letters.map(|letters| Self { letters, ..*self })
    }

    /// True when it is recognised without its closing bracket.
    pub(crate) fn survives_damage(&self) -> bool {
        let is_short = self.letters.len() < 6;
        !is_short && !matches!(self.role, Role::Noise | Role::Thinking | Role::Channel)
    }

    /// True when some family writes it in square brackets. Others stand there in text and in
    /// programs: `[SEP]`, `[CALL] = 4`.
    pub(crate) fn is_square(&self) -> bool {
        match self.role {
            Role::Wrapper | Role::Separator => true,
            Role::Close => matches!(self.letters, "endtoolrequest" | "toolrequestend"),
            Role::Thinking => self.letters == "think",
            Role::ThinkingEnd | Role::Noise => self.letters.ends_with("finalresponse"),
            _ => false,
        }
    }

    /// True for a wrapper that its template closes with a tag of the same name.
    pub(crate) fn needs_close(&self, barred: bool) -> bool {
        self.closing == ClosingTag::Always || (self.closing == ClosingTag::WithoutBars && !barred)
    }

    /// True when a colon and a suffix may follow its name: `<tool_call:7f3a>` of Hunyuan 4.
    pub(crate) fn takes_suffix(&self) -> bool {
        use Role::{Close, Key, Separator, Thinking, Value, Wrapper};
        let role = self.role;
        matches!(role, Wrapper | Close | Key | Value | Separator | Thinking)
    }
}
