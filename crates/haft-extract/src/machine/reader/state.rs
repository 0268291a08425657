//! Where the reader is in a reply.

use super::{bare::Message, block::Block, inside::Inside, thinking::Thinking};
use crate::arguments::parameters::Parameters;

/// Where the reader is.
#[derive(Debug, Default)]
pub(super) enum State {
    /// At the beginning of the reply.
    #[default]
    Start,
    /// In a message of Harmony without its special tokens.
    Bare(Message),
    /// At the beginning of a line, outside of everything.
    Line,
    /// Within a line of text.
    Prose,
    /// In something that may be a call without markers; held back until it is whole.
    Block(Box<Block>),
    /// After a marker or between two calls; the text begins with markup that is not reported yet.
    Inside(Inside),
    /// In the object that holds a call's name and arguments.
    Object(Inside),
    /// In a call's arguments, between brackets.
    Arguments,
    /// Behind the arguments in an object, which end at this place in the text. Their call is not
    /// reported yet, because another argument may follow.
    Behind(usize),
    /// In what remains of an object after its arguments.
    Rest,
    /// In a call's arguments, as tags.
    Tags(Box<Parameters>),
    /// In thinking.
    Thinking(Thinking),
    /// At a call of a server's tool in Cline's form, whose end has not come.
    Mcp,
    /// After a tag within a line that opens a thought if another one closes it; held back.
    ThoughtInLine,
    /// In the header of a channel.
    Header,
    /// In the message to a tool whose text, from this place on, is its argument.
    TextToTool(usize),
    /// A step is being made.
    Stepping,
}
