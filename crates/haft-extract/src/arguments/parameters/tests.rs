//! The families of tags as their templates write them. Damages are in `damaged`, the hostile and
//! the random in `hostile`.

use super::*;

mod damaged;
mod hostile;

/// What was read, with the texts in place of ranges.
#[derive(Clone, Debug, PartialEq)]
struct Reading {
    parameters: Vec<(String, String, ValueKind)>,
    rest: String,
    repaired: bool,
    complete: bool,
}

fn state(scanner: &Parameters, text: &str, progress: Seen<Done>) -> Reading {
    let Ok(Done { end, complete }) = progress else {
        panic!("not done: {text}");
    };
    let parameters = scanner.list.iter().map(|parameter| {
        (
            slice(text, &parameter.key).to_owned(),
            slice(text, &parameter.value).to_owned(),
            parameter.kind,
        )
    });
    Reading {
        parameters: parameters.collect(),
        rest: text.get(end..).unwrap().to_owned(),
        repaired: scanner.repaired,
        complete,
    }
}

/// Reads a text given in growing prefixes.
fn read_cut(style: Style, text: &str, cuts: impl IntoIterator<Item = usize>) -> Reading {
    let mut scanner = Parameters::new(style, None);
    let mut shown = 0;
    for cut in cuts {
        let progress = scanner.run(text.get(..cut).unwrap(), false);
        assert!(scanner.decided <= cut);
        assert!(text.is_char_boundary(scanner.decided), "{text}");
        if progress == Err(More) {
            assert!(scanner.decided >= shown, "went back in {text}");
            shown = scanner.decided;
        }
    }
    let progress = scanner.run(text, true);
    state(&scanner, text, progress)
}

fn slice<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    text.get(range.clone()).unwrap()
}

fn boundaries(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).collect()
}

/// Reads a text whole, at every single cut and character by character, which must all agree.
fn read(style: Style, text: &str) -> Reading {
    let whole = read_cut(style, text, []);
    for at in boundaries(text) {
        assert_eq!(read_cut(style, text, [at]), whole, "cut at {at} of {text}");
    }
    let slowly = read_cut(style, text, boundaries(text));
    assert_eq!(slowly, whole, "each character of {text}");
    whole
}

/// Asserts that a call without damage has these parameters and leaves `rest`.
fn assert_reads(style: Style, text: &str, expected: &[(&str, &str)], rest: &str) {
    let reading = read(style, text);
    assert_eq!(values(&reading), expected, "{text}");
    assert_eq!(reading.rest, rest, "{text}");
    assert!(reading.complete && !reading.repaired, "{text}");
}

/// The same for a call with damage.
fn assert_repairs(style: Style, text: &str, expected: &[(&str, &str)], rest: &str) {
    let reading = read(style, text);
    assert_eq!(values(&reading), expected, "{text}");
    assert_eq!(reading.rest, rest, "{text}");
    assert!(reading.complete && reading.repaired, "{text}");
}

fn values(reading: &Reading) -> Vec<(&str, &str)> {
    let pairs = reading.parameters.iter();
    pairs
        .map(|(key, value, _)| (key.as_str(), value.as_str()))
        .collect()
}

fn kinds(reading: &Reading) -> Vec<ValueKind> {
    reading
        .parameters
        .iter()
        .map(|(_, _, kind)| *kind)
        .collect()
}

#[test]
fn qwen3_coder_strips_one_line_break_on_each_side() {
    let close = "</function>\n</tool_call>";
    let text = format!(
        "\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n{close}"
    );
    let rest = "\n</tool_call>";
    assert_reads(
        Style::Invoke,
        &text,
        &[("city", "Oslo"), ("days", "3")],
        rest,
    );
    let text = format!("\n<parameter=code>\n\n  a\n\n</parameter>\n{close}");
    assert_reads(Style::Invoke, &text, &[("code", "\n  a\n")], rest);
    assert_reads(Style::Invoke, &format!("\n{close}"), &[], rest);
    let text = format!(
        "<parameter=a></parameter><parameter=b>\n</parameter><parameter=c>\r\nx\r\n</parameter>{close}"
    );
    let expected = [("a", ""), ("b", ""), ("c", "x")];
    assert_reads(Style::Invoke, &text, &expected, rest);
}

