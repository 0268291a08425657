//! Replies that are made to be slow to read: one piece over and over, or a marker that nothing
//! ends. Shared by `tests/it/hostile.rs`, which reads each of them to its end, and
//! `examples/scaling.rs`, which shows that the time grows no faster than the reply.

/// Words with everything in them that may begin or end something.
pub const WORDS: &str = "It's a \"word\", (so) {to: [speak]} <b>and</b> `code`; f(x) = 1\nMore. ";

/// A reply of any length.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// What comes first.
    pub head: &'static str,
    /// What is repeated; each `%` is the number of the repetition.
    pub unit: &'static str,
    /// What comes last.
    pub tail: &'static str,
}

impl Pattern {
    const fn new(head: &'static str, unit: &'static str, tail: &'static str) -> Self {
        Self { head, unit, tail }
    }

    /// The reply with the given number of repetitions.
    pub fn repeated(&self, count: usize) -> String {
        let mut reply = self.head.to_owned();
        if self.unit.contains('%') {
            for number in 0..count {
                reply.push_str(&self.unit.replace('%', &number.to_string()));
            }
        } else {
            reply.push_str(&self.unit.repeat(count));
        }
        reply.push_str(self.tail);
        reply
    }

    /// The reply with about `bytes` bytes.
    pub fn sized(&self, bytes: usize) -> String {
        self.repeated(bytes / self.unit.len())
    }

    /// What it is called in a table.
    pub fn name(&self) -> String {
        let unit = if self.unit == WORDS {
            "WORDS"
        } else {
            self.unit
        };
        format!("{:?}", format!("{}({unit})*{}", self.head, self.tail))
    }
}

/// One piece over and over.
const REPEATED: &[&str] = &[
    "a <think>",
    "a <think>b</think>",
    "\n<use_mcp_tool>",
    "\n<use_mcp_tool></use_mcp_tool>",
    "assistant",
    "assistantfinal",
    "analysis",
    "<|call|>assistant",
    "<|open|>call",
    ". [",
    ". [get_weather(city=",
    ". [get_weather(city='a')]",
    "{",
    "[",
    "(",
    "\"",
    "'",
    "`",
    "<",
    ">",
    "|",
    "\\",
    "\n",
    " ",
    ":",
    ",",
    "-",
    "é",
    "]",
    "}",
    "{\"",
    "{\"a\":",
    "{\"a\":1,",
    "[{",
    "{\n",
    "{ ",
    "\n{",
    "\n[",
    "[\n",
    "```\n",
    "```json\n",
    "``` ",
    "~~~\n",
    "\\\"",
    "\"\"",
    "\"\"\"",
    "''",
    "{'",
    "{}",
    "[]",
    "()",
    "\n\n",
    "\r\n",
    "/*",
    "//\n",
    "#",
    "<tool_call>",
    "<tool_call>\n",
    "<tool_call>{",
    "<tool_call>{\"name\":",
    "</tool_call>",
    "<think>",
    "</think>",
    "<think>\n",
    "<think></think>",
    "<tool_call></tool_call>",
    "<think><tool_call>",
    "f(",
    "get_weather(",
    "get_weather (",
    "get_weather(city=",
    "get_weather(city=\"",
    "\nget_weather(",
    "[get_weather(",
    "get_weather",
    "get_weather ",
    "get_weather\n",
    "get_weather{",
    "get_weather: ",
    "functions.",
    "functions.get_weather:%",
    "\n- ",
    "\n1. ",
    "\n> ",
    "\n* `",
    "Action:\n",
    "Action: ",
    "Action: get_weather\n",
    "Action: get_weather\nAction Input: {",
    "Action Input: ",
    "\nThought: ",
    "<|channel|>",
    "<|channel|>analysis<|message|>",
    "<|start|>assistant<|channel|>",
    "<|channel|>commentary to=functions.get_weather<|message|>",
    "<|message|>",
    "<|call|>",
    "<|end|>",
    "]<]minimax[>[",
    "]<]",
    "[TOOL_CALLS]",
    "[TOOL_CALLS]get_weather[ARGS]{",
    "[TOOL_CALLS][{",
    "[ARGS]",
    "[THINK]",
    "[/THINK]",
    "<function=get_weather>",
    "<function=",
    "<parameter=city>",
    "<parameter=",
    "</parameter>",
    "<invoke name=\"get_weather\">",
    "<invoke name=\"",
    "<parameter name=\"city\">",
    "<arg_key>",
    "<arg_value>",
    "<arg_key>city</arg_key>",
    "<arg_key>city</arg_key><arg_value>",
    "<get_weather>",
    "<city>",
    "<|tool_call_begin|>",
    "<|tool_calls_section_begin|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁sep｜>",
    "<|python_tag|>",
    "<start_function_call>call:get_weather{",
    "<escape>",
    "<|im_start|>",
    "<s>",
    "</s>",
    "<|",
    "</",
    "<a",
    "<a ",
    "<!--",
    "&lt;",
    "print(",
    "print(get_weather(",
    "tool_code\n",
    "functools[",
    "<tool_call>get_weather\n",
    "{\"name\": \"get_weather\", ",
    "{\"name\": \"get_weather\", \"arguments\": {",
    "{\"name\": ",
    "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"%\"}}\n",
    "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"%\"}}</tool_call>\n",
    "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>\n",
    "<tool_call>{\"name\": \"get_wether\", \"arguments\": {\"city\": \"%\"}}</tool_call>\n",
    "<tool_call><function=get_weather><parameter=city>%</parameter></function></tool_call>\n",
    "get_weather(city=\"%\")\n",
    "get_weather(%)\n",
    "get_weather(city=\"%\"), ",
    "get_weather(%); ",
];

