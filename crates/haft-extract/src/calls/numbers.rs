//! The letters of numbers: kept until it is known what each argument wants, since text wants all
//! of them (`3.10` is a version), and brought into one form where a number stays one.

use haft_core::Arguments;

use crate::value::settle_numbers;

/// Brings the numbers of a call that is settled into their shortest form.
pub(super) fn settle(arguments: &mut Arguments) {
    arguments.values_mut().for_each(settle_numbers);
}
