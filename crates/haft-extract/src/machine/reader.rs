//! The state machine that reads a reply: text, thinking, and calls in every format.
//!
//! It looks at the text that is not yet decided, through a [`Cursor`], takes as much as it can decide
//! whatever may follow, and says what that was. Questions about a text that may go on have three
//! answers: yes, no, or [`More`](crate::scan::More), which goes up with `?`; the reader then waits in
//! the state that it is in. What it needs to go on later is where it is (a [`State`]) and how far it
//! has looked (an offset), so that nothing is looked at twice.
//!
//! [`state`] lists the states. They are read in [`prose`] for text, [`mod@line`] for the beginning of a
//! line, where calls without markers stand, [`fence`] for code, [`inside`] for what a marker opened,
//! [`object`] for a call that is an object, [`header`] and [`element`] for the name of another,
//! [`open_call`] for what follows it, [`mcp`] for Cline's form, [`channel`] and [`compound`] for replies
//! in channels, [`bare`] for those that lost their tokens, [`thinking`] and [`worded`] for thoughts.
//! [`tell`] has what all of them tell of.

mod arrows;
mod attributes;
mod bare;
mod block;
mod channel;
mod compound;
mod cursor;
mod element;
mod fence;
mod fields;
mod header;
mod in_line;
mod in_words;
mod inside;
mod line;
mod mcp;
mod object;
mod open_call;
mod preview;
mod prose;
mod quotes;
mod state;
mod stray;
mod tell;
mod thinking;
mod whole_object;
mod worded;
mod written_name;

use memchr::memrchr;

use crate::arguments::parameters::Parameters;
use crate::machine::{About, EventSink, ParseEvent};
use crate::scan::{More, Seen, Text, is_begun_tag};
use crate::{ExtractOptions, Format, limits, scan::balance::Balance};
use cursor::Cursor;
use fence::FenceMark;
pub(crate) use in_words::members_in_line;
use inside::Inside;
use object::Open;
use preview::Preview;
use state::State;
use tell::LineStart;

/// What a step came to: so many bytes are decided, and the state says how to go on.
type Step = Seen<usize>;

/// As a [`Step`], by a reader of one kind of call: none where the text holds no call of that kind.
type Attempt = Seen<Option<usize>>;

/// Reads one reply.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    state: State,
    /// How far the undecided text has been looked at already.
    scan: usize,
    /// The current line holds nothing yet but blanks, list marks and ticks.
    line_is_blank: bool,
    /// What stands in that line, markup and calls included.
    line: LineStart,
    /// The tag at hand stands in a quotation.
    in_quotation: bool,
    /// The last character of text.
    last: char,
    /// Text or a call came, outside of turns of the user.
    has_said: bool,
    /// Nothing but blanks came since the last call.
    after_call: bool,
    /// A thought that was not empty is over: another closing tag closes nothing.
    has_thought: bool,
    /// Nothing closes a thought that began within a line: it was looked for in vain.
    knows_no_thought: bool,
    /// The line speaks of a tag that opens thoughts, and not yet of the one that closes them.
    names_thought: bool,
    /// This many bytes hold no call without markers: they were looked at as one, in vain.
    quiet: usize,
    /// What an object shows of itself whose calls have their tools' names as keys.
    preview: Preview,
    /// In how many other readings this one stands.
    nesting: u8,
    /// The markup before the call that is being read.
    inside: Inside,
    /// A call came, and no closing tag of its wrapper yet.
    wrapped: bool,
    /// The format of that wrapper closes it with a tag: one that does not come is reported.
    needs_close: bool,
    /// What opened the fence that the text is in; none outside of fences.
    fence: Option<FenceMark>,
    /// The reader reads what stands in a fence.
    in_fence: bool,
    /// The reply is Harmony without its special tokens.
    is_bare: bool,
    /// A special token was reported as text: the reply speaks of them.
    names_tokens: bool,
    /// The end of a call in Cline's form was looked for far and in vain: it is not looked for again.
    has_no_ends: bool,
    /// The name of the call that is being read.
    name: String,
    /// How its arguments are written, and how much of them was reported.
    open: Open,
    /// The scan of the brackets that are being read; in an object that is a call it goes on through its
    /// arguments to the end of the object.
    balance: Balance,
    /// The scan of the tags that are being read.
    parameters: Parameters,
    /// The tool that the header of a message named.
    addressee: String,
    /// The format of the wrapper that is open.
    format: Format,
}

impl Reader {
    /// A reader at the beginning of a reply.
    pub(crate) fn new(options: &ExtractOptions) -> Self {
        Self::starting_in(match options.starts_thinking {
            true => State::Thinking(thinking::Thinking::default()),
            false => State::Start,
        })
    }

    fn starting_in(state: State) -> Self {
        Self {
            state,
            line_is_blank: true,
            last: '\n',
            ..Self::default()
        }
    }

