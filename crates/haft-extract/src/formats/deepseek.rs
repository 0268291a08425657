//! DeepSeek and GigaChat: full-width tokens around names and JSON in V3, a markup language of tags
//! (DSML) from V3.2 on.
//!
//! * The bars of the tokens come in any width, and `▁` as a blank or not at all.
//! * DSML says with `string="true"` which values are text; the others are JSON.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/deepseek.md`.

family! {
    /// <｜DSML｜ calls>
    /// <｜DSML｜ invoke name="calculate">
    /// <｜DSML｜ parameter name="expression" string="true">(3 + 4) * 2</｜DSML｜ parameter>
    /// </｜DSML｜ invoke>
    /// </｜DSML｜ calls>
    "deepseek_v41" DeepseekV41: Own["｜DSML｜ "];
    /// <｜DSML｜function_calls>
    /// <｜DSML｜invoke name="calculate">
    /// <｜DSML｜parameter name="expression" string="true">(3 + 4) * 2</｜DSML｜parameter>
    /// </｜DSML｜invoke>
    /// </｜DSML｜function_calls>
    "deepseek_v32" DeepseekV32: Own["DSML", "function_calls"];
    /// <｜DSML｜tool_calls>
    /// <｜DSML｜invoke name="calculate">
    /// <｜DSML｜parameter name="expression" string="true">(3 + 4) * 2</｜DSML｜parameter>
    /// </｜DSML｜invoke>
    /// </｜DSML｜tool_calls>
    "deepseek_v4" DeepseekV4 NamesItsCalls: Own["DSML", "tool_calls"];
    /// <｜GCML｜tool_calls>
    /// <｜GCML｜invoke name="calculate">
    /// <｜GCML｜parameter name="expression" string="true">(3 + 4) * 2</｜GCML｜parameter>
    /// </｜GCML｜invoke>
    /// </｜GCML｜tool_calls>
    "gigachat35" Gigachat35: Own["GCML"];
    /// <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time
    /// ```json
    /// {"timezone": "Asia/Tokyo"}
    /// ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
    "deepseek_v3 deepseek_r1 cogito" DeepseekV3: Own["<｜tool▁sep｜>", "```json"];
    /// <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "São Paulo", "days": 3, "unit": "celsius"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
    "deepseek_v31" DeepseekV31: Own["<｜tool▁sep｜>"];
    /// <|function_call|>{"name": "search_files", "arguments": {"pattern": "*.rs", "max_results": 5}}
    "gigachat3" Gigachat3: Own["<|function_call|>"], Own["function call<|role_sep|>"];

    Wrapper DeepseekV32 Always: "
        dsmlcalls dsmlfunctioncall dsmlfunctioncalls dsmltoolcall dsmltoolcalls dsmltools
        dsmltooluse
    ";
    Invoke DeepseekV32: "dsmlinvoke dsmltool";
    Wrapper Gigachat35 Always: "gcmlcalls gcmlfunctioncalls gcmltoolcalls";
    Invoke Gigachat35: "gcmlinvoke";
    Parameter: "dsmlparameter gcmlparameter";
    Wrapper DeepseekV3: "toolcallbegin toolcallsbegin";
    Close: "toolcallsend";
    Separator: "rolesep toolsep";
}
