//! The scans of a call that comes in pieces. Most calls come whole, so they are made when they are
//! needed first; then one call after the other uses the same memory.

use crate::balance::Balance;
use crate::parameters::{Parameters, Style};

/// What scans calls in pieces.
#[derive(Debug, Default)]
pub(super) struct Scans(Option<Box<Both>>);

#[derive(Debug)]
struct Both {
    balance: Balance,
    parameters: Parameters,
}

impl Scans {
    /// Of the brackets that are being read.
    pub(super) fn balance(&mut self) -> &mut Balance {
        &mut self.0.get_or_insert_with(Both::new).balance
    }

    /// Of the tags that are being read.
    pub(super) fn parameters(&mut self) -> &mut Parameters {
        &mut self.0.get_or_insert_with(Both::new).parameters
    }
}

impl Both {
    fn new() -> Box<Self> {
        Box::new(Self {
            balance: Balance::new(),
            parameters: Parameters::new(Style::Invoke),
        })
    }
}