#[test]
fn anthropic_like_tags_in_all_spellings() {
    let text = "\n<parameter name=\"a\">1</parameter>\n<parameter name='b'>x\ny</parameter>\n</invoke>\n</minimax:tool_call>";
    let rest = "\n</minimax:tool_call>";
    assert_reads(Style::Invoke, text, &[("a", "1"), ("b", "x\ny")], rest);
    let text =
        "<steptml:parameter name=\"a\">1</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>";
    assert_reads(Style::Invoke, text, &[("a", "1")], "<｜tool_call_end｜>");
    let text =
        "\n<atem:parameter name=\"a\">1</atem:parameter>\n</atem:invoke>\n</atem:function_calls>";
    assert_reads(
        Style::Invoke,
        text,
        &[("a", "1")],
        "\n</atem:function_calls>",
    );
    let text = "<param name=\"a\"><![CDATA[<b> & ]] </param>]]></param><param name=\"c\">d</param></function>";
    let expected = [("a", "<b> & ]] </param>"), ("c", "d")];
    assert_reads(Style::Invoke, text, &expected, "");
    let text = "<rfl:parameter name=\"a\">\nx\n</rfl:parameter>\n<|call|>";
    assert_reads(Style::Message, text, &[("a", "x")], "<|call|>");
    let text = "<rfl:parameter name=\"a\">\nx\n</rfl:parameter>\n";
    assert_reads(Style::Message, text, &[("a", "x")], "");
}

#[test]
fn dsml_says_which_values_are_json() {
    for (open, close) in [
        ("<｜DSML｜", "</｜DSML｜"),
        ("<｜DSML｜ ", "</｜DSML｜ "),
        ("<｜GCML｜", "</｜GCML｜"),
    ] {
        let text = format!(
            "\n{open}parameter name=\"s\" string=\"true\">\n5\n{close}parameter>\n{open}parameter name=\"j\" string=\"false\">[1]{close}parameter>\n{close}invoke>\n"
        );
        assert_reads(Style::Invoke, &text, &[("s", "\n5\n"), ("j", "[1]")], "\n");
        let reading = read(Style::Invoke, &text);
        assert_eq!(kinds(&reading), [ValueKind::Text, ValueKind::Json]);
    }
}

#[test]
fn kimi_k3_writes_tags_of_three_tokens() {
    let argument = |key: &str, kind: &str, value: &str| {
        format!(
            "<|open|>argument key=\"{key}\" type=\"{kind}\"<|sep|>{value}<|close|>argument<|sep|>"
        )
    };
    let close = "<|close|>call<|sep|>";
    let rest = "<|close|>tools<|sep|>";
    let text = format!(
        "{}{}{close}{rest}",
        argument("a", "string", "\nx "),
        argument("b", "number", "5")
    );
    assert_reads(Style::Invoke, &text, &[("a", "\nx "), ("b", "5")], rest);
    assert_eq!(
        kinds(&read(Style::Invoke, &text)),
        [ValueKind::Text, ValueKind::Json]
    );
    assert_reads(Style::Invoke, &format!("{close}{rest}"), &[], rest);
    let text = format!(
        "{}{close}",
        argument("a &quot;b&quot; &amp;lt;", "string", "1 < 2 <| <|open|")
    );
    let reading = read(Style::Invoke, &text);
    assert_eq!(unescaped(&reading.parameters[0].0), "a \"b\" &lt;");
    assert_eq!(reading.parameters[0].1, "1 < 2 <| <|open|");
}

