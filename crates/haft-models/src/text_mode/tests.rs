use haft_core::{InvalidToolCall, ToolCall, ToolMessage};
use haft_extract::{ExtractOptions, Format, extract};
use haft_testing::SpyTool;
use serde_json::json;

use super::*;

const STYLES: [(Style, &str); 5] = [
    (Style::Plain, "phi3:mini"),
    (Style::Tags, "qwen2.5:0.5b"),
    (Style::Llama, "llama3.2:1b"),
    (Style::Mistral, "mistral:7b"),
    (Style::Fence, "gemma3:4b"),
];

fn tool(name: &str, schema: Value) -> Arc<dyn Tool> {
    Arc::new(SpyTool::new(name, |_| Ok("ok".into())).with_schema(schema))
}

fn bound() -> BoundTools {
    let weather = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Name of\n the city"},
            "unit": {"enum": ["C", "F"]},
        },
        "required": ["city"],
    });
    let order = json!({
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
            "note": {"type": ["string", "null"]},
        },
        "required": ["items"],
        "$defs": {"item": {
            "type": "object",
            "properties": {"sku": {"type": "string"}, "count": {"type": "integer", "minimum": 1}},
            "required": ["sku"],
        }},
    });
    BoundTools::new(&[tool("get_weather", weather), tool("place_order", order)]).unwrap()
}

fn full(style: Style) -> Teaching {
    Teaching {
        style,
        detail: Detail::Full,
    }
}

fn choosing(tool_choice: ToolChoice) -> CallOptions {
    CallOptions {
        tool_choice,
        ..CallOptions::default()
    }
}

fn taught(style: Style, choice: ToolChoice) -> String {
    let written = written(
        &[Message::human("?")],
        &bound(),
        &choosing(choice),
        full(style),
    );
    match &written[0] {
        Message::System(system) => system.content.text(),
        other => panic!("{other:?}"),
    }
}

fn history() -> Vec<Message> {
    let calls = [
        ToolCall::new("get_weather", json!({"city": "Oslo"}), "get_weather_0"),
        ToolCall::new("get_weather", json!({"city": "Rome"}), "get_weather_1"),
    ];
    vec![
        Message::system("Be brief."),
        Message::human("A coat?"),
        AiMessage::new("Let me look.").with_tool_calls(calls).into(),
        ToolMessage::success("rain", "get_weather_0").into(),
        ToolMessage::error("boom", "get_weather_1").into(),
    ]
}

#[test]
fn s004_03_the_family_of_a_model_decides_how_calls_are_taught() {
    for (style, model) in STYLES {
        assert_eq!(Style::of(Format::Auto, model), style, "{model}");
        assert_eq!(Style::of(style.format(), "anything"), style);
        assert_eq!(
            Style::taught_in(&taught(style, ToolChoice::Auto)),
            Some(style)
        );
    }
    for (model, style) in [
        ("Hermes-3-Llama-3.1-8B", Style::Tags),
        ("dolphin-mistral", Style::Mistral),
        ("deepseek-r1:1.5b", Style::Plain),
        ("codellama:7b", Style::Plain),
        ("meta-llama/Llama-3.2-1B-Instruct", Style::Llama),
        ("functionary-small", Style::Plain),
    ] {
        assert_eq!(Style::of(Format::Auto, model), style, "{model}");
    }
    assert_eq!(Style::taught_in("Be brief."), None);
}

#[test]
fn s004_03_the_prompt_has_each_tool_in_one_line_and_an_example_of_the_first() {
    let prompt = taught(Style::Plain, ToolChoice::Auto);
    let lines: Vec<_> = prompt
        .lines()
        .filter(|line| line.starts_with("- "))
        .collect();
    assert_eq!(
        lines,
        [
            "- get_weather(city: string, unit?: \"C\" | \"F\") - A tool for tests; \
             city: Name of the city",
            "- place_order(items: {sku: string, count?: integer}[], note?: string | null) - \
             A tool for tests",
        ]
    );
    assert!(prompt.ends_with("get_weather(city=\"<city>\")"), "{prompt}");
    let prompt = taught(Style::Tags, ToolChoice::Auto);
    assert!(
        prompt.ends_with(
            "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"<city>\"}}\n\
             </tool_call>"
        ),
        "{prompt}"
    );
}

#[test]
fn s004_04_what_is_taught_is_what_is_read() {
    let tools = bound();
    let call = ToolCall::new(
        "place_order",
        json!({"items": [{"sku": "a, \"b\"", "count": 2}], "note": null}),
        "x",
    );
    for (style, _) in STYLES {
        let reply = AiMessage::new("One moment.").with_tool_calls([call.clone()]);
        let text = with_calls(&reply, style).content.text();
        let mut options = ExtractOptions::default();
        options.text_mode = true;
        let found = extract(&tools.set, options, &text);
        assert_eq!(found.calls.len(), 1, "{text}\n{found:?}");
        assert_eq!(found.calls[0].args, call.args, "{text}");
        assert_eq!(found.content.trim(), "One moment.", "{text}");
    }
}

