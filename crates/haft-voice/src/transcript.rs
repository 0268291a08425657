//! Removes time stamps and annotations from transcripts.

/// The spoken words of a transcript, without time stamps and annotations such as `[BLANK_AUDIO]` or
/// `(wind blowing)`.
pub(crate) fn words_of(transcript: &str) -> String {
    let mut words = String::new();
    for line in transcript.lines() {
        let line = without_time(line.trim());
        if is_remark(line) {
            continue;
        }
        for word in line.split_whitespace() {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
        }
    }
    words
}

/// Removes the time stamp of `[00:00:00.000 --> 00:00:02.000] words`, the format of whisper.cpp.
fn without_time(line: &str) -> &str {
    match line.strip_prefix('[').and_then(|line| line.split_once(']')) {
        Some((time, rest)) if time.contains("-->") => rest.trim(),
        _ => line,
    }
}

fn is_remark(line: &str) -> bool {
    let pairs = [('[', ']'), ('(', ')'), ('*', '*'), ('♪', '♪')];
    pairs.iter().any(|(open, close)| {
        let inner = line
            .strip_prefix(*open)
            .and_then(|rest| rest.strip_suffix(*close));
        inner.is_some_and(|inner| !inner.contains([*open, *close]))
    })
}

#[cfg(test)]
mod tests;
