//! Llama and Functionary: a bare object, a list of calls in Python, or a name before an object.
//!
//! * Nothing marks the end of a bare object: it counts where its line holds nothing but calls of
//!   bound tools.
//! * Llama 3 puts `<|python_tag|>` before calls at times, and `; ` between two objects.
//! * In Python's notation literals may be those of JSON (`true`, `null`), and strings lose their
//!   closing quote.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/llama.md`.

family! {
    /// <|tool_call_start|>[calculate(expression='(3 + 4) * 2')]<|tool_call_end|>
    "lfm2" Lfm2: Own["<|tool_call_start|>"], Own["<|tool_list_start|>"];
    /// [get_weather(city="Oslo")]
    "pythonic llama4_pythonic llama3_pythonic" Pythonic: Own["<|python_start|>"];
    /// <function_calls>set_light(room="kitchen", level=40, on=true)</function_calls>
    "olmo3" Olmo3: Shared["<function_calls>"];
    /// <function=get_weather>{"city": "Oslo"}</function>
    "functionary_v31" FunctionaryV31: Common["<|start_header_id|>", "<function="];
    /// >>>set_light
    /// {"room": "kitchen", "level": 40, "on": true}
    "functionary_v32" FunctionaryV32: Common["<|start_header_id|>", ">>>"];
    /// {"name": "get_weather", "parameters": {"city": "São Paulo", "days": 3, "unit": "celsius"}}
    "llama3_json llama3 llama4_json" Llama3Json:
        Common["<|python_tag|>"],
        Common["<|start_header_id|>", ": function name,"],
        Common["<|header_start|>", ": function name,"];
    ///  functools[{"name": "get_time", "arguments": {"timezone": "Asia/Tokyo"}}]
    "firefunction" Firefunction;
    /// [{"name": "calculate", "arguments": {"expression": "(3 + 4) * 2"}}]
    "xlam" Xlam;

    Channel FunctionaryV32: "content from recipient";
    Wrapper Olmo3 WithoutBars: "functioncalls";
    Wrapper Pythonic: "pythonstart";
    Wrapper Llama3Json: "pythontag";
    Wrapper Lfm2: "toolcallstart";
    Close: "pythonend toolcallend";
}