/// What nothing ends.
const HEADS: &[&str] = &[
    "get_weather(city=\"Oslo\")",
    "get_weather(city=\"Oslo\") # ",
    "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}",
    "```json\n{\"a\": 1}\n```",
    "```get_weather",
    "Action: get_weather\n```",
    "Action: get_weather\nObservation:",
    "Action: get_weather\nAction Input: Oslo\n",
    "{",
    "[",
    "[{",
    "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"",
    "{\"name\": \"get_weather\", \"arguments\": \"",
    "[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"",
    "{\"name\": \"get_weather\", ",
    "{'name': '",
    "{\"",
    "<tool_call>",
    "<tool_call>{",
    "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"",
    "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": ",
    "<tool_call>\n<function=get_weather>\n<parameter=city>\n",
    "<tool_call><function=get_weather>",
    "<function=get_weather>{\"city\": \"",
    "<function=get_weather>{",
    "<tool_call>get_weather\n",
    "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>",
    "<tool_call>get_weather\n<arg_key>",
    "<invoke name=\"get_weather\">",
    "<invoke name=\"get_weather\">\n<parameter name=\"city\">",
    "<get_weather>",
    "<get_weather>\n<city>",
    "<function_calls>",
    "[TOOL_CALLS]",
    "[TOOL_CALLS][",
    "[TOOL_CALLS]get_weather[ARGS]{\"city\": \"",
    "[TOOL_CALLS]get_weather{",
    "get_weather(",
    "get_weather(city=",
    "get_weather(city=\"",
    "get_weather(city='''",
    "[get_weather(city=\"",
    "[get_weather(",
    "`get_weather(",
    "print(get_weather(",
    "<think>",
    "<think>\n```json\n",
    "<think>get_weather(",
    "<think><tool_call>{",
    "```",
    "```json\n",
    "```json\n{",
    "```tool_code\nget_weather(",
    "```\nget_weather(\"",
    "Action: ",
    "Action: get_weather\nAction Input: ",
    "Action: get_weather\nAction Input: {\"city\": \"",
    "Action:\n```json\n[",
    "<|channel|>",
    "<|channel|>analysis<|message|>",
    "<|channel|>commentary to=functions.get_weather<|message|>",
    "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\": \"",
    "<|channel|>final<|message|>",
    "<|start|>assistant",
    "<|python_tag|>",
    "<|python_tag|>get_weather(city=\"",
    "<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\": \"",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{",
    "]<]minimax[>[<tool_call>]<]minimax[>[<invoke name=\"get_weather\">]<]minimax[>[<city>",
    "]<]minimax[>[",
    "<start_function_call>call:get_weather{city:<escape>",
    "<|tool_call>call:get_weather{city:<|\"|>",
    "functools[{",
    "<|START_ACTION|>[{",
    "<tool_calls>[",
    "<|tool_call_start|>[get_weather(city=\"",
    "<|",
    "<tool_",
    "<function=",
    "<parameter=",
    "<invoke name=\"",
    "[",
    "- get_weather(city=\"",
    "/* ",
    "{ // ",
    "{\"a\": /* ",
    "{# ",
];

/// What stands at the place of the endless value.
const FILLINGS: &[&str] = &[
    WORDS,
    "\"",
    "\\",
    "<",
    "{",
    "\n",
    " ",
    "`",
    ", ",
    "\n``` ``` ",
    "</",
    "\"a\": 1, ",
];

/// What goes on without an end where little is expected.
const GOING_ON: &[(&str, &str)] = &[
    ("print(", "("),
    ("print(", " "),
    ("```tool_code\nreturn ", " "),
    ("<tool_call>```", "a"),
    ("<tool_call>get_weather\n```", "a"),
    ("<tool_call>get_weather\n", "<|tool_call_argument_begin|>"),
    ("<tool_call>{\"name\": \"get_weather\"}\"", " "),
    ("get_weather(1", ")"),
    ("Action: ", "*"),
    ("Action: ", "`\""),
    ("Action: get_weather ", "( "),
    ("```json\nget_weather", " "),
    ("```json\n", "a"),
    ("```", "a"),
    (">>>", "a"),
    ("<tool_call>", ","),
    ("<tool_call>{\"name\": \"get_weather\"}", ","),
    ("[", "("),
    ("`", " "),
];

/// Every pattern.
pub fn patterns() -> Vec<Pattern> {
    let repeated = REPEATED.iter().map(|unit| Pattern::new("", unit, ""));
    let endless = HEADS.iter().flat_map(|head| {
        let fill = |filling: &&'static str| Pattern::new(head, filling, "");
        FILLINGS.iter().map(fill)
    });
    let ended = [
        ("{", "}"),
        ("[", "]"),
        ("(", ")"),
        ("<think>", "</think>"),
        ("{\"a\":", "}"),
    ];
    let ended = ended.iter().flat_map(|(head, tail)| {
        let fill = |filling: &&'static str| Pattern::new(head, filling, tail);
        FILLINGS.iter().map(fill)
    });
    let going_on = GOING_ON.iter();
    let going_on = going_on.map(|(head, unit)| Pattern::new(head, unit, ""));
    repeated
        .chain(endless)
        .chain(ended)
        .chain(going_on)
        .collect()
}
