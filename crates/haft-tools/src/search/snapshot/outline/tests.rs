use super::*;

fn node(depth: usize, role: &str, name: Option<&str>, text: Option<&str>) -> Node {
    Node {
        depth,
        role: role.to_owned(),
        name: name.map(str::to_owned),
        text: text.map(str::to_owned),
        url: None,
    }
}

#[test]
fn roles_names_texts_and_addresses_are_parsed() {
    let nodes = outline(
        r#"### Page
- Page URL: http://127.0.0.1/
```yaml
- generic [active] [ref=e1]:
  - 'link "a: ''b'' \"c\"" [ref=e2] [cursor=pointer]':
    - /url: /x?a=1#b
  - paragraph [ref=e3]: "say \"hi\": \u00e9\x41"
  - text: 'it''s'
  - link "plain" [ref=e4]: shown
  - img
```"#,
    );
    let mut link = node(1, "link", Some("a: 'b' \"c\""), None);
    link.url = Some("/x?a=1#b".to_owned());
    let expected = [
        // The line about the page looks like an element, but is not one.
        node(0, "Page", None, Some("http://127.0.0.1/")),
        node(0, "generic", None, None),
        link,
        node(1, "paragraph", None, Some("say \"hi\": éA")),
        node(1, "text", None, Some("it's")),
        node(1, "link", Some("plain"), Some("shown")),
        node(1, "img", None, None),
    ];
    assert_eq!(nodes, expected);
}

#[test]
fn long_snapshots_are_read_up_to_a_limit() {
    let many = "- text: one\n".repeat(MAX_NODES + 10);
    assert_eq!(outline(&many).len(), MAX_NODES);
    let long = format!("- text: {}\n- text: two", "x".repeat(MAX_LINE));
    assert_eq!(outline(&long), [node(0, "text", None, Some("two"))]);
}

#[test]
fn damaged_lines_are_read_as_far_as_possible() {
    assert_eq!(
        outline("- link \"open"),
        [node(0, "link", Some("open"), None)]
    );
    assert_eq!(
        outline("- 'link \"open"),
        [node(0, "link", Some("open"), None)]
    );
    assert_eq!(
        outline("- \n-\n- :\n- /url: x\n- text: \"a\\"),
        [node(0, "text", None, Some("a"))]
    );
}
