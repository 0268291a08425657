//! Texts that nobody means well: random damage, and input that makes careless scanners slow.

use super::*;

const STYLES: [Style; 4] = [Style::Invoke, Style::Pairs, Style::Message, Style::Element];

const SEEDS: [&str; 9] = [
    "<parameter=k>\nsee\n<tool_call>\n<function=f>\n<parameter=x>\n1\n</parameter>\n</function>\n</tool_call>\nthere\n</parameter>\n</function>\n</tool_call>",
    "\n<parameter=city>\nOslo\n</parameter>\n<parameter=n>\n3\n</parameter>\n</function>\n</tool_call>",
    "\n<parameter name=\"a\">x<b>y</b></parameter>\n<param name='c'><![CDATA[d]]></param>\n</invoke>\n</function_calls>",
    "<｜DSML｜parameter name=\"s\" string=\"true\">5</｜DSML｜parameter>\n<｜DSML｜ parameter name=\"j\" string=\"false\">[1]</｜DSML｜ parameter></｜DSML｜invoke>",
    "<|open|>argument key=\"k\" type=\"string\"<|sep|>V<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
    "\n<arg_key>k</arg_key>\n<arg_value>v</arg_value>\n<arg_key>l</arg_key><arg_value>w</arg_value></tool_call>",
    "<ifm|arg_key>k</ifm|arg_key><ifm|arg_type>int</ifm|arg_type><ifm|arg_value>5</ifm|arg_value></ifm|tool_call>",
    "]<]minimax[>[<a>1]<]minimax[>[</a>]<]minimax[>[<l>]<]minimax[>[<item>x]<]minimax[>[</item>]<]minimax[>[</l>]<]minimax[>[</invoke>",
    "<rfl:parameter name=\"k\">\nV\n</rfl:parameter>\n<|call|><city>Oslo</city></get_weather>",
];

/// Reads without looking at every cut; all that is found must lie in the text.
fn check(random: &mut fastrand::Rng, style: Style, text: &str) {
    let whole = read_cut(style, text, []);
    let all = boundaries(text);
    assert_eq!(read_cut(style, text, all.iter().copied()), whole, "{text}");
    for _ in 0..4 {
        let some: Vec<usize> = all.iter().copied().filter(|_| random.u8(..) < 40).collect();
        assert_eq!(
            read_cut(style, text, some.iter().copied()),
            whole,
            "{some:?} of {text}"
        );
    }
}

/// Pieces that a mutation may put in.
const PIECES: [&str; 26] = [
    "<|open|>argument key=\"k\"<|sep|>",
    "<|close|>argument<|sep|>",
    "<|close|>call<|sep|>",
    "<function=f>",
    "<|im_end|>",
    "text",
    "<",
    ">",
    "\n",
    "</parameter>",
    "<parameter=x>",
    "</function>",
    "</tool_call>",
    "<tool_call>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "]<]minimax[>[",
    "]]>",
    "<|sep|>",
    "｜",
    " ",
    "é",
    "<x>",
    "</x>",
];

fn mutate(random: &mut fastrand::Rng, seed: &str) -> String {
    let mut text = seed.to_owned();
    for _ in 0..random.usize(1..5) {
        let all = boundaries(&text);
        let Some(at) = random.choice(&all).copied() else {
            break;
        };
        let end = all
            .iter()
            .copied()
            .find(|end| *end > at + random.usize(0..20))
            .unwrap_or(text.len());
        let piece = slice(&text, &(at..end)).to_owned();
        match random.u8(0..5) {
            0 => text.replace_range(at..end, ""),
            1 => text.insert_str(at, &piece),
            2 => text.truncate(at),
            3 => text.insert_str(random.choice(&all).copied().unwrap_or(0), &piece),
            _ => text.insert_str(at, random.choice(PIECES).unwrap_or("")),
        }
    }
    text
}

#[test]
fn random_damage_reads_the_same_for_every_cut() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..3_000 {
        let seed = random.choice(SEEDS).unwrap_or("");
        let text = mutate(&mut random, seed);
        let style = random.choice(STYLES).unwrap_or(Style::Invoke);
        check(&mut random, style, &text);
        let _ = elements(&text);
    }
}

#[test]
fn random_tags_read_the_same_for_every_cut() {
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..2_000 {
        let count = random.usize(1..14);
        let pieces = (0..count).map(|_| random.choice(PIECES).unwrap_or(""));
        let text: String = pieces.collect();
        let style = random.choice(STYLES).unwrap_or(Style::Invoke);
        check(&mut random, style, &text);
    }
}

/// Feeds a text in pieces of `size` bytes.
fn feed(style: Style, text: &str, size: usize) -> Reading {
    read_cut(
        style,
        text,
        (0..text.len())
            .step_by(size)
            .filter(|at| text.is_char_boundary(*at)),
    )
}

/// Each of these would keep a scanner busy for minutes that looks at anything more than a few
/// hundred times; the suite would not end.
#[test]
fn repetition_without_end_is_read_in_linear_time() {
    for unit in [
        "<",
        "</parameter>",
        "</parameter>\n",
        "<parameter=a>",
        "\n<parameter=b>",
        "</arg_value>",
        "<arg_key>",
        "<arg_key>k</arg_key>",
        "]<]minimax[>[",
        "]<]minimax[>[<a>",
        "<a=\"",
        "<a ",
        "<|open|>",
        "<|open|>argument key=\"",
        "<![CDATA[",
        "]]>",
        "</function>x",
        "</tool_call>\n",
        "<k>",
        "</k>",
        " ",
        "\n",
        "<tool_call>\n",
    ] {
        for head in [
            "",
            "<parameter=a>\n",
            "<arg_key>k</arg_key><arg_value>",
            "<k>",
            "<arg_key>",
        ] {
            let text = format!("{head}{}", unit.repeat(50_000 / unit.len()));
            let whole = read_cut(Style::Invoke, &text, []);
            assert!(feed(Style::Invoke, &text, 37) == whole, "{head} {unit}");
        }
    }
}

#[test]
fn a_long_value_is_read_once() {
    let value = "a < b && c </d> \"e\" \n".repeat(50_000);
    let text = format!("<parameter=k>\n{value}\n</parameter>\n</function>");
    let reading = feed(Style::Invoke, &text, 64);
    assert!(values(&reading) == [("k", value.as_str())]);
    assert!(reading.complete && !reading.repaired);
}

#[test]
fn what_is_decided_keeps_up_with_a_long_value() {
    let mut scanner = Parameters::new(Style::Invoke, None);
    let mut text = "<parameter=k>".to_owned();
    for _ in 0..100 {
        text.push_str("some more of the value, with < and </b> in it. ");
        assert_eq!(scanner.run(&text, false), Err(More));
        assert!(text.len() - scanner.decided <= 1);
    }
}

#[test]
fn elements_are_read_to_a_bounded_depth() {
    for (depth, is_read) in [(64, true), (65, false), (100_000, false)] {
        let text = format!("{}x{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert_eq!(elements(&text).is_some(), is_read, "{depth}");
    }
}
