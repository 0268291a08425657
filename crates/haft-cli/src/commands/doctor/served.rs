//! What the server of a named model tells about it.

use haft::models::{ServedModel, ServedSurvey, ServerKind, ToolSupport};

use super::findings::{Finding, MODELS_NAMED, State};

const SUBJECT: &str = "model";

/// How to get native tools from llama.cpp.
const OTHER_TEMPLATE: &str = "tools are taught in its prompt instead; for native ones take another \
    model, or give the server a chat template that has tools";

/// Whether the server has the model, and what it does with tools.
pub(super) fn finding(model: &ServedModel, survey: &ServedSurvey) -> Finding {
    let (name, address) = (&model.name, &survey.address);
    if let Some(problem) = &survey.problem {
        let finding = Finding::new(State::Failed, SUBJECT, problem.as_str());
        let hint = survey.hint.as_deref();
        return finding.with_hint(hint.unwrap_or("is the server running?"));
    }
    if survey.is_known == Some(false) {
        let text = format!(
            "the server at {address} does not have {name}{}",
            other(survey)
        );
        return Finding::new(State::Failed, SUBJECT, text).with_hint(remedy(model, survey));
    }
    let context = survey
        .context
        .map(|tokens| format!(", context {tokens} tokens"));
    let context = context.unwrap_or_default();
    match survey.tools {
        ToolSupport::Supported => {
            let text = format!("{name} at {address}: can call tools{context}");
            Finding::new(State::Ok, SUBJECT, text)
        }
        ToolSupport::Missing => {
            let text = format!("{name} at {address}: the server gives it no tools{context}");
            Finding::new(State::Warning, SUBJECT, text).with_hint(OTHER_TEMPLATE)
        }
        ToolSupport::Unknown => {
            let text = format!(
                "{name} at {address}: the server does not tell whether it has tools{context}"
            );
            Finding::new(State::Ok, SUBJECT, text)
        }
    }
}

/// The models that the server has.
fn other(survey: &ServedSurvey) -> String {
    let named: Vec<_> = survey.models.iter().take(MODELS_NAMED).cloned().collect();
    match (named.is_empty(), survey.models.len() > MODELS_NAMED) {
        (true, _) => String::new(),
        (false, true) => format!("; it has {}, ...", named.join(", ")),
        (false, false) => format!("; it has {}", named.join(", ")),
    }
}

fn remedy(model: &ServedModel, survey: &ServedSurvey) -> String {
    match model.kind() {
        ServerKind::Ollama => format!("install it with `ollama pull {}`", model.name),
        _ if survey.models.is_empty() => "load a model into the server".to_owned(),
        _ => "name one of its models".to_owned(),
    }
}
