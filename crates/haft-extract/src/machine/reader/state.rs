//! Where the reader is in a reply. Each state is read by the function that is named with it, in the
//! file of that name, or in the one that is given.

use super::{bare::Message, block::Block, inside::Inside, thinking::Thinking};

/// Where the reader is.
// Each chunk asks for it: a byte of its own tells it sooner than a field that has room for it.
#[derive(Debug, Default)]
#[repr(u8)]
pub(super) enum State {
    /// At the beginning of the reply: `start` in the parent, [`reader`](super).
    #[default]
    Start,
    /// In a message of Harmony without its special tokens: `bare`.
    Bare(Message),
    /// At the beginning of a line, outside of everything: `line`.
    Line,
    /// Within a line of text: `prose`.
    Prose,
    /// In something that may be a call without markers; held back until it is whole: `block`.
    Block(Box<Block>),
    /// After a marker or between two calls; the text begins with markup that is not reported yet:
    /// `inside`.
    Inside(Inside),
    /// In the object that holds a call's name and arguments: `object`.
    Object,
    /// In a call's arguments, between brackets: `arguments` in `object.rs`.
    Arguments,
    /// Behind the arguments in an object, which end at this place in the text. Their call is not
    /// reported yet, because another argument may follow: `behind_arguments` in `object.rs`.
    BehindArguments(usize),
    /// In what remains of an object after its arguments: `rest_of_object` in `object.rs`.
    RestOfObject,
    /// In a call's arguments, as tags: `tags` in `open_call.rs`.
    Tags,
    /// In thinking: `thinking`.
    Thinking(Thinking),
    /// At a call of a server's tool in Cline's form, whose end has not come: `mcp`.
    Mcp,
    /// After a tag within a line that opens a thought if another one closes it; held back:
    /// `thought_in_line` in `thinking.rs`.
    ThoughtInLine,
    /// In the header of a channel: `header_of_channel` in `channel.rs`.
    ChannelHeader,
    /// In the message to a tool whose text, from this place on, is its argument: `text_to_tool` in
    /// `channel.rs`.
    TextToTool(usize),
    /// In a turn that the model wrote for its user, or behind one: `turn_of_user` in `stray.rs`.
    TurnOfUser,
    /// A step is being made.
    Stepping,
}
