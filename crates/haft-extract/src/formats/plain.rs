//! Without markers: calls that nothing announces but their own form.
//!
//! * They count where the line or the fence holds nothing but calls of bound tools, and where the
//!   text around them makes the call instead of mentioning it.
//! * `plain_call` is what haft teaches models that have no format of their own.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/plain.md`.

family! {
    /// Action: get_weather
    /// Action Input: {"city": "Oslo"}
    "react" React: Common["Action Input:", "Observation:"];
    /// {"name": "get_weather", "arguments": {"city": "Oslo"}}
    "bare_json json" BareJson;
    /// ```json
    /// {"name": "get_weather", "arguments": {"city": "Oslo"}}
    /// ```
    "json_fence" JsonFence;
    /// get_weather(city="Oslo")
    "plain_call" PlainCall;
}
