//! Validation and lossless coercion of tool arguments against JSON Schema.
