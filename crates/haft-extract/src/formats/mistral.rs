//! Mistral: `[TOOL_CALLS]` before a list of objects, or before each name and its object.
//!
//! * Servers that drop special tokens leave a name and an object glued together; that is read where
//!   the line begins with it.
//! * The list may lack its last bracket.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/mistral.md`.

family! {
    /// [TOOL_CALLS]search_files{"pattern": "*.rs", "max_results": 5}
    "mistral_args ministral devstral" MistralArgs: Own["[TOOL_CALLS]", "[ARGS]"];
    /// [TOOL_CALLS] [{"name": "set_light", "arguments": {"room": "kitchen", "level": 40, "on": true}, "id": "9mKbTqW0x"}]
    "mistral" Mistral: Own["[TOOL_CALLS]"];
    /// <TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</TOOLCALL>
    "nemotron_v2 nemotron_deci" NemotronV2: Own["<TOOLCALL>"];

    Separator: "args callid";
}
