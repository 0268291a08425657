use super::*;

fn texts(page: &str) -> Vec<&str> {
    let tokens = Tokens::new(page);
    let text = |token| match token {
        Token::Text(text) => Some(text),
        _ => None,
    };
    tokens.filter_map(text).collect()
}

#[test]
fn scripts_styles_and_comments_are_skipped() {
    let page = "<!DOCTYPE html><title>t</title>a<script>if (1 < 2) '</p>'</SCRIPT>b\
        <!-- c > --><style>d{}</style>e<svg><a>f</a></svg>g<textarea></textareas></textarea>";
    assert_eq!(texts(page), ["a", "b", "e", "g"]);
}

#[test]
fn tags_end_where_browsers_end_them() {
    let tokens: Vec<_> = Tokens::new("<a href='x>y' title=\"it's\">z</a ><br/>1 < 2").collect();
    let expected = [
        Token::Open {
            name: "a",
            attributes: " href='x>y' title=\"it's\"",
        },
        Token::Text("z"),
        Token::Close { name: "a" },
        Token::Open {
            name: "br",
            attributes: "/",
        },
        Token::Text("1 "),
        Token::Text("<"),
        Token::Text(" 2"),
    ];
    assert_eq!(tokens, expected);
}

#[test]
fn attributes_are_found_in_every_spelling() {
    let attributes = " rel=nofollow HREF = 'a&amp;b' data-href=\"no\" checked x=\"\"";
    for (name, value) in [
        ("href", Some("a&b")),
        ("rel", Some("nofollow")),
        ("data-href", Some("no")),
        ("checked", Some("")),
        ("x", Some("")),
        ("title", None),
    ] {
        assert_eq!(attribute(attributes, name).as_deref(), value, "{name}");
    }
    for odd in ["=", "==\"x\" / / =", "'\"", "a=\"", "a='x"] {
        assert_eq!(attribute(odd, "href"), None, "{odd}");
    }
}

#[test]
fn entities_become_characters_and_unknown_ones_stay() {
    assert_eq!(
        decoded("a &amp; b &#39;c&#x27; &hellip; &nope; & &#xffffffff; &#"),
        "a & b 'c' … &nope; & &#xffffffff; &#"
    );
}
