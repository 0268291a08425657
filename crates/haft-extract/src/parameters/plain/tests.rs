use proptest::prelude::*;

use super::read;
use crate::parameters::{Parameter, Parameters, Progress, Style};

/// As the quick way reads the text, and as the careful way does.
fn both(text: &str, style: Style) -> (Option<Progress>, Vec<Parameter>, Progress, Vec<Parameter>) {
    let mut list = Vec::new();
    let end = read(text, style, &mut list);
    let progress = end.map(|end| Progress::Done {
        end,
        mended: false,
        complete: true,
    });
    let mut careful = Parameters::new(style);
    let expected = careful.run_carefully(text, true);
    (progress, list, expected, careful.list().to_vec())
}

/// What the quick way reads, the careful way reads alike; true if it does.
fn agree(text: &str, style: Style) -> bool {
    let (progress, list, expected, careful) = both(text, style);
    let Some(progress) = progress else {
        return false;
    };
    assert_eq!((progress, list), (expected, careful), "{text}");
    true
}

#[test]
fn what_templates_write_is_read() {
    for (style, text) in [
        (
            Style::Invoke,
            "\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
        ),
        (
            Style::Invoke,
            "<parameter=code>\n\tif a < b:\n        print(\"<= 3\")\n</parameter>\n</function>",
        ),
        (
            Style::Invoke,
            "\n<parameter name=\"city\">\nOslo\n</parameter>\n</invoke>\n",
        ),
        (
            Style::Invoke,
            "\n<｜DSML｜parameter name=\"city\" string=\"true\">\nOslo\n</｜DSML｜parameter>\n<｜DSML｜parameter name=\"days\" string=\"false\">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n",
        ),
        (
            Style::Pairs,
            "<arg_key>city</arg_key><arg_value>Oslo</arg_value><arg_key>days</arg_key>\n<arg_value>3</arg_value></tool_call>",
        ),
        (
            Style::Pairs,
            "\n<arg_key>city</arg_key>\n<arg_value>\nOslo\n</arg_value>\n</tool_call>",
        ),
    ] {
        assert!(agree(text, style), "{text}");
    }
}

#[test]
fn what_is_written_otherwise_is_left_to_the_careful_way() {
    for (style, text) in [
        (Style::Invoke, "<parameter=city>\nOslo\n</parameter>\n"),
        (Style::Invoke, "<parameter=city>Oslo</parameter></function>"),
        (Style::Invoke, "<parameter=city>\n</parameter></function>"),
        (
            Style::Invoke,
            "<parameter=city>\r\nOslo\r\n</parameter></function>",
        ),
        (
            Style::Invoke,
            "<parameter=city>\n<b>Oslo</b>\n</parameter></function>",
        ),
        (
            Style::Invoke,
            "<parameter=city>\n<![CDATA[Oslo]]>\n</parameter></function>",
        ),
        (
            Style::Invoke,
            "<parameter=city>\nOslo\n</parameter>stray</function>",
        ),
        (
            Style::Invoke,
            "<parameter=city>\nOslo\n</parameter></tool_call>",
        ),
        (Style::Invoke, "<parameter=>\nOslo\n</parameter></function>"),
        (
            Style::Invoke,
            "<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>",
        ),
        (
            Style::Pairs,
            "<arg_key>city<arg_value>Oslo</arg_value></tool_call>",
        ),
    ] {
        let (progress, ..) = both(text, style);
        assert_eq!(progress, None, "{text}");
    }
}

proptest! {
    #[test]
    fn the_careful_way_agrees(
        form in 0..4_usize,
        parts in prop::collection::vec(("[a-z_A-Z0-9]{1,8}", "([a-zST<>=/ 1\\n\\]|!\"{}é_]|<[A-Z]>){0,12}", 0..3_usize), 0..4),
        damage in prop::option::of(("[<>/\\n a]", any::<prop::sample::Index>())),
    ) {
        let mut text = String::from("\n");
        for (key, value, blanks) in parts {
            text.push_str(&match form {
                0 => format!("<parameter={key}>\n{value}\n</parameter>"),
                1 => format!("<parameter name=\"{key}\">\n{value}\n</parameter>"),
                2 => format!("<｜DSML｜parameter name=\"{key}\" string=\"false\">{value}</｜DSML｜parameter>"),
                _ => format!("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>"),
            });
            text.push_str(&"\n".repeat(blanks));
        }
        let (style, end) = match form {
            0 => (Style::Invoke, "</function>"),
            1 => (Style::Invoke, "</invoke>"),
            2 => (Style::Invoke, "</｜DSML｜invoke>"),
            _ => (Style::Pairs, "</tool_call>"),
        };
        text.push_str(end);
        if let Some((sign, at)) = damage {
            let mut at = at.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, &sign);
        }
        agree(&text, style);
    }
}
