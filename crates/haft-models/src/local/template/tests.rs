//! Conversations in chat templates. The templates are written for the tests, with the constructs
//! that those of models use.

use super::*;

/// A template with tools and calls as many have them: Python's methods, JSON, macros, loops that
/// skip, and tags that mark replies for training.
const WITH_TOOLS: &str = r#"
{%- macro tool_line(tool) %}- {{ tool.function.name }}: {{ tool.function.parameters | tojson }}{% endmacro %}
{%- if messages[0].role == 'system' %}
    {%- set system = messages[0]['content'].strip() %}
    {%- set messages = messages[1:] %}
{%- endif %}
{{- bos_token }}
{%- if system is defined %}{{ 'SYSTEM ' ~ system ~ '\n' }}{% endif %}
{%- if tools is not none and tools %}
{{- 'TOOLS\n' }}
{%- for tool in tools %}
{{- tool_line(tool) + '\n' }}
{%- endfor %}
{%- endif %}
{%- for message in messages %}
    {%- if message.role == 'skipped' %}{% continue %}{% endif %}
    {%- if message.role.startswith('assist') %}
{% generation %}
{{- 'AI ' + message.content }}
        {%- for call in message.get('tool_calls', []) %}
{{- '<call>' + call.function.name + call.function.arguments | tojson + '</call>' }}
        {%- endfor %}
{{- eos_token -}}
{% endgeneration %}
    {%- elif message['role'] == 'tool' %}
{{- 'RESULT ' + message.name + '=' + message.content + '\n' }}
    {%- elif message.role == 'user' %}
{{- 'USER ' + message.content.split('</b>')[-1].lstrip() + '\n' }}
    {%- else %}
        {{- raise_exception('unknown role ' + message.role) }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ 'AI ' }}{% if enable_thinking is defined and enable_thinking is false %}{{ '<think></think>' }}{% endif %}{% endif %}
"#;

fn template(source: Option<&str>) -> ChatTemplate {
    let head = Head {
        template: source.map(str::to_owned),
        bos: Some("<s>".to_owned()),
        eos: Some("</s>".to_owned()),
        ..Head::default()
    };
    ChatTemplate::new("local:test", &head)
}

fn rendered(template: &ChatTemplate, messages: &[Value]) -> String {
    let prompt = Prompt {
        messages: messages.to_vec(),
        ..Prompt::default()
    };
    template.render(prompt).unwrap()
}

#[test]
fn a_template_with_tools_writes_tools_calls_and_results() {
    let template = template(Some(WITH_TOOLS));
    assert!(template.has_tools);
    let call = json!({"type": "function", "id": "1", "function": {
        "name": "get_weather", "arguments": {"city": "<Köln> & 'Bonn'", "days": 3, "wind": 1.5}}});
    let messages = vec![
        spoken("system", " Be brief. "),
        spoken("user", "Rain?"),
        json!({"role": "assistant", "content": "", "tool_calls": [call]}),
        json!({"role": "tool", "name": "get_weather", "content": "wet"}),
    ];
    let tools = json!([{"type": "function", "function": {
        "name": "get_weather", "description": "", "parameters": {"type": "object"}}}]);
    let text = template.render(Prompt {
        messages,
        tools: Some(tools),
        thinking: Some(false),
        variables: None,
    });
    assert_eq!(
        text.unwrap(),
        "<s>SYSTEM Be brief.\nTOOLS\n- get_weather: {\"type\": \"object\"}\nUSER Rain?\n\
         AI <call>get_weather{\"city\": \"<Köln> & 'Bonn'\", \"days\": 3, \"wind\": 1.5}</call>\
         </s>RESULT get_weather=wet\nAI <think></think>"
    );
}

#[test]
fn a_template_without_tools_is_recognized() {
    let plain = "{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}";
    let plain = template(Some(plain));
    assert!(!plain.has_tools);
    assert_eq!(rendered(&plain, &[spoken("user", "Hi")]), "[user] Hi\n");
}

#[test]
fn a_file_without_a_usable_template_gets_chat_ml() {
    let expected = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n";
    for source in [None, Some("{% if %}"), Some("{% unknown_tag %}")] {
        let template = template(source);
        assert_eq!(rendered(&template, &[spoken("user", "Hi")]), expected);
    }
}

#[test]
fn a_system_message_goes_into_the_first_question_where_templates_have_none() {
    let strict = "{% for m in messages %}{% if m.role == 'system' %}\
        {{ raise_exception('no system') }}{% endif %}{{ m.role }}: {{ m.content }}|{% endfor %}";
    for source in [
        strict,
        "{% for m in messages %}{% if m.role != 'system' %}{{ m.role }}: {{ m.content }}|{% endif %}{% endfor %}",
    ] {
        let template = template(Some(source));
        let messages = [spoken("system", "Be brief."), spoken("user", "Hi")];
        assert_eq!(rendered(&template, &messages), "user: Be brief.\n\nHi|");
    }
}

#[test]
fn a_refusal_of_the_template_is_an_error() {
    let template = template(Some(WITH_TOOLS));
    let prompt = Prompt {
        messages: vec![spoken("robot", "Hi")],
        ..Prompt::default()
    };
    let error = template.render(prompt).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Unsupported);
    assert!(error.detail().contains("unknown role robot"), "{error:?}");
}

#[test]
fn a_template_that_never_ends_is_stopped() {
    let endless =
        "{% for a in range(9999) %}{% for b in range(9999) %}{{ a * b }}{% endfor %}{% endfor %}";
    let template = template(Some(endless));
    let prompt = Prompt {
        messages: vec![spoken("user", "Hi")],
        ..Prompt::default()
    };
    assert!(template.render(prompt).is_err());
}

#[test]
fn json_is_written_as_python_writes_it() {
    let source = "{{ messages[0] | tojson(indent=2, ensure_ascii=false) }}{{ strftime_now('%Y') }}";
    let template = template(Some(source));
    let text = rendered(&template, &[json!({"role": "user", "content": "ä"})]);
    let (object, year) = text.split_at(text.len() - 4);
    assert_eq!(object, "{\n  \"role\": \"user\",\n  \"content\": \"ä\"\n}");
    assert!(year.parse::<u16>().unwrap() > 2024, "{year}");
}

#[test]
fn callers_may_set_variables() {
    let template = template(Some("{{ mood }}{{ messages[0].content }}"));
    let Value::Object(variables) = json!({"mood": "happy ", "messages": "not these"}) else {
        panic!("an object");
    };
    let prompt = Prompt {
        messages: vec![spoken("user", "Hi")],
        variables: Some(&variables),
        ..Prompt::default()
    };
    assert_eq!(template.render(prompt).unwrap(), "happy Hi");
}
