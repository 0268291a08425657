//! The six Z-Wave tools of haft over a simulated demo home.
