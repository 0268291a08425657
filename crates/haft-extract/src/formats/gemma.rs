//! Gemma: a language of its own with tokens for quotes, and Python in a fence.
//!
//! * Names have no quotes, texts stand between `<|"|>` or `<escape>`; the first or the last of the
//!   two may be lost.
//! * In `tool_code` results are assigned and printed: `x = f(a=1)` and `print(f(a=1))` are calls.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/gemma.md`.

family! {
    /// <start_function_call>call:get_time{timezone:<escape>Asia/Tokyo<escape>}<end_function_call>
    "functiongemma" Functiongemma: Own["<start_function_call>"];
    /// <|tool_call>call:set_light{room:<|"|>kitchen<|"|>,level:40,on:true}<tool_call|>
    "gemma4" Gemma4 InChannels: Own["<|tool_call>"];
    /// ```tool_code
    /// get_weather(city="Oslo")
    /// ```
    "gemma_tool_code tool_code" GemmaToolCode: Common["```tool_code"];
    /// ```tool_code
    /// set_light(room="Küche", level=12.5, on=False)
    /// ```
    "gemma3" Gemma3;

    Wrapper Functiongemma: "startfunctioncall";
    Close: "endfunctioncall";
    Quote: "escape quote";
    Wrapper GemmaToolCode: "toolcode";
}
