use super::*;
use crate::Format;

fn named(template: &str) -> Option<&'static str> {
    Format::from_chat_template(template).map(Format::name)
}

/// A call in the words of each template, ours in their shape.
const CALLS: &[(&str, &str)] = &[
    (
        "hermes",
        "{{- '<tool_call>\\n{\"name\": \"' + call.name }}{{ '}\\n</tool_call>' }}",
    ),
    (
        "hermes",
        "{{ range .ToolCalls }}<tool_call>\n{\"name\": \"{{ .Function.Name }}\"}\n</tool_call>{{ end }}",
    ),
    (
        "qwen3_coder",
        "{{- '<tool_call>\\n<function=' + call.name + '>' }}{{ '<parameter=' + k }}",
    ),
    (
        "seed_oss",
        "{{ '<seed:tool_call>\\n<function=' + n }}<parameter=k>",
    ),
    (
        "deepseek_v3",
        "{{'<｜tool▁call▁begin｜>function<｜tool▁sep｜>' + n + '\\n```json\\n'}}",
    ),
    (
        "deepseek_v31",
        "{{'<｜tool▁call▁begin｜>' + n + '<｜tool▁sep｜>' + a}}",
    ),
    (
        "deepseek_v32",
        "{% set d = '｜DSML｜' %}{{ '<' + d + 'function_calls>' }}",
    ),
    ("deepseek_v4", "{{ '<｜DSML｜tool_calls>' }}"),
    ("deepseek_v41", "{{ '<｜DSML｜ calls>' }}"),
    (
        "llama3_json",
        "<|start_header_id|>{{ 'Write {\"name\": function name, \"parameters\": them}' }}",
    ),
    ("llama3_json", "{{ '<|python_tag|>' + tool }}"),
    (
        "functionary_v31",
        "<|start_header_id|>{{ '<function=' + n + '>' }}",
    ),
    ("mistral", "{{ '[TOOL_CALLS] [' }}{{ calls | tojson }}]"),
    ("mistral_args", "{{ '[TOOL_CALLS]' + n + '[ARGS]' + a }}"),
    (
        "glm45",
        "<tool_call>{{ n }}\n<arg_key>{{ k }}</arg_key>\n<arg_value>{{ v }}</arg_value>",
    ),
    (
        "glm47",
        "<tool_call>{{ n }}<arg_key>{{ k }}</arg_key><arg_value>{{ v }}</arg_value>",
    ),
    (
        "hy_v3",
        "<tool_calls><tool_call>{{ n }}<tool_sep><arg_key>{{ k }}</arg_key>",
    ),
    (
        "kimi_k2",
        "<|tool_call_begin|>{{ id }}<|tool_call_argument_begin|>{{ a }}<|tool_call_end|>",
    ),
    (
        "functiongemma",
        "{{ '<start_function_call>call:' + n + '{' }}",
    ),
    ("gemma4", "{{ '<|tool_call>call:' + n }}"),
    (
        "granite",
        "<|start_of_role|>assistant<|tool_call|>{{ calls }}",
    ),
    (
        "granite4",
        "<|start_of_role|>assistant<tool_call>{{ call }}</tool_call>",
    ),
    (
        "harmony",
        "<|start|>assistant<|channel|>commentary to=functions.{{ n }}<|message|>",
    ),
    (
        "minimax_m2",
        "<minimax:tool_call>\n<invoke name=\"{{ n }}\">",
    ),
    ("olmo3", "<function_calls>{{ calls }}</function_calls>"),
    ("anthropic_xml", "<function_calls><invoke name=\"{{ n }}\">"),
    ("hunyuan_a13b", "<tool_calls>[{{ calls }}]</tool_calls>"),
    (
        "lfm2",
        "List of tools: <|tool_list_start|>{{ tools }}<|tool_list_end|>",
    ),
    ("cohere", "<|START_ACTION|>[{{ calls }}]<|END_ACTION|>"),
];

#[test]
fn each_format_is_recognised_by_how_its_template_writes_a_call() {
    for (name, template) in CALLS {
        assert_eq!(named(template), Some(*name), "{template}");
    }
}

#[test]
fn a_template_without_calls_shows_no_format() {
    let none = [
        "",
        "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>' }}{% endfor %}",
        "{{ .System }}<|start_header_id|>user<|end_header_id|>{{ .Prompt }}<|eot_id|>",
        "<start_of_turn>user\n{{ .Content }}<end_of_turn>\n<start_of_turn>model\n",
        "[INST] {{ .Prompt }} [/INST]",
        "{% if '</think>' in content %}{{ content.split('</think>')[-1] }}{% endif %}",
        "{{ '<tool_response>' + result + '</tool_response>' }}",
        "a[i] < b and tool_call > 3",
    ];
    for template in none {
        assert_eq!(named(template), None, "{template}");
        assert!(!starts_thinking(template), "{template}");
    }
    let huge = "<tool_call>".repeat(limits::TEMPLATE / 8);
    assert_eq!(named(&huge), None);
}

