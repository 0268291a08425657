use super::*;

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
        let template = hostile.repeat(MAX_TEMPLATE / hostile.len());
        assert!(!starts_thinking(&template), "{hostile}");
    }
}
