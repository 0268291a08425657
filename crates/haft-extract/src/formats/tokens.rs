//! Special tokens around JSON: a token or a tag, then a list of objects or one object.
//!
//! * A list counts without its closing token, and an object without its list.
//! * Cohere's `directly_answer` is no call.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/tokens.md`.

family! {
    /// <|tools_prefix|>[{"search_files": {"pattern": "*.rs", "max_results": 5}}]<|tools_suffix|>
    "apertus" Apertus: Own["<|tools_prefix|>"];
    /// <|action_start|><|plugin|>
    /// {"name": "set_light", "parameters": {"room": "kitchen", "level": 40, "on": true}}<|action_end|>
    "internlm internlm2 internlm3 intern_s1" Internlm: Own["<|action_start|>"];
    /// <|START_ACTION|>[
    ///     {"tool_call_id": "0", "tool_name": "get_time", "parameters": {"timezone": "Asia/Tokyo"}}
    /// ]<|END_ACTION|>
    "cohere command_r7b cohere_command3 cohere_command4" Cohere: Own["<|START_ACTION|>"];
    /// Action: ```json
    /// [
    ///     {"tool_name": "send_message", "parameters": {"to": ["Ann", "李雷"], "body": "Running late 🚆, sorry!", "priority": 2}}
    /// ]
    /// ```
    "cohere_r command_r" CohereR: Own["Action:", "```json", "\"tool_name\""];
    /// functools[{"name": "search_files", "arguments": {"pattern": "*.rs", "max_results": 5}}]
    "phi4mini functools" Phi4mini: Own["<|/tool_call|>"], Own["functools["];
    /// <tool_call>[{"name": "set_light", "arguments": {"room": "Küche", "level": 12.5, "on": false}}]
    "granite" Granite: Own["<|tool_call|>"];
    /// <|tool_calls|>[{'name': 'calculate', 'arguments': {'expression': '(3 + 4) * 2'}}]
    "sarashina" Sarashina: Own["<|tool_calls|>"];
    /// <tool_calls>[
    ///   {"name": "send_message", "arguments": {"to": ["Ann", "李雷"], "body": "Running late 🚆, sorry!", "priority": 2}}
    /// ]</tool_calls>
    "jamba" Jamba: Shared["<tool_calls>", "<|bom|>"];
    /// <tool_calls>[{"name": "get_time", "arguments": {"timezone": "Asia/Tokyo"}}]</tool_calls>
    "hunyuan_a13b" HunyuanA13b: Shared["<tool_calls>"];
    /// <function_call> {"name": "get_weather", "arguments": {"city": "Oslo"}}
    "granite_20b_fc" Granite20bFc: Common["<function_call>"];
    /// <|tool_call|>[{"name": "send_message", "arguments": {"to": ["Ann", "李雷"], "body": "Running late 🚆, sorry!", "priority": 2}}]<|/tool_call|>
    "phi4" Phi4;

    Wrapper Internlm: "actionstart interpreter plugin";
    Wrapper Cohere: "startaction";
    Wrapper Granite20bFc: "functioncall";
    Wrapper Apertus: "toolsprefix";
    Close: "actionend endaction toolssuffix";
    Thinking: "startthinking innerprefix";
    ThinkingEnd: "endthinking innersuffix";
    Wrapper HunyuanA13b WithoutBars: "toolcalls";
}
