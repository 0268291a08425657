//! Finds the parameters of one call where they are written as tags: `<parameter=K>V</parameter>`,
//! `<arg_key>K</arg_key><arg_value>V</arg_value>`, `<K>V</K>`, and the like.
//!
//! The scanner is called again and again with a text that only grows. It keeps the place it has
//! come to and looks a bounded way ahead, so that every way of cutting the text gives the same
//! parameters, and each byte of a value is passed once. What a tag means is decided in [`mark`],
//! where a value ends in [`value`], and how a name and its value stand in a pair of tags in
//! [`pair`]; elements inside a value are read by [`elements()`].

mod elements;
mod following;
mod in_tag;
mod mark;
mod misspelt;
mod pair;
mod quoted;
mod text;
mod value;

use std::borrow::Cow;
use std::ops::Range;

use crate::scan::tag::Found;
use mark::{Mark, MarkKind};
use text::Reader;
use value::{Ending, OpenValue};

pub(crate) use elements::{Element, Elements, elements};

/// How far stray text is followed before the call is held to be over.
const MAX_STRAY: usize = 256;

/// What ends a call. Every spelling of a parameter is read under each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// The call's own closing tag: `</function>`, `</invoke>`, `<|close|>call<|sep|>`.
    Invoke,
    /// The closing tag of the wrapper in which the call stands alone: `</tool_call>` of GLM.
    Pairs,
    /// The end of a message: `<|end|>`, `<|call|>`.
    Message,
    /// The closing tag of an element that is named like the tool: `</get_weather>`.
    Element,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// Raw text; the schema says what it stands for.
    Schema,
    /// A string: `string="true"`, `type="string"`.
    Text,
    /// JSON: `string="false"`, or a type of JSON that is not a string.
    Json,
    /// Elements, each behind MiniMax's prefix; [`elements()`] reads them.
    Elements,
}

/// One parameter: ranges in the text given to [`Parameters::run`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name; empty where the model wrote none.
    pub(crate) key: Range<usize>,
    /// Its value without the line breaks that the template puts around it.
    pub(crate) value: Range<usize>,
    /// What is known of the value.
    pub(crate) kind: ValueKind,
}

/// How far a scan came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The call goes on.
    More,
    /// The call is over.
    Done {
        /// How many bytes it takes: its own closing tag is among them, that of a wrapper is not.
        /// At the end of the reply this may lie before what was
        /// [decided](Parameters::decided): a value that never ended is cut at its most likely end.
        end: usize,
        /// Tags were missing, doubled or damaged.
        mended: bool,
        /// False when the text ended inside a parameter.
        complete: bool,
    },
}

/// The scanner of one call.
#[derive(Debug)]
pub(crate) struct Parameters {
    style: Style,
    list: Vec<Parameter>,
    state: State,
    /// Where to go on.
    at: usize,
    /// The end of the last tag that was taken.
    taken: usize,
    /// What may be shown.
    decided: usize,
    /// MiniMax's prefix stands right before `at`.
    prefixed: bool,
    mended: bool,
}

#[derive(Debug)]
enum State {
    /// Between two parameters. Stray text may have begun.
    Between { stray: Option<usize> },
    /// Inside `<arg_key>`, which ended at this offset.
    Key { start: usize },
    /// Behind `</arg_key>`, before `<arg_value>`.
    AfterKey { key: Range<usize>, kind: ValueKind },
    /// Inside a value.
    Value(OpenValue),
    /// Over.
    Done(Progress),
}

/// What a step of the scanner asks for.
enum Step {
    /// The next step.
    Again,
    /// More text.
    More,
    /// Nothing: the call is over.
    Over { end: usize, complete: bool },
}

impl Parameters {
    /// A scanner for the text behind a call's header.
    pub(crate) fn new(style: Style) -> Self {
        Self {
            style,
            list: Vec::new(),
            state: State::Between { stray: None },
            at: 0,
            taken: 0,
            decided: 0,
            prefixed: false,
            mended: false,
        }
    }

