//! Kimi and PLaMo: a section of calls, each with a name, a token and JSON; in K3 tags that are made
//! of three tokens.
//!
//! * Kimi K2 writes a name with prefix and counter, `functions.f:0`. Where its conversation showed
//!   it other ids, it writes an id alone (`call_3`): such a call is invalid.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/kimi.md`.

family! {
    /// <|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
    "kimi_k3 xtml" KimiK3 InChannels: Own["<|open|>", "<|close|>", "<|sep|>"];
    /// <|tool_calls_section_begin|><|tool_call_begin|>functions.set_light:0<|tool_call_argument_begin|>{"room": "Küche", "level": 12.5, "on": false}<|tool_call_end|><|tool_calls_section_end|>
    "kimi_k2 kimi" KimiK2: Own["<|tool_call_argument_begin|>"];
    /// <|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_time<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"timezone": "Asia/Tokyo"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>
    "plamo3" Plamo3: Own["<|plamo:begin_tool_request"];

    Channel KimiK3: "close open sep";
    Wrapper Plamo3: "plamobegintoolrequestplamo plamobegintoolrequestsplamo";
    Close: "
        plamoendtoolargumentsplamo plamoendtoolrequestplamo plamoendtoolrequestsplamo
    ";
    Separator: "
        plamobegintoolargumentsplamo plamobegintoolnameplamo plamoconstrain plamoconstrainplamo
        plamoendtoolnameplamo plamomsg plamomsgplamo
    ";
    Thinking: "plamobeginthinkplamo";
    ThinkingEnd: "plamoendthinkplamo";
    Wrapper KimiK2: "toolcallsectionbegin toolcallssectionbegin";
    Close: "toolcallsectionend toolcallssectionend";
    Separator: "toolcallargumentbegin toolcallargumentsbegin";
}
