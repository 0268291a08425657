//! How much more a reply may say after one that ran out of tokens.

use haft_core::CallOptions;

/// By what a limit grows: a model that thought its answer away needs several times as much.
const MORE_ROOM: u32 = 4;

/// In tokens, where no limit was set: some servers stop after a few hundred then.
pub(crate) const ROOM: u32 = 4096;

/// How many times the usual a reply under these options may have.
pub(crate) fn room_of(options: &CallOptions) -> u32 {
    if options.more_room { MORE_ROOM } else { 1 }
}
