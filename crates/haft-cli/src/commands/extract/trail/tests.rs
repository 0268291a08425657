use super::*;

fn trail(pieces: &[Piece<'_>]) -> Vec<(Kind, String)> {
    let mut trail = Trail::default();
    for piece in pieces {
        trail.add(piece);
    }
    trail.0
}

fn start(name: &str) -> Piece<'_> {
    Piece::CallStart { index: 0, name }
}

fn arguments(fragment: &str) -> Piece<'_> {
    Piece::CallArgs { index: 0, fragment }
}

#[test]
fn neighbours_of_one_kind_are_one_piece() {
    let whole = trail(&[
        Piece::Syntax("<tool_call>"),
        start("f"),
        arguments("{\"a\":1}"),
        Piece::Text("done"),
    ]);
    let split = trail(&[
        Piece::Syntax("<tool"),
        Piece::Syntax("_call>"),
        start("f"),
        arguments("{\"a\""),
        arguments(":1}"),
        Piece::Text("do"),
        Piece::Text("ne"),
    ]);
    assert_eq!(whole, split);
    assert_eq!(whole.len(), 4);
}

#[test]
fn a_late_end_of_thinking_makes_thoughts_of_everything() {
    let seen = trail(&[
        Piece::Reasoning("a "),
        Piece::Text("b "),
        start("f"),
        arguments("{}"),
        Piece::ThinkingEnded,
        Piece::Text("c"),
    ]);
    let wanted = [(Kind::Thinking, "a b {}"), (Kind::Text, "c")];
    assert_eq!(seen, wanted.map(|(kind, text)| (kind, text.to_owned())));
}
