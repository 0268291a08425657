//! Parts of the reading that can be switched off to measure what they are worth, for the program
//! in `examples/measure.rs` alone: without the feature `__measure` all of them are always on.

#[cfg(feature = "__measure")]
use std::sync::atomic::{AtomicU8, Ordering};

/// A part of the reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "__measure"),
    expect(unreachable_pub, reason = "public to the program that measures")
)]
pub enum Part {
    /// Bringing arguments into the shape of the schema.
    Coercion = 1,
    /// Mending what is not written as its format wants.
    Repair = 2,
    /// Finding a tool whose name is written otherwise.
    Names = 4,
}

#[cfg(feature = "__measure")]
static OFF: AtomicU8 = AtomicU8::new(0);

/// Switches a part off for the rest of the process.
#[cfg(feature = "__measure")]
pub fn switch_off(part: Part) {
    OFF.fetch_or(part as u8, Ordering::Relaxed);
}

/// True unless the part was switched off.
#[cfg(feature = "__measure")]
pub(crate) fn is_on(part: Part) -> bool {
    OFF.load(Ordering::Relaxed) & part as u8 == 0
}

/// All parts are on.
#[cfg(not(feature = "__measure"))]
pub(crate) const fn is_on(_: Part) -> bool {
    true
}