    /// Reads on in `text`, which begins where the last step ended. Returns how many bytes are
    /// decided; when nothing follows the text, that is all of them.
    pub(crate) fn read(&mut self, text: Text<'_>, about: About<'_>, sink: EventSink<'_>) -> usize {
        let mut at = 0;
        let mut here = Cursor::new(text, about, sink);
        if !here.finished && self.waits_for_bracket(here.text) {
            return 0;
        }
        loop {
            here.text = text.rest(at);
            // These have something to tell even at the very end.
            let is_open = || matches!(self.state, State::Arguments | State::Tags | State::Object);
            if here.text.is_empty() && !(here.finished && is_open()) {
                if here.finished && self.wrapped && self.needs_close && self.nesting == 0 {
                    here.tell(ParseEvent::Unclosed);
                }
                return at;
            }
            match self.step(&mut here) {
                Ok(taken) => at += taken,
                Err(More) => return at,
            }
        }
    }

    /// True where what is not decided begins with a tag and ends within one: before its bracket has come
    /// there is nothing to look at.
    fn waits_for_bracket(&self, text: &str) -> bool {
        if !matches!(self.state, State::Tags | State::Inside(_) | State::Prose) {
            return false;
        }
        let decided = match self.state {
            State::Tags => self.open.shown,
            _ => 0,
        };
        let rest = text.as_bytes().get(decided..).unwrap_or_default();
        let last = || memrchr(b'<', rest).and_then(|at| rest.get(at..));
        rest.starts_with(b"<") && rest.len() < limits::AHEAD && last().is_some_and(is_begun_tag)
    }

    /// One step, and what it means for the line that is being read.
    fn step(&mut self, here: &mut Cursor<'_>) -> Step {
        let is_thought = matches!(
            self.state,
            State::Thinking(_) | State::ThoughtInLine | State::Bare(_)
        );
        let text = here.text;
        let step = self.step_in_state(here);
        if let Ok(taken @ 1..) = step {
            self.quiet = self.quiet.saturating_sub(taken);
            let text = text.get(..taken).unwrap_or(text);
            self.line = match self.line.after(text) {
                _ if is_thought => LineStart::Blank,
                // Functionary's markup quotes nothing.
                LineStart::Quoted if self.after_call && text.starts_with(">>>") => LineStart::Other,
                line => line,
            };
        }
        step
    }

    /// One step; the reader stays where it is if more text is needed for it.
    // Each chunk comes here. What is rare in its states is not inlined, so that this stays short.
    #[inline(always)]
    fn step_in_state(&mut self, here: &mut Cursor<'_>) -> Step {
        match self.state {
            State::Start => return self.start(here),
            State::Bare(message) => return self.bare(here, message),
            State::Line => return self.line(here),
            State::Prose | State::Stepping => return self.prose(here),
            State::Inside(inside) => return self.inside(here, inside),
            State::Object => return self.object(here),
            State::Arguments => return self.arguments(here),
            State::BehindArguments(end) => return self.behind_arguments(here, end),
            State::RestOfObject => return self.rest_of_object(here),
            State::Mcp => return self.mcp(here),
            State::TurnOfUser => return self.turn_of_user(here),
            State::ThoughtInLine => return self.thought_in_line(here),
            State::ChannelHeader => return self.header_of_channel(here),
            State::TextToTool(start) => return self.text_to_tool(here, start),
            State::Tags => return self.tags(here),
            State::Block(_) | State::Thinking(_) => {}
        }
        // What these know changes while they look.
        let mut state = std::mem::replace(&mut self.state, State::Stepping);
        let step = match &mut state {
            State::Block(block) => self.block(here, block),
            State::Thinking(thinking) => self.thinking(here, thinking),
            _ => Err(More),
        };
        if step.is_err() {
            self.state = state;
        }
        step
    }

    /// At the very beginning of a reply.
    #[inline(never)]
    fn start(&mut self, here: &mut Cursor<'_>) -> Step {
        // What files begin with to say how they are written.
        const MARK: &str = "\u{FEFF}";
        // The header of Functionary 2's message to the user, behind the tokens of the prompt.
        const TO_ALL: &str = "all\n<|content|>";
        if here.text.starts_with(MARK) {
            return self.take_markup(here, MARK.len(), State::Start);
        }
        // One that begins with `◁`, "Here's my thought process:" or `thought⏎`.
        if let Some(taken) = self.worded_thought(here)? {
            return Ok(taken);
        }
        if here.begins(here.text, TO_ALL)? {
            return self.take_markup(here, TO_ALL.len(), State::Line);
        }
        if matches!(here.byte(0), Some(b'a' | b'c' | b'f'))
            && let Some(taken) = self.first_header(here)?
        {
            return Ok(taken);
        }
        self.advance(0, State::Line)
    }

    /// Goes to `state`, which begins to look at the first byte behind the `taken` ones that are decided.
    fn advance(&mut self, taken: usize, state: State) -> Step {
        self.state = state;
        self.scan = 0;
        Ok(taken)
    }

    /// A reader for what is read on its own, beginning in `state`; none when the nesting is too deep.
    fn nested(&self, state: State) -> Option<Self> {
        (self.nesting < limits::READINGS).then(|| Self {
            nesting: self.nesting + 1,
            format: self.format,
            in_fence: matches!(state, State::Line),
            ..Self::starting_in(state)
        })
    }
}

#[cfg(test)]
mod tests;
