//! Lost, doubled and damaged tags, and replies that are cut off.

use super::*;

const QWEN_END: &str = "\n</function>\n</tool_call>";
const QWEN_REST: &str = "\n</tool_call>";

fn assert_cut(style: Style, text: &str) {
    let reading = read(style, text);
    assert!(!reading.complete && reading.repaired, "{text}: {reading:?}");
}

#[test]
fn qwen3_coder_closing_tags_of_parameters_may_be_lost_or_doubled() {
    let two = [("a", "1"), ("b", "2")];
    for body in [
        "\n<parameter=a>\n1\n<parameter=b>\n2\n</parameter>",
        "\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2",
        "\n<parameter=a>\n1\n<parameter=b>\n2",
        "\n<parameter=a>\n1\n</parameter>\n</parameter>\n<parameter=b>\n2\n</parameter></parameter>",
        "\n<parameter=a>\n1\n</parameter\n<parameter=b>\n2\n</parameter",
        "\n<parameter=a>\n1\n</a>\n<parameter=b>\n2\n</b>",
        "\n<parameter=a>\n1\n</arg_value>\n<parameter=b>\n2\n</parameter>",
        "\n<parameter=a>1<parameter=b>2</parameter>",
        "\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>\n</tool>",
        "\n</parameter>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>",
        "\n<parameter=a>\n1\n</parameter>, and\n<parameter=b>\n2\n</parameter>",
    ] {
        let text = format!("{body}{QWEN_END}");
        assert_repairs(Style::Invoke, &text, &two, QWEN_REST);
    }
}

#[test]
fn opening_tags_of_parameters_may_be_written_badly() {
    for open in [
        "<parameter=city",
        "<parameter=city\n",
        "<Parameter=city>",
        "<parameter =city\n",
        "<parameter=city>\n<parameter=city>",
    ] {
        let text = format!("\n{open}\nOslo\n</parameter>{QWEN_END}");
        let reading = read(Style::Invoke, &text);
        let value = values(&reading)[0];
        assert_eq!((value.0, value.1.trim()), ("city", "Oslo"), "{text}");
        assert_eq!(reading.rest, QWEN_REST);
    }
    for open in [
        "<parameter city>",
        "<parameter \"city\">",
        "<parameter name=city>",
        "<parameter name = \"city\">",
        "<parameter=\"city\">",
        "<parameter = city>",
        "<parameter key=\"city\">",
        "<param name=\"city\">",
        "<param=city>",
        "<parameter=city >",
        "<argument name=\"city\">",
    ] {
        let close = if open.starts_with("<argument") {
            "</argument>"
        } else {
            "</parameter>"
        };
        let text = format!("\n{open}\nOslo\n{close}{QWEN_END}");
        assert_reads(Style::Invoke, &text, &[("city", "Oslo")], QWEN_REST);
    }
    let text = format!("\n<parameter=city Oslo</parameter>{QWEN_END}");
    let reading = read(Style::Invoke, &text);
    assert_eq!(values(&reading), [("city Oslo", "")]);
    let text = format!("\n<parameter>Oslo</parameter>{QWEN_END}");
    assert_repairs(Style::Invoke, &text, &[("", "Oslo")], QWEN_REST);
}

#[test]
fn the_closing_tag_of_a_call_may_be_lost() {
    let a = "\n<parameter=a>\n1\n</parameter>\n";
    let one = [("a", "1")];
    for rest in [
        "</tool_call>",
        "<function=g>\n<parameter=b>\n2\n</parameter>\n</function>",
        "<tool_call>\n<function=g>",
        "<|im_end|>",
        "<｜tool▁call▁end｜>",
    ] {
        assert_repairs(Style::Invoke, &format!("{a}{rest}"), &one, rest);
    }
    assert_repairs(Style::Invoke, a, &one, "");
    assert_repairs(Style::Invoke, a.trim_end(), &one, "");
    assert_repairs(Style::Invoke, &format!("{a}</func"), &one, "");
    assert_repairs(Style::Invoke, &format!("{a}<"), &one, "");
    assert_repairs(Style::Invoke, &format!("{a}</function"), &one, "");
    // Prose after the call stays text.
    let prose = "\nI will now wait for the answer.\n";
    assert_repairs(
        Style::Invoke,
        &format!("{}{prose}", a.trim_end()),
        &one,
        prose,
    );
    let prose = format!("\n{}", "Nothing more to say. ".repeat(40));
    assert_repairs(
        Style::Invoke,
        &format!("{}{prose}", a.trim_end()),
        &one,
        &prose,
    );
    let pair = "<arg_key>a</arg_key><arg_value>1</arg_value>";
    assert_repairs(Style::Pairs, pair, &one, "");
    let rest = "<tool_call>g\n<arg_key>";
    assert_repairs(Style::Pairs, &format!("{pair}\n{rest}"), &one, rest);
    assert_repairs(
        Style::Pairs,
        &format!("{pair}</function></tool_call>"),
        &one,
        "</tool_call>",
    );
}

