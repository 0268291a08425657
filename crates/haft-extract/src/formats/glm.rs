//! GLM and pairs of tags: a name, then keys and values in tags of their own.
//!
//! * Under load any of the four tags of a pair is lost; the name of the value's tag may lose a
//!   letter.
//! * Values are JSON, or text where the schema wants text.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/glm.md`.

family! {
    /// <ifm|tool_calls><ifm|tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</ifm|tool_call></ifm|tool_calls>
    "k2_horizon" K2Horizon JsonValues: Own["<ifm|tool_call"];
    /// <iquest_tool_call>set_light
    /// <arg_key>room</arg_key>
    /// <arg_value>kitchen</arg_value>
    /// <arg_key>level</arg_key>
    /// <arg_value>40</arg_value>
    /// <arg_key>on</arg_key>
    /// <arg_value>true</arg_value>
    /// </iquest_tool_call>
    "iquest_q1" IquestQ1 JsonValues: Own["<iquest_tool_call>"];
    /// <tool_calls>
    /// <tool_call>set_light<tool_sep>
    /// <arg_key>room</arg_key>
    /// <arg_value>kitchen</arg_value>
    /// <arg_key>level</arg_key>
    /// <arg_value>40</arg_value>
    /// <arg_key>on</arg_key>
    /// <arg_value>true</arg_value>
    /// </tool_call>
    /// </tool_calls>
    "hy_v3 hy_v4" HyV3 JsonValues: Shared["<arg_key>", "<tool_sep>"];
    /// <tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>
    "glm47 glm5 laguna poolside_v1" Glm47 JsonValues: Shared["</arg_key><arg_value>"];
    /// <tool_call>get_weather
    /// <arg_key>city</arg_key>
    /// <arg_value>Oslo</arg_value>
    /// </tool_call>
    "glm45 glm46 ling3 spark25" Glm45 JsonValues: Shared["<arg_key>"];

    Key: "argkey ifmargkey";
    Value: "argvalue ifmargvalue";
    Type: "argtype ifmargtype";
    Close: "endoftoolcall";
    Wrapper K2Horizon Always: "ifmtoolcall ifmtoolcalls";
    Thinking: "ifmthink ifmthinkfast ifmthinkfaster";
    Wrapper IquestQ1 WithoutBars: "iquesttoolcall";
}