    /// Reads on. `text` begins with all that was given before; `finished` says that nothing
    /// follows.
    pub(crate) fn run(&mut self, text: &str, finished: bool) -> Progress {
        let reader = Reader {
            text,
            finished,
            style: self.style,
        };
        let progress = loop {
            let step = match &mut self.state {
                State::Between { stray } => {
                    let stray = *stray;
                    self.between(&reader, stray)
                }
                State::Key { start } => {
                    let start = *start;
                    self.key(&reader, start)
                }
                State::AfterKey { key, kind } => {
                    let (key, kind) = (key.clone(), *kind);
                    self.after_key(&reader, key, kind)
                }
                State::Value(_) => self.value(&reader),
                State::Done(progress) => return *progress,
            };
            match step {
                Step::Again => {}
                Step::More => break Progress::More,
                Step::Over { end, complete } => {
                    let progress = Progress::Done {
                        end,
                        mended: self.mended,
                        complete,
                    };
                    self.state = State::Done(progress);
                    break progress;
                }
            }
        };
        self.decided = match progress {
            Progress::Done { end, .. } => end,
            Progress::More => self.settled(&reader),
        };
        progress
    }

    /// Where it goes on looking.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Steps over what came after the first `known` bytes of the text, if it is more of a value
    /// and nothing else; false if it may be something else.
    pub(crate) fn coast(&mut self, fresh: &[u8], known: usize) -> bool {
        let is_more = matches!(self.state, State::Value(_))
            && self.at == known
            && !fresh.iter().any(|byte| matches!(byte, b'<' | b']'));
        if is_more {
            self.at += fresh.len();
            self.decided = self.at;
        }
        is_more
    }

    /// The parameters found so far, in order.
    pub(crate) fn list(&self) -> &[Parameter] {
        &self.list
    }

    /// How far the text may be shown: everything before is decided.
    pub(crate) fn decided(&self) -> usize {
        self.decided
    }

    /// Everything before this belongs to the call.
    fn settled(&self, reader: &Reader<'_>) -> usize {
        match self.state {
            State::Between { .. } => self.taken,
            State::Value(_) if reader.byte(self.at.wrapping_sub(1)) == Some(b']') => self.at - 1,
            _ => self.at,
        }
    }

    /// Goes on behind a tag.
    fn take(&mut self, end: usize, state: State) -> Step {
        self.at = end;
        self.taken = end;
        self.prefixed = false;
        self.state = state;
        Step::Again
    }

    /// The next tag between two parameters.
    fn between(&mut self, reader: &Reader<'_>, stray: Option<usize>) -> Step {
        if stray.is_none() {
            let blanks = reader.blanks(self.at);
            self.at = blanks.end;
            self.prefixed |= blanks.prefixed;
            if blanks.undecided {
                return Step::More;
            }
        }
        let from = stray.unwrap_or(self.at);
        let found = reader.find(self.at);
        let next = found.unwrap_or(reader.text.len());
        if next - from > MAX_STRAY {
            self.mended = true;
            return Step::Over {
                end: self.taken,
                complete: true,
            };
        }
        let stray = (next > from).then_some(from);
        self.prefixed &= next == self.at;
        self.at = next;
        self.state = State::Between { stray };
        if found.is_none() {
            return match reader.finished {
                true => self.end_without_tag(reader, stray),
                false => Step::More,
            };
        }
        if stray.is_some() {
            match reader.prefix(next) {
                Found::More => return Step::More,
                Found::Yes(tag) => {
                    self.prefixed = true;
                    self.at = tag;
                    return Step::Again;
                }
                Found::No => {}
            }
        }
        match reader.mark(self.at, self.prefixed) {
            Found::More => Step::More,
            Found::Yes(mark) => self.tag_between(reader, &mark, stray),
            Found::No if reader.is_cut_tag(self.at) && stray.is_none() => {
                self.mended = true;
                Step::Over {
                    end: reader.text.len(),
                    complete: reader.is_cut_closing_tag(self.at),
                }
            }
            Found::No => self.skip_stray(stray),
        }
    }

    /// Passes a `<` that means nothing.
    fn skip_stray(&mut self, stray: Option<usize>) -> Step {
        self.state = State::Between {
            stray: stray.or(Some(self.at)),
        };
        self.at += 1;
        self.prefixed = false;
        Step::Again
    }

    /// The reply ended behind a parameter, or behind stray text.
    fn end_without_tag(&mut self, reader: &Reader<'_>, stray: Option<usize>) -> Step {
        self.mended |= self.style != Style::Message || stray.is_some();
        Step::Over {
            end: match stray {
                Some(_) => self.taken,
                None => reader.text.len(),
            },
            // Of a call that only began, nobody knows what would have followed.
            complete: self.style != Style::Invoke || !self.list.is_empty(),
        }
    }

