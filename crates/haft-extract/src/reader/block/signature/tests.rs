use super::is_comment;

#[test]
fn blanks_and_comments_are_comments() {
    for text in [
        "",
        " \t",
        "\n\n",
        "# one",
        "`, # one\n ;]// two\r\n",
        "// get_weather()",
    ] {
        assert!(is_comment(text), "{text:?}");
    }
}

#[test]
fn anything_else_is_none() {
    for text in ["a", "/ a", "# one\ntwo", "\n, f() # one", "(# one"] {
        assert!(!is_comment(text), "{text:?}");
    }
}
