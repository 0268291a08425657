//! Texts that nobody means well.
