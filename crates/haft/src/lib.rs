//! Tool calling that works with any language model, above all small local ones.
