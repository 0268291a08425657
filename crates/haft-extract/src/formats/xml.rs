//! Tags of parameters: a tag with the name of the tool around a tag for each parameter.
//!
//! * `<parameter name="a">`, `<parameter=a>`, `<param name="a">` and `<a>` are read in each of
//!   them.
//! * A value that the schema wants as an object or a list may be made of elements, as MiniMax M3
//!   writes it.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/xml.md`.

family! {
    /// <｜tool_calls_begin｜>
    /// <｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="search_files">
    /// <steptml:parameter name="pattern">*.rs</steptml:parameter>
    /// <steptml:parameter name="max_results">5</steptml:parameter>
    /// </steptml:invoke><｜tool_call_end｜>
    /// <｜tool_calls_end｜>
    "step3" Step3: Own["<steptml:invoke"];
    /// ]<]minimax[>[<tool_call>
    /// ]<]minimax[>[<invoke name="get_time">]<]minimax[>[<timezone>Asia/Tokyo]<]minimax[>[</timezone>]<]minimax[>[</invoke>
    /// ]<]minimax[>[</tool_call>
    "minimax_m3" MinimaxM3 NamesItsCalls: Own["]<]minimax[>["];
    /// <minimax:tool_call>
    /// <invoke name="get_weather">
    /// <parameter name="city">São Paulo</parameter>
    /// <parameter name="days">3</parameter>
    /// <parameter name="unit">celsius</parameter>
    /// </invoke>
    /// </minimax:tool_call>
    "minimax_m2" MinimaxM2 NamesItsCalls: Own["<minimax:tool_call>"];
    /// <seed:tool_call>
    /// <function=get_time>
    /// <parameter=timezone>
    /// Asia/Tokyo
    /// </parameter>
    /// </function>
    /// </seed:tool_call>
    "seed_oss" SeedOss NamesItsCalls: Own["<seed:tool_call>"];
    /// <dots_function_call>
    /// <invoke name="send_message">
    /// <parameter name="to">["Ann", "李雷"]</parameter>
    /// <parameter name="body">Running late 🚆, sorry!</parameter>
    /// <parameter name="priority">2</parameter>
    /// </invoke>
    /// </dots_function_call>
    "dots" Dots NamesItsCalls: Own["<dots_function_call>"];
    /// <function name="get_weather"><param name="city">São Paulo</param><param name="days">3</param><param name="unit">celsius</param></function>
    "minicpm5" Minicpm5: Own["<function name=", "<param name="];
    /// <function_calls>
    /// <invoke name="calculate">
    /// <parameter name="expression">(3 + 4) * 2</parameter>
    /// </invoke>
    /// </function_calls>
    "anthropic_xml" AnthropicXml: Shared["<function_calls>", "<invoke name="];

    Wrapper Dots WithoutBars: "dotsfunctioncall";
    Wrapper Minicpm5: "functions";
    Invoke AnthropicXml: "invoke";
    Wrapper MinimaxM2 WithoutBars: "minimaxtoolcall";
    Wrapper SeedOss WithoutBars: "seedtoolcall";
    Invoke Step3: "steptmlinvoke";
    Parameter: "param steptmlparameter";
}