#[test]
fn glm_pairs_with_and_without_line_breaks() {
    let text = "\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>\n3 </arg_value>\n</tool_call>";
    assert_reads(
        Style::Pairs,
        text,
        &[("city", "Oslo"), ("days", "\n3 ")],
        "</tool_call>",
    );
    let text = "<arg_key>city</arg_key><arg_value>a<</arg_value><arg_key>\nb\n</arg_key><arg_value></arg_value></tool_call>x";
    assert_reads(
        Style::Pairs,
        text,
        &[("city", "a<"), ("b", "")],
        "</tool_call>x",
    );
    assert_reads(Style::Pairs, "\n</tool_call>", &[], "</tool_call>");
    let text = "<tool_sep>\n<arg_key:7f>a</arg_key:7f>\n<arg_value:7f>1</arg_value:7f>\n</tool_call:7f>\n</tool_calls:7f>";
    assert_reads(
        Style::Pairs,
        text,
        &[("a", "1")],
        "</tool_call:7f>\n</tool_calls:7f>",
    );
}

#[test]
fn k2_horizon_may_name_the_type() {
    let text = "<ifm|arg_key>a</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>5</ifm|arg_value><ifm|arg_key>b</ifm|arg_key><ifm|arg_value>5</ifm|arg_value></ifm|tool_call>";
    assert_reads(
        Style::Pairs,
        text,
        &[("a", "5"), ("b", "5")],
        "</ifm|tool_call>",
    );
    assert_eq!(
        kinds(&read(Style::Pairs, text)),
        [ValueKind::Text, ValueKind::Schema]
    );
}

#[test]
fn minimax_m3_names_elements_after_parameters() {
    let call =
        |body: &str| format!("\n{body}<</invoke>\n<</tool_call>").replace("<<", "]<]minimax[>[<");
    let rest = call("").replacen("\n]<]minimax[>[</invoke>", "", 1);
    let text = call("<<city>Oslo<</city>\n<<message>\na <b>bold</b>\n<</message><<tool>x<</tool>");
    let expected = [
        ("city", "Oslo"),
        ("message", "\na <b>bold</b>\n"),
        ("tool", "x"),
    ];
    assert_reads(Style::Invoke, &text, &expected, &rest);
    let text =
        call("<<html><html>\n</html>\n<</html><<to><<item>a@b<</item><<item>c<</item><</to>");
    let reading = read(Style::Invoke, &text);
    assert_eq!(reading.parameters[0].1, "<html>\n</html>\n");
    assert_eq!(kinds(&reading), [ValueKind::Schema, ValueKind::Elements]);
    assert!(!reading.repaired && reading.rest == rest);
    let nested = &reading.parameters[1].1;
    let found = elements(nested).unwrap().list;
    let found: Vec<_> = found
        .iter()
        .map(|e| (e.name, e.value, e.children.len()))
        .collect();
    assert_eq!(found, [("item", "a@b", 0), ("item", "c", 0)]);
}

#[test]
fn an_element_may_hold_elements_of_its_own_name() {
    let text =
        "<<item>\n<<item>a<</item>\n<<item><<item>b<</item><</item>\n<</item><<n>1<</n><</invoke>";
    let text = text.replace("<<", "]<]minimax[>[<");
    let reading = read(Style::Invoke, &text);
    assert_eq!(reading.parameters.len(), 2);
    let nested = &reading.parameters[0].1;
    let found = elements(nested).unwrap().list;
    let children: Vec<_> = found.iter().map(|e| e.children.len()).collect();
    assert_eq!(children, [0, 1]);
    assert!(found[1].children[0].children.is_empty());
    let text = "<div>\n<div>a</div>\n</div>\n</invoke>";
    assert_reads(Style::Invoke, text, &[("div", "<div>a</div>")], "");
}

