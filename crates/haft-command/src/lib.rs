//! The local command engine: plain English commands and questions about the time, the date and
//! devices, answered with the bound tools and without a language model.
//!
//! # Brief overview
//!
//! [`Builtin`] implements [`ChatModel`](haft_core::ChatModel), so that the agent loop, the tools and
//! every client treat it like any other model. It needs no server and no weights. A text is
//! understood to its last word or changes nothing: a clause that the engine does not know stops the
//! commands beside it, and everything that is no command is answered by saying that this is not a
//! language model.
//!
//! ```
//! use haft_command::Builtin;
//! use haft_core::{CallOptions, ChatModel, Message};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let question = [Message::human("turn it off")];
//! let reply = Builtin::new().invoke(&question, &CallOptions::default()).await?;
//! assert_eq!(reply.content.text(), "Which device do you mean?");
//! # Ok::<_, haft_core::ModelError>(())
//! # }).unwrap();
//! ```
//!
//! # Map
//!
//! From a text to calls and back, each file knowing only those before it:
//!
//! 1. `tokens` cuts a text into words, `numbers` and `calendar` read numbers and days, `units`
//!    converts, `name` says which words a name may have;
//! 2. `grammar` says what one clause asks for, as a value of `intent`;
//! 3. `clauses` cuts a text into clauses and settles what they are together; `doubt` says why
//!    commands are not carried out;
//! 4. `catalog` knows from names and schemas what the bound tools can do, `device` and `clock` read
//!    their results, `group` says which of the listed devices are meant;
//! 5. `assist` reads commands more strictly, and more of them, where the client lists the devices of
//!    the home, as Home Assistant does;
//! 6. `plan` turns intents into steps, `conversation` knows which calls were made, `answer` and
//!    `report` put results into sentences, and `builtin` does the next step; `proposal` says what
//!    that would be, for a program that has a language model too.
//!
//! `look_up` says which texts need a tool whoever answers, and `spoken` puts the results of calls
//! that a language model made into sentences.
//!
//! The words of the home come from [`haft_select::english`], which the intent classifier reads too.
//! `haft-agent` opens the engine by its name `builtin`; `haft-voice` lets it answer plain commands
//! before a language model is asked.

mod answer;
mod assist;
mod builtin;
mod calendar;
mod catalog;
mod clauses;
mod clock;
mod conversation;
mod device;
mod doubt;
mod grammar;
mod group;
mod intent;
mod look_up;
mod name;
mod numbers;
mod plan;
mod proposal;
mod report;
mod spoken;
mod tokens;
mod units;

pub use builtin::Builtin;
pub use catalog::Wanted;
pub use proposal::Proposal;
pub use spoken::{DeviceState, device_states, spoken};
