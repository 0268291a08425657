#![expect(clippy::string_slice, reason = "tests may die")]

mod agreement;
mod stops;

use super::{Balance, Stop};

/// Where the value that `text` begins with ends, when it comes in parts of `size` bytes or more.
fn end_in_parts(text: &str, size: usize) -> Stop {
    let mut balance = Balance::default();
    let mut cut = 0;
    while cut < text.len() {
        cut = (cut + size).min(text.len());
        while !text.is_char_boundary(cut) {
            cut += 1;
        }
        match balance.run(&text[..cut], false) {
            Stop::More => {}
            stop => return stop,
        }
    }
    balance.run(text, true)
}

fn end(text: &str) -> Stop {
    Balance::default().run(text, true)
}