#[test]
fn the_system_message_of_the_user_comes_first() {
    let written = written(
        &history(),
        &bound(),
        &CallOptions::default(),
        full(Style::Plain),
    );
    let text = written[0].content().text();
    assert!(
        text.starts_with("Be brief.\n\nYou can use tools."),
        "{text}"
    );
    assert_eq!(written.len(), 4);
}

#[test]
fn s004_03_calls_and_results_of_the_history_become_text() {
    let bound = bound();
    let expect = |style, call: &str, result: &str| {
        let written = written(&history(), &bound, &CallOptions::default(), full(style));
        let texts: Vec<_> = written
            .iter()
            .map(|message| message.content().text())
            .collect();
        assert_eq!(texts[2], format!("Let me look.\n{call}"), "{style:?}");
        assert_eq!(texts[3], result, "{style:?}");
        assert!(matches!(written[3], Message::Human(_)));
        let Message::Ai(reply) = &written[2] else {
            panic!("{written:?}")
        };
        assert!(!reply.has_calls());
    };
    expect(
        Style::Plain,
        "get_weather(city=\"Oslo\")\nget_weather(city=\"Rome\")",
        "Result of get_weather: rain\nResult of get_weather: Error: boom",
    );
    expect(
        Style::Tags,
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n\
         </tool_call>\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \
         \"Rome\"}}\n</tool_call>",
        "<tool_response>\nrain\n</tool_response>\n<tool_response>\nError: boom\n</tool_response>",
    );
    expect(
        Style::Llama,
        "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}; \
         {\"name\": \"get_weather\", \"parameters\": {\"city\": \"Rome\"}}",
        "Result of get_weather: rain\nResult of get_weather: Error: boom",
    );
    expect(
        Style::Mistral,
        "[TOOL_CALLS] [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}, \
         {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Rome\"}}]",
        "Result of get_weather: rain\nResult of get_weather: Error: boom",
    );
    expect(
        Style::Fence,
        "```tool_code\nget_weather(city=\"Oslo\")\nget_weather(city=\"Rome\")\n```",
        "```tool_output\nrain\n```\n```tool_output\nError: boom\n```",
    );
}

#[test]
fn a_longer_conversation_begins_like_the_shorter_one() {
    let (bound, options) = (bound(), CallOptions::default());
    let long = written(&history(), &bound, &options, full(Style::Tags));
    let short = written(&history()[..3], &bound, &options, full(Style::Tags));
    assert_eq!(long[..3], short[..]);
}

#[test]
fn a_broken_call_is_shown_as_it_was() {
    let mut reply = AiMessage::new("");
    reply.invalid_tool_calls = vec![InvalidToolCall {
        name: "get_weather".into(),
        args: "city=".into(),
        id: "a".into(),
        error: "no".into(),
    }];
    assert_eq!(
        with_calls(&reply, Style::Plain).content.text(),
        "get_weather(city=)"
    );
}

#[test]
fn s004_03_a_demand_is_said_and_none_teaches_nothing() {
    let required = taught(Style::Plain, ToolChoice::Required);
    assert!(
        required.contains("must call at least one tool"),
        "{required}"
    );
    let named = taught(Style::Plain, ToolChoice::Tool("place_order".into()));
    assert!(named.contains("must call this tool"), "{named}");
    assert!(!named.contains("get_weather"), "{named}");
    let messages = [Message::system("Be brief."), Message::human("?")];
    let none = written(
        &messages,
        &bound(),
        &choosing(ToolChoice::None),
        full(Style::Plain),
    );
    assert_eq!(none, messages);
}

#[test]
fn a_small_model_reads_one_sentence_of_each_tool() {
    let tool = SpyTool::new("get_weather", |_| Ok("ok".into()))
        .with_description("Weather in a city. Uses a public service, and caches its answers.")
        .with_schema(
            json!({"type": "object", "required": ["city"], "properties": {
                "city": {"type": "string", "description": "Name of the city. Not a country."},
                "unit": {"type": "string", "description": "Celsius by default"},
            }}),
        );
    let bound = BoundTools::new(&[Arc::new(tool) as Arc<dyn Tool>]).unwrap();
    let taught = |model: &str| {
        let teaching = Teaching::of(Format::Auto, model);
        let options = choosing(ToolChoice::Auto);
        written(&[Message::human("?")], &bound, &options, teaching)[0]
            .content()
            .text()
    };
    let small = taught("openai:SmolLM2-135M-Instruct");
    let line =
        "- get_weather(city: string, unit?: string) - Weather in a city; city: Name of the city\n";
    assert!(small.contains(line), "{small}");
    let large = taught("openai:SmolLM3");
    assert!(large.contains("caches its answers"), "{large}");
    assert!(large.contains("Celsius by default"), "{large}");
}
