//! Lost, doubled and damaged tags, and replies that are cut off.