#[test]
fn a_value_without_any_closing_tag_ends_before_the_next_call() {
    let text = "\n<parameter=a>\n1\n<tool_call>\n<function=g>\n<parameter=b>\n2\n</parameter>\n</function>\n</tool_call>";
    let rest = text.find("<tool_call>").unwrap();
    assert_repairs(
        Style::Invoke,
        text,
        &[("a", "1")],
        slice(text, &(rest..text.len())),
    );
    let text = "<arg_key>a</arg_key>\n<arg_value>1\n<tool_call>g\n<arg_key>b</arg_key><arg_value>2</arg_value></tool_call>";
    let rest = text.find("<tool_call>").unwrap();
    assert_repairs(
        Style::Pairs,
        text,
        &[("a", "1")],
        slice(text, &(rest..text.len())),
    );
    for (close, rest) in [("</function>", ""), ("</tool_call>", "</tool_call>")] {
        let prose = "\nThat should do.";
        let text = format!("<parameter=a>1\n{close}{prose}");
        assert_repairs(
            Style::Invoke,
            &text,
            &[("a", "1")],
            &format!("{rest}{prose}"),
        );
    }
}

#[test]
fn a_reply_cut_inside_a_parameter_is_not_complete() {
    for text in [
        "<parameter=a>\n1",
        "<parameter=a>\n1\n",
        "<parameter=a>",
        "<parameter=a",
        "<parameter=a>1</parameter><para",
        "<parameter=a>use </tool_call> to end",
        "<parameter=a>1 <",
        "<parameter name=\"a\">1</parameter><parameter name=",
        "<a>1",
        "<arg_key>a",
        "<arg_key>a</arg_key>",
        "<arg_key>a</arg_key>\n",
        "<arg_key>a</arg_key><arg_value>1",
        "<arg_key>a</arg_key><arg_value>1</arg_value><arg_key>b</arg_ke",
        "<arg_key>a</arg_key></tool_call>",
        "<|open|>argument key=\"a\" type=\"string\"<|sep|>x",
        "<|open|>argument key=\"a",
        "<parameter=a><![CDATA[x]]",
    ] {
        assert_cut(Style::Invoke, text);
        assert_cut(Style::Pairs, text);
    }
    // The first letters of the closing tag prove that the value is whole.
    for text in [
        "<parameter=a>1</param",
        "<parameter=a>1</parameter",
        "<arg_key>a</arg_key><arg_value>1</arg_v",
        "<a>1</a",
    ] {
        assert_repairs(Style::Invoke, text, &[("a", "1")], "");
    }
    let text = "<｜DSML｜parameter name=\"a\" string=\"true\">1</｜DSML｜para";
    assert_repairs(Style::Invoke, text, &[("a", "1")], "");
}

#[test]
fn glm47_tags_of_pairs_may_be_lost() {
    let two = [("a", "1"), ("b", "2")];
    for body in [
        "<arg_key>a</arg_key>1</arg_value><arg_key>b</arg_key>2</arg_value>",
        "<arg_key>a</arg_key>\n1</arg_value>\n<arg_key>b</arg_key>\n2</arg_value>",
        "<arg_key>a<arg_value>1</arg_value><arg_key>b<arg_value>2</arg_value>",
        "<arg_key>a</arg_key><arg_value>1<arg_key>b</arg_key><arg_value>2</arg_value>",
        "<arg_key>a</arg_key>\n<arg_value>1\n<arg_key>b</arg_key>\n<arg_value>2\n",
        "a</arg_key><arg_value>1</arg_value>b</arg_key><arg_value>2</arg_value>",
        "<arg_key>a\n1</arg_value>\n<arg_key>b\n2</arg_value>\n",
        "<arg_key>a</arg_key></arg_key><arg_value>1</arg_value></arg_value><arg_key>b</arg_key><arg_value><arg_value>2</arg_value>",
        "<arg_key><arg_key>a</arg_key><arg_value>1</arg_value><arg_key>b</arg_value><arg_value>2</arg_value>",
        "<arg_key>a</arg_key><arg_value>1</arg_value\n<arg_key\nb</arg_key><arg_value>2</arg_value>",
        "<arg_key>a</arg_key><arg_value>1</parameter><arg_key>b</arg_key><arg_value>2</parameter>",
    ] {
        if body.starts_with("a</arg_key>") {
            // Without an opening tag the second name cannot be told from the value before it.
            continue;
        }
        assert_repairs(
            Style::Pairs,
            &format!("{body}</tool_call>\n"),
            &two,
            "</tool_call>\n",
        );
    }
    let text = "\na</arg_key>\n<arg_value>1</arg_value>\n</tool_call>";
    assert_repairs(Style::Pairs, text, &[("a", "1")], "</tool_call>");
    let text = "<arg_value>1</arg_value></tool_call>";
    assert_repairs(Style::Pairs, text, &[("", "1")], "</tool_call>");
    let text = "<arg_key>a</arg_key><arg_value>1</arg_value>\nDone, thanks.";
    assert_repairs(Style::Pairs, text, &[("a", "1")], "\nDone, thanks.");
}

