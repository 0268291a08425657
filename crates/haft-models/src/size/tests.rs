use super::*;

#[test]
fn sizes_are_read_from_names() {
    let sizes = [
        ("ollama:smollm2:135m", Some(0.135)),
        ("openai:SmolLM2-135M-Instruct.Q4_1.gguf", Some(0.135)),
        ("ollama:qwen3:0.6b", Some(0.6)),
        (
            "openai:Qwen2.5-0.5B-Instruct@http://localhost:8080/v1",
            Some(0.5),
        ),
        ("ollama:llama3.2", None),
        ("anthropic:claude-haiku-4-5", None),
        ("openai:gpt-oss-120b", Some(120.0)),
        ("anthropic:claude-sonnet-4-5[1m]", None),
    ];
    for (name, size) in sizes {
        assert_eq!(named_billions(name), size, "{name}");
    }
}