const CHATML: &str = "{% for m in messages %}{{ '<|im_start|>' + m.role + m.content }}{% endfor %}";

fn with_end(end: &str) -> String {
    format!("{CHATML}{end}")
}

#[test]
fn a_prompt_that_opens_a_thought_is_seen() {
    let opened = [
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}",
        "{%- if add_generation_prompt -%}\n<|im_start|>assistant\n<think>\n{%- endif -%}\n",
        "{% if add_generation_prompt and not ns.is_tool %}{{'<｜Assistant｜><think>\\n'}}{% endif %}",
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% if enable_thinking is defined and enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{% else %}{{ '<think>\\n' }}{% endif %}{% endif %}",
        "{% if add_generation_prompt %}<|assistant|>{{- '</think>' if (enable_thinking is defined and not enable_thinking) else '<think>' -}}{% endif %}",
        "{% if add_generation_prompt %}{% if (enable_thinking is not defined) or enable_thinking %}<seed:think>{% endif %}{% endif %}",
        "{% if add_generation_prompt %}{{ ('</think>' if enable_thinking is false else '<think>') }}{% endif %}",
        "{{ '<|assistant|>' + '<think>' + '\\n' if add_generation_prompt else '' }}",
        "{% if not add_generation_prompt %}{{ eos }}{% else %}{{ '<think>' }}{% endif %}{% if add_generation_prompt %}<think>{% endif %}",
        "{% if a %}{% if add_generation_prompt %}<think>\n{% endif %}{% else %}x{% endif %}",
        "{% if add_generation_prompt %}{{ \"}} %} <think>\" }}{# a comment #}{% endif %}",
    ];
    for end in opened {
        assert!(starts_thinking(&with_end(end)), "{end}");
    }
}

#[test]
fn a_prompt_that_opens_none_or_only_when_asked_to_is_not() {
    let others = [
        "",
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% if enable_thinking is defined and enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}{% endif %}",
        "{% if add_generation_prompt %}{% if enable_thinking %}<think>{% else %}<think></think>{% endif %}{% endif %}",
        "{% if not thinking is defined %}{% set thinking = false %}{% endif %}{% if add_generation_prompt %}{% if not thinking %}</think>{% else %}<think>{% endif %}{% endif %}",
        "{% if add_generation_prompt %}{% for m in messages %}<think>{% endfor %}{% endif %}",
        "{% if add_generation_prompt %}<think>{{ messages[-1].thought }}{% endif %}",
        "{% if add_generation_prompt %}<think>{{ eos }}{% endif %}",
        "{% if add_generation_prompt %}write <think> first: {% endif %}",
        "{% if add_generation_prompt %}<|assistant|>{% else %}<think>{% endif %}",
        "{% if not add_generation_prompt %}<think>{% endif %}",
        "{% if add_generation_prompt %}{{ '<think></think>' }}{% endif %}",
        "<think>",
        "{{ '<think>' if add_generation_prompt and mode == 'deep' else '' }}",
    ];
    for end in others {
        assert!(!starts_thinking(&with_end(end)), "{end}");
    }
}

#[test]
fn a_go_template_is_read_by_its_last_text() {
    let go = "{{ range .Messages }}{{ .Content }}{{ end }}";
    let opened = [
        "<|im_start|>assistant\n<think>\n",
        "{{ if $last }}assistant<think>\n{{ end }}{{ end }}",
    ];
    for end in opened {
        assert!(starts_thinking(&format!("{go}{end}")), "{end}");
    }
    let others = [
        "<|im_start|>assistant\n",
        "{{ if and $.IsThinkSet (not $.Think) }}<think>\n\n</think>{{ end }}",
        "{{ if and $.IsThinkSet $.Think }}<think>{{ end }}",
        "{{ if .Thinking }}<think>{{ .Thinking }}{{ end }}",
    ];
    for end in others {
        assert!(!starts_thinking(&format!("{go}{end}")), "{end}");
    }
}

#[test]
fn a_template_cut_or_broken_anywhere_is_read_to_its_end() {
    let whole = with_end(
        "{% if add_generation_prompt and (not (a or b)) %}{{ \"<｜Assistant｜>\" + ('x' if (y) else '<think>') }}{% endif %}",
    );
    for (before, after) in (0..whole.len()).filter_map(|at| whole.split_at_checked(at)) {
        // Whatever they come to, both are read.
        starts_thinking(before);
        starts_thinking(after);
    }
    assert!(!starts_thinking(&whole));
    for hostile in [
        "{{",
        "{%",
        "{% if add_generation_prompt ",
        "{% if (",
        "'",
        "{# ",
        "{% else %}",
        "{% endif %}",
    ] {
        let template = hostile.repeat(limits::TEMPLATE / hostile.len());
        assert!(!starts_thinking(&template), "{hostile}");
    }
}