    fn tag_between(&mut self, reader: &Reader<'_>, mark: &Mark, stray: Option<usize>) -> Step {
        let between = State::Between { stray: None };
        let (at, end) = (self.at, mark.end);
        self.mended |= mark.damaged || stray.is_some();
        match mark.kind {
            MarkKind::Parameter => self.open_value(reader, mark),
            MarkKind::Element if stray.is_some() && !self.prefixed => self.skip_stray(stray),
            MarkKind::Element if reader.is_empty_element(mark) => {
                let opening = reader.opening(mark);
                self.list.push(Parameter {
                    key: opening.key,
                    value: end..end,
                    kind: opening.kind,
                });
                self.take(end, between)
            }
            MarkKind::Element => match reader.is_container(mark) {
                Found::More => Step::More,
                Found::Yes(()) => self.take(end, between),
                Found::No => self.open_value(reader, mark),
            },
            MarkKind::Key => self.take(end, State::Key { start: end }),
            MarkKind::KeyClose => match stray.and_then(|stray| reader.stray_key(stray..at)) {
                Some(key) => {
                    let kind = ValueKind::Schema;
                    self.take(end, State::AfterKey { key, kind })
                }
                None => {
                    self.mended = true;
                    self.take(end, between)
                }
            },
            MarkKind::Value => {
                self.mended = true;
                let value = OpenValue::pair(at..at, ValueKind::Schema, end);
                self.take(end, State::Value(value))
            }
            MarkKind::CallClose => {
                self.mended |= self.style != Style::Invoke;
                Step::Over {
                    end,
                    complete: true,
                }
            }
            MarkKind::WrapperClose | MarkKind::Call | MarkKind::Wrapper | MarkKind::Frame => {
                let regular = match mark.kind {
                    MarkKind::WrapperClose => self.style == Style::Pairs,
                    MarkKind::Frame => self.style == Style::Message,
                    _ => false,
                };
                self.mended |= !regular;
                let is_close = matches!(mark.kind, MarkKind::WrapperClose);
                Step::Over {
                    end: match stray {
                        Some(_) if !is_close => self.taken,
                        _ => at,
                    },
                    complete: true,
                }
            }
            MarkKind::Separator => self.take(end, between),
            MarkKind::ElementClose if reader.is_container_name(&mark.name) => {
                self.take(end, between)
            }
            MarkKind::ElementClose if self.style == Style::Element => Step::Over {
                end,
                complete: true,
            },
            MarkKind::ParameterClose
            | MarkKind::ValueClose
            | MarkKind::ElementClose
            | MarkKind::Type
            | MarkKind::TypeClose => {
                self.mended = true;
                self.take(end, between)
            }
        }
    }

    /// Goes on behind the opening tag of a parameter.
    fn open_value(&mut self, reader: &Reader<'_>, mark: &Mark) -> Step {
        if mark.kind == MarkKind::Parameter
            && let Some(parameter) = reader.value_in_tag(mark)
        {
            self.list.push(parameter);
            return self.take(mark.end, State::Between { stray: None });
        }
        let value = OpenValue::new(reader, mark, self.prefixed);
        self.mended |= value.key.is_empty();
        self.take(value.start, State::Value(value))
    }

    /// Looks for the end of a value.
    fn value(&mut self, reader: &Reader<'_>) -> Step {
        let State::Value(open) = &mut self.state else {
            return Step::Again;
        };
        match open.run(reader, &mut self.at) {
            Ending::More => Step::More,
            Ending::At(end) => {
                self.list.push(Parameter {
                    key: open.key.clone(),
                    value: open.trimmed(reader, &end),
                    kind: open.kind(),
                });
                self.mended |= end.mended;
                self.take(end.resume, State::Between { stray: None })
            }
            Ending::Again => {
                self.mended = true;
                Step::Again
            }
            Ending::Cut => {
                self.list.push(Parameter {
                    key: open.key.clone(),
                    value: open.start..reader.text.len(),
                    kind: open.kind(),
                });
                self.mended = true;
                Step::Over {
                    end: reader.text.len(),
                    complete: false,
                }
            }
        }
    }
}

/// `text` with the four entities of Kimi's attributes written out.
pub(crate) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let text = text.replace("&quot;", "\"").replace("&lt;", "<");
    // Last, so that `&amp;lt;` stays `&lt;`.
    Cow::Owned(text.replace("&gt;", ">").replace("&amp;", "&"))
}

#[cfg(test)]
mod tests;