#[test]
fn loose_models_write_elements_without_prefix() {
    let text = "\n<city>Oslo</city>\n<start type=\"string\">5</start>\n<opts><a>1</a><b><c>2</c></b></opts><none/>\n</function>";
    let expected = [
        ("city", "Oslo"),
        ("start", "5"),
        ("opts", "<a>1</a><b><c>2</c></b>"),
        ("none", ""),
    ];
    assert_reads(Style::Invoke, text, &expected, "");
    let opts = "<a>1</a><b><c>2</c></b>";
    let found = elements(opts).unwrap().list;
    let keys: Vec<_> = found.iter().map(|e| e.name).collect();
    assert_eq!(keys, ["a", "b"]);
    let keys: Vec<_> = found[1].children.iter().map(|e| e.name).collect();
    assert_eq!(keys, ["c"]);
    for text in [
        "plain",
        "<p>a <b>b</b></p>",
        "<a>1",
        "</a>",
        "",
        "<a>1</b>",
        "x<a>1</a>",
    ] {
        assert!(elements(text).is_none(), "{text}");
    }
    let text = "<parameters>\n<city>Oslo</city>\n</parameters></invoke>";
    assert_reads(Style::Invoke, text, &[("city", "Oslo")], "");
    let text = "<city>Oslo</city></get_weather>";
    assert_reads(Style::Element, text, &[("city", "Oslo")], "");
}

#[test]
fn any_spelling_is_read_in_any_call() {
    let text = "<b>2</b><parameter name=\"a\">1</parameter><arg_key>c</arg_key><arg_value>3</arg_value><parameter=d>4</parameter>";
    let expected = [("b", "2"), ("a", "1"), ("c", "3"), ("d", "4")];
    assert_reads(Style::Invoke, &format!("{text}</function>"), &expected, "");
    assert_reads(
        Style::Pairs,
        &format!("{text}</tool_call>"),
        &expected,
        "</tool_call>",
    );
}

#[test]
fn a_value_may_hold_tags_of_calls() {
    for value in [
        "see </parameter> there",
        "a </parameter>, </function> and </tool_call> b",
        "<tool_call>",
        "use <parameter=x> and <function=f> here",
        "<a href=\"x\">b</a>",
        "<a><parameter name=\"x\">b</parameter></a>",
        "`<parameter=x>`, (<parameter=x>)",
        "if a < b && b<c { <T> }",
        "ends in <",
        "</arg_value> x",
        "<|im_end|> x",
        "Größe 日本 🦀 <é>",
    ] {
        let text = format!("<parameter=k>\n{value}\n</parameter>\n</function>\n</tool_call>");
        assert_reads(Style::Invoke, &text, &[("k", value)], "\n</tool_call>");
        let text = format!("<arg_key>k</arg_key><arg_value>{value}</arg_value></tool_call>");
        assert_reads(Style::Pairs, &text, &[("k", value)], "</tool_call>");
        let text = format!("<k>{value}</k></invoke>");
        assert_reads(Style::Invoke, &text, &[("k", value)], "");
    }
}

#[test]
fn a_value_may_quote_whole_calls() {
    let qwen =
        "<tool_call>\n<function=f>\n<parameter=x>\n1\n</parameter>\n</function>\n</tool_call>";
    let glm = "<tool_call>f\n<arg_key>x</arg_key>\n<arg_value>1</arg_value>\n</tool_call>";
    let invoke = "<invoke name=\"f\"><parameter name=\"x\">1</parameter></invoke>";
    for quoted in [qwen, glm, invoke] {
        for value in [
            format!("Write this:\n{quoted}\nand wait."),
            format!("{quoted}\n{quoted}"),
            format!("Either `{quoted}` or nothing."),
        ] {
            let text = format!("<parameter=k>\n{value}\n</parameter>\n</function>\n</tool_call>");
            assert_reads(Style::Invoke, &text, &[("k", &value)], "\n</tool_call>");
            let text = format!("<arg_key>k</arg_key><arg_value>{value}</arg_value>\n</tool_call>");
            assert_reads(Style::Pairs, &text, &[("k", &value)], "</tool_call>");
        }
    }
    // The beginning of a call without its end does not hide the end of the value.
    for value in [
        "start with <function=f><parameter=x>",
        "or <tool_call><function=f><parameter=x>",
    ] {
        let text = format!("<parameter=k>\n{value}\n</parameter>\n</function>\n</tool_call>");
        assert_repairs(Style::Invoke, &text, &[("k", value)], "\n</tool_call>");
    }
}