#[test]
fn kimi_k3_tokens_may_be_lost() {
    let text = "<|open|>argument key=\"a\" type=\"string\"<|sep|>1<|open|>argument key=\"b\" type=\"string\"<|sep|>2<|close|>argument<|sep|><|close|>tools<|sep|>";
    let rest = "<|close|>tools<|sep|>";
    assert_repairs(Style::Invoke, text, &[("a", "1"), ("b", "2")], rest);
    let text = "<|open|>argument key=\"a\" type=\"string\"<|sep|>1<|close|>call<|sep|><|close|>tools<|sep|>";
    assert_repairs(Style::Invoke, text, &[("a", "1")], rest);
    let text =
        "<|open|>argument key=\"a\"<|sep|>1<|close|>argument<|close|>call<|close|>tools<|sep|>";
    assert_repairs(Style::Invoke, text, &[("a", "1")], rest);
    let text = "<|open|>argument key=\"a\"<|sep|>1<|close|>argument<|sep|>\n<|open|>call tool=\"g\" index=\"2\"<|sep|>";
    let rest = "<|open|>call tool=\"g\" index=\"2\"<|sep|>";
    assert_repairs(Style::Invoke, text, &[("a", "1")], rest);
}

#[test]
fn dsml_tags_may_be_lost_or_damaged() {
    let text = "<｜DSML｜parameter name=\"a\" string=\"true\">1<｜DSML｜parameter name=\"b\" string=\"true\">2</｜DSML｜parameter></｜DSML｜toolcalls>";
    assert_repairs(
        Style::Invoke,
        text,
        &[("a", "1"), ("b", "2")],
        "</｜DSML｜toolcalls>",
    );
    let text = "<｜DSML｜parameter name=\"a\" string=\"true\">1\n<｜DSML｜parameter name=\"b\" string=\"true\">2</｜DSML｜parameter></｜DSML｜invoke>";
    assert_repairs(Style::Invoke, text, &[("a", "1"), ("b", "2")], "");
    let text = "<｜DSML｜parameter name=\"a\" string=\"true\">1</parameter>\n</invoke>\n</｜DSML｜tool_calls>";
    assert_reads(
        Style::Invoke,
        text,
        &[("a", "1")],
        "\n</｜DSML｜tool_calls>",
    );
}

#[test]
fn minimax_m3_prefixes_and_closing_tags_may_be_lost() {
    for text in [
        "<<a>1</a><<b>2</b><</invoke>",
        "<<a>1<<b>2<</b><</invoke>",
        "<<a>1<</b><<b>2<</b><</invoke>",
        "<<a>1<</a><<b>2<</invoke>",
        "<<a>1<</a><<b>2<</b></invoke>",
        "<a>1</a><b>2</b><</invoke>",
        "<<a>1<</a>][<<b>2<</b><</invoke>",
    ] {
        let text = text.replace("<<", "]<]minimax[>[<");
        let reading = read(Style::Invoke, &text);
        assert_eq!(values(&reading), [("a", "1"), ("b", "2")], "{text}");
        assert!(reading.complete && reading.rest.is_empty(), "{text}");
    }
    let text = "<<a>1<</a><</tool_call>".replace("<<", "]<]minimax[>[<");
    assert_repairs(Style::Invoke, &text, &[("a", "1")], "</tool_call>");
}

#[test]
fn stray_text_between_parameters_is_passed() {
    let text = "\nHere we go:\n<parameter=a>\n1\n</parameter>\n</function>";
    assert_repairs(Style::Invoke, text, &[("a", "1")], "");
    let text = "\n1 < 2 <b>\n<parameter=a>\n1\n</parameter>\n</function>";
    assert_repairs(Style::Invoke, text, &[("a", "1")], "");
}
