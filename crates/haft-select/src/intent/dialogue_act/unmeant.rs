//! Commands that are spoken of and not meant now: on a condition, reported, or negated.

/// True for what is to be done on a condition or at another time.
pub(super) fn is_put_off(words: &[&str]) -> bool {
    if matches!(
        words,
        ["when" | "after" | "before" | "until" | "as" | "every", ..]
    ) {
        return true;
    }
    let mut pairs = words.windows(2);
    words.iter().any(|word| {
        matches!(
            *word,
            "if" | "unless" | "whenever" | "when" | "once" | "whether"
        )
    }) || pairs.any(|pair| {
        matches!(pair, ["after" | "until" | "before", next] if !next.starts_with('0'))
            || matches!(pair, ["soon", "as"])
    })
}

/// True for what somebody said or thinks.
pub(super) fn is_report(words: &[&str]) -> bool {
    words.iter().any(|word| {
        matches!(
            *word,
            "said"
                | "says"
                | "told"
                | "asked"
                | "asks"
                | "thinks"
                | "thought"
                | "heard"
                | "wrote"
                | "claims"
                | "according"
                | "suggested"
                | "yelled"
                | "shouted"
        )
    })
}

/// True for what is not to be done.
pub(super) fn is_negated(words: &[&str]) -> bool {
    let mut pairs = words.windows(2);
    matches!(words, ["never" | "no" | "not" | "avoid", second, ..] if *second != "the")
        || pairs.any(|pair| matches!(pair, ["do" | "should" | "must" | "need" | "would", "not"]))
}
