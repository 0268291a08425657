//! Arguments in every notation, each in a frame that some family of models writes around it.

use fastrand::Rng;

/// Arguments of `get_weather`, `set_light`, `create_event` and `run_query`, more or less.
const ARGUMENTS: &[&str] = &[
    r#"{"city": "Oslo", "days": 3, "unit": "celsius"}"#,
    r"{'city': 'Oslo', 'days': None, 'on': True}",
    r#"{city: "Oslo", days: 3,}"#,
    r#"city="Oslo", days=3"#,
    r"city='Oslo', unit='celsius'",
    r#""Oslo", 3, "celsius""#,
    "Oslo",
    "city: Oslo\ndays: 3",
    r#"{"city": "San "Fran" cisco", "days": "3"}"#,
    "{\"city\": \"two\nlines\", \"days\": 1e3}",
    r#"{"sql": "SELECT \"a\" FROM b WHERE c = '{d}'", "parameters": {"a": [1, {"b": null}]}}"#,
    r#"{"title": "Review", "attendees": ["Ann", "Bo"], "location": {"street": "Main 1", "city": "Oslo"}, "notify": true}"#,
    r#"title="Review", attendees=["Ann", "Bo"], location={"street": "Main 1"}, notify=True"#,
    r"title='It\'s', attendees=('Ann', 'Bo'), location=dict(city='Oslo')",
    r#"{"n": 123456789012345678901234567890, "level": 1,000, "x": 0x1F, "y": -.5}"#,
    r#"{“city”: “Oslo”, ‘days’: 2}"#,
    "{\"city\": \"Oslo\" /* here */, // there\n \"days\": 3 # now\n}",
    r#"{"arguments": {"city": "Oslo"}}"#,
    r#""{\"city\": \"Oslo\", \"days\": 3}""#,
    r#"{"city": "Os\u006co \ud83d\ude80", "path": "C:\new\table"}"#,
    r#"{"path": "a.py", "content": "def f(x):\n    return {\"a\": [x, 'b']}\n"}"#,
    r#"{"path": "a.py", "content": """def f():
    return "x"
"""}"#,
    r"city:<escape>Oslo<escape>,days:3",
    "<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>",
    r#"<parameter name="city">Oslo</parameter><parameter name="days" string="false">3</parameter>"#,
    "<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>",
    "<city>Oslo</city>\n<days>3</days>",
    "",
];

/// What stands before and after; `@` is the name of the tool.
const FRAMES: &[(&str, &str)] = &[
    (
        "<tool_call>\n{\"name\": \"@\", \"arguments\": ",
        "}\n</tool_call>",
    ),
    ("{\"name\": \"@\", \"parameters\": ", "}"),
    ("```json\n{\"tool\": \"@\", \"args\": ", "}\n```"),
    ("[TOOL_CALLS]@[ARGS]", "</s>"),
    ("[TOOL_CALLS][{\"name\": \"@\", \"arguments\": ", "}]"),
    ("@(", ")"),
    ("[@(", "), noop()]"),
    ("```python\nprint(@(", "))\n```"),
    ("<|python_tag|>@.call(", ")<|eom_id|>"),
    ("<function=@>", "</function>"),
    ("<tool_call>\n<function=@>\n", "\n</function>\n</tool_call>"),
    (
        "<function_calls>\n<invoke name=\"@\">\n",
        "\n</invoke>\n</function_calls>",
    ),
    ("<tool_call>@\n", "\n</tool_call>"),
    ("<@>", "</@>"),
    (
        "Thought: now.\nAction: @\nAction Input: ",
        "\nObservation: ",
    ),
    (
        "<|channel|>commentary to=functions.@ <|constrain|>json<|message|>",
        "<|call|>",
    ),
    (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.@:0<|tool_call_argument_begin|>",
        "<|tool_call_end|><|tool_calls_section_end|>",
    ),
    (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>@\n```json\n",
        "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    ("<start_function_call>call:@{", "}<end_function_call>"),
    ("<|tool_call_start|>[@(", ")]<|tool_call_end|>"),
    (
        "<think>I call it.</think>\n<tool_call>{\"name\": \"@\", \"arguments\": ",
        "}</tool_call>",
    ),
    ("functools[{\"name\": \"@\", \"arguments\": ", "}]"),
    ("- `@(", ")`"),
];

const NAMES: &[&str] = &[
    "get_weather",
    "set_light",
    "create_event",
    "run_query",
    "big_number",
    "write_file",
    "getWeather",
];

/// What stands before the arguments, the arguments, and what stands after them.
pub fn random(random: &mut Rng) -> (String, String, String) {
    let (before, after) = FRAMES[random.usize(..FRAMES.len())];
    let name = NAMES[random.usize(..NAMES.len())];
    let arguments = ARGUMENTS[random.usize(..ARGUMENTS.len())];
    let named = |text: &str| text.replace('@', name);
    (named(before), arguments.to_owned(), named(after))
}
