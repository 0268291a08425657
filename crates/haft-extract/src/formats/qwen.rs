//! Hermes and Qwen: JSON or tags of parameters between `<tool_call>` and `</tool_call>`: the
//! commonest frame of all.
//!
//! * Small models write Python there (`{'name': ...}`), lose a closing brace or tag, close the
//!   object too early, or give the arguments as a text that holds JSON.
//! * `qwen3_coder` takes one line break off each end of a value, which may hold anything else, tags
//!   of calls among it; a closing tag ends it only where more of the template follows.
//! * A `<tool_call>` around any other body is read as that body: models mix them.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/qwen.md`.

family! {
    /// <longcat_tool_call>
    /// {"name": "set_light", "arguments": {"room": "kitchen", "level": 40, "on": true}}
    /// </longcat_tool_call>
    "longcat" Longcat: Own["<longcat_tool_call>"];
    /// <tool_call>
    /// <function=get_weather>
    /// <parameter=city>
    /// Oslo
    /// </parameter>
    /// </function>
    /// </tool_call>
    "qwen3_coder qwen3_xml nemotron3 mimo step3p5 step5 nanbeige" Qwen3Coder:
        Shared["<function=", "<parameter="];
    /// <tool_calls>
    /// {"name": "calculate", "arguments": {"expression": "(3 + 4) * 2"}}
    /// </tool_calls>
    "minimax_m1" MinimaxM1: Shared["<tool_calls>", "<beginning_of_sentence>"];
    /// <tool_calls>[{"name": "get_weather", "arguments": {"city": "São Paulo", "days": 3, "unit": "celsius"}}]</tool_calls>
    "apriel reka" Apriel: Shared["<tool_calls>", "[BEGIN FINAL RESPONSE]"];
    /// <tool_call>
    /// {"name": "get_time", "arguments": {"timezone": "Asia/Tokyo"}}
    /// </tool_call>
    "granite4" Granite4: Shared["<tool_call>", "<|start_of_role|>"];
    /// <tool_call>
    /// {"name": "set_light", "arguments": {"room": "kitchen", "level": 40, "on": true}}
    /// </tool_call>
    "hermes qwen qwen25 qwen3 qwen3_json trinity" Hermes: Common["<tool_call>"];
    /// <tool_call>
    /// {"name": "send_message", "arguments": {"to": ["Ann", "李雷"], "body": "Running late 🚆, sorry!", "priority": 2}}
    /// </tool_call>
    "ernie45" Ernie45;

    ThinkingEnd: "beginfinalresponse";
    Wrapper Hermes: "functioncallbegin tool toolrequest tools";
    Wrapper Hermes WithoutBars: "toolcall toolcalling tooluse";
    Close: "endtoolrequest functioncallend toolrequestend";
    Invoke Qwen3Coder: "function";
    Parameter: "parameter";
    Wrapper Longcat WithoutBars: "longcattoolcall";
    Key: "longcatargkey";
    Value: "longcatargvalue";
}
