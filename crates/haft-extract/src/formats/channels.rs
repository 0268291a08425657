//! Channels: a header says for whom a message is; a message to a tool is a call, one to the model
//! itself is thinking.
//!
//! * gpt-oss is read without its special tokens too: `analysisWe look.assistantcommentary
//!   to=functions.f json{...}`.
//! * A header that says nothing is dropped, however it is damaged.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/channels.md`.

family! {
    /// <|start|>assistant to=get_weather<|message|><atem:function_calls>
    /// <atem:invoke name="get_weather">
    /// <atem:parameter name="city">Oslo</atem:parameter>
    /// </atem:invoke>
    /// </atem:function_calls><|eom|>
    "muse_atem muse muse_glimmer muse_spark" MuseAtem InChannels JsonValues: Own["<atem:invoke"];
    /// <|message_model|>get_weather<|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Oslo"}}<|end_message|>
    "inkling" Inkling InChannels: Own["<|content_invoke_tool_"];
    ///  to=get_weather<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="city">
    /// Oslo
    /// </rfl:parameter><|end|>
    "beam" Beam InChannels: Own["<rfl:parameter"];
    /// <|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo"}<|call|>
    "harmony gpt_oss openai" Harmony InChannels: Own["<|channel|>", "<|message|>", "commentary"];

    Wrapper MuseAtem Always: "atemfunctioncalls";
    Invoke MuseAtem: "ateminvoke";
    Parameter: "atemparameter rflparameter";
    Channel Harmony: "call channel constrain end eom message return start";
    Channel Inkling: "
        contentinvoketooljson contentinvoketooltext contenttext contentthinking
        contenttoolerror endmessage messagemodel
    ";
}
