//! Words by which the text behind a call says that it is only mentioned, and words of an offer of
//! further help.

use crate::mention::search::Cues;

/// Words of an offer of further help, which is not about the call.
pub(in crate::mention) static OFFER: Cues = Cues::new(include_str!("../words/offer.txt"));

/// Words of a question or an offer about something beside the call.
pub(in crate::mention) static ALSO: Cues = Cues::new(include_str!("../words/also.txt"));

/// Words by which the user is invited to answer. Behind a call that is made they are about what may
/// come next, unless [`THE_CALL`] says otherwise.
pub(in crate::mention) static INVITATION: Cues = Cues::new(include_str!("../words/invitation.txt"));

/// Words by which an invitation is about the call itself: whether it is right, and to be made.
pub(in crate::mention) static THE_CALL: Cues = Cues::new(include_str!("../words/the_call.txt"));

/// Words that ask the user to go ahead, or wait for the word to.
pub(in crate::mention) static GOING_AHEAD: Cues =
    Cues::new(include_str!("../words/going_ahead.txt"));

pub(super) static PROHIBITED_BEHIND: Cues =
    Cues::new(include_str!("../words/prohibited_behind.txt"));

pub(super) static EXAMPLE_BEHIND: Cues = Cues::new(include_str!("../words/example_behind.txt"));

pub(super) static FORMAT_BEHIND: Cues = Cues::new(include_str!("../words/format_behind.txt"));

pub(super) static OPTION_BEHIND: Cues = Cues::new(include_str!("../words/option_behind.txt"));

pub(super) static PLAN_BEHIND: Cues = Cues::new(include_str!("../words/plan_behind.txt"));

pub(super) static REPORT_BEHIND: Cues = Cues::new(include_str!("../words/report_behind.txt"));

/// Words that speak of the call above as of a text, or of what would be done.
pub(super) static AS_TEXT_BEHIND: Cues = Cues::new(include_str!("../words/as_text_behind.txt"));
