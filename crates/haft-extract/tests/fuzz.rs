//! Random damage to replies, arguments and schemas: no panic, no hang, the same answer however a
//! reply is cut, and the invariants that callers rely on. A hundred or so inputs per mode by
//! default and thousands in CI, the same ones each time; `HAFT_FUZZ_SECONDS=60` goes on for a
//! minute, and `HAFT_FUZZ_SEED` begins elsewhere. A failure is shown in its smallest form, with the
//! command that repeats it.
//!
//! The damage is done in `support/mutator.rs`, the trying and shrinking in `support/campaign.rs`,
//! schemas and arguments for them are made in `support/instances.rs`.
//!
//! A test program of its own: CI runs it alone, where it may use every core.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may panic"
)]

mod support;

use fastrand::Rng;
use haft_extract::{match_arguments_text, read_arguments_text};
use haft_schema::{Coerced, CompiledSchema, Guessing};
use serde_json::Value;
use support::campaign::{self, Fault};
use support::instances::{self, Instance};
use support::mutator::Mutator;
use support::notations;
use support::subject::{self, Subject, Tools};

#[test]
fn damaged_replies_read_the_same_however_cut() {
    let mutator = Mutator::new();
    let make = move |random: &mut Rng| Subject::random(mutator.reply(random), random);
    campaign::run("damaged_replies", make, subject::is_steady);
}

#[test]
fn damaged_arguments_read_the_same_however_cut() {
    let mutator = Mutator::new();
    let make = move |random: &mut Rng| {
        let (before, arguments, after) = notations::random(random);
        let arguments = mutator.damage(arguments.into_bytes(), random);
        let reply = [before.as_bytes(), &arguments, after.as_bytes()].concat();
        let mut subject = Subject::random(reply, random);
        subject.tools = Tools::Home;
        subject
    };
    let check = |subject: &Subject| {
        arguments_alone(&String::from_utf8_lossy(&subject.reply))?;
        subject::is_steady(subject)
    };
    campaign::run("damaged_arguments", make, check);
}

#[test]
fn whatever_is_read_keeps_its_promises() {
    let mutator = Mutator::new();
    let make = move |random: &mut Rng| Subject::random(mutator.reply(random), random);
    campaign::run("whatever_is_read", make, subject::keeps_promises);
}

#[test]
fn coercion_is_done_once_and_ends_valid() {
    campaign::run("coercion", instances::random, coercion_holds);
}

/// What a model server hands over as arguments, damaged: what can be read is read the same again
/// once it is written as JSON.
fn arguments_alone(text: &str) -> Result<(), Fault> {
    let _ = match_arguments_text(&Tools::Home.set(), text);
    let Ok((arguments, _)) = read_arguments_text(text) else {
        return Ok(());
    };
    let written = serde_json::to_string(&arguments).unwrap();
    match read_arguments_text(&written) {
        Ok((again, repairs)) if again == arguments && repairs.is_empty() => Ok(()),
        other => {
            let details = format!("read as {written}, and that as {other:?}");
            Err(Fault::new("arguments that are JSON change", details))
        }
    }
}

fn coercion_holds(instance: &Instance) -> Result<(), Fault> {
    let Ok(schema) = CompiledSchema::new(&instance.schema) else {
        return Ok(());
    };
    for guessing in [Guessing::Forbidden, Guessing::Allowed] {
        coercion_holds_with(&schema, instance, guessing)?;
    }
    Ok(())
}

/// True when the arguments are called as coercion left them.
fn has_all_names(checked: &Coerced, once: &Coerced) -> bool {
    once.arguments.keys().eq(checked.arguments.keys())
}

/// True when each argument is called like a parameter, where parameters are named.
fn has_only_parameters(instance: &Instance, once: &Coerced) -> bool {
    let Some(parameters) = instance.schema["properties"].as_object() else {
        return true;
    };
    once.arguments
        .keys()
        .all(|name| parameters.contains_key(name))
}

fn coercion_holds_with(
    schema: &CompiledSchema,
    instance: &Instance,
    guessing: Guessing,
) -> Result<(), Fault> {
    let given = &instance.arguments;
    let fault = |kind, value: &dyn std::fmt::Debug| {
        Err(Fault::new(kind, format!("{guessing:?}: {value:?}")))
    };
    let once = schema.coerce_with(given.clone(), guessing);
    let is_changed = once.arguments != *given;
    if is_changed && once.repairs.is_empty() {
        return fault("a change without a repair", &once);
    }
    let twice = schema.coerce_with(once.arguments.clone(), guessing);
    if twice.arguments != once.arguments {
        return fault("coercion goes on", &(&once, &twice));
    }
    match schema.check_with(given.clone(), guessing) {
        // A check also renames or leaves out arguments that no parameter takes.
        Ok(checked) if has_all_names(&checked, &once) && checked.arguments != once.arguments => {
            fault("check and coercion differ", &(&checked, &once))
        }
        Ok(checked) => match schema.validate(&checked.arguments) {
            Ok(()) => Ok(()),
            Err(violations) => fault("what was checked is not valid", &(&checked, violations)),
        },
        Err(violations) if violations.to_string().is_empty() => {
            fault("nothing is said", &violations)
        }
        // JSON Schema allows arguments that no parameter takes; a call may not have them.
        Err(violations) if violations.to_string().contains("unknown argument") => Ok(()),
        // A check takes a misspelt name for that of a parameter, which may allow less.
        Err(_) if !has_only_parameters(instance, &once) => Ok(()),
        Err(violations) => match schema.validate_value(&Value::Object(once.arguments.clone())) {
            Ok(()) => fault("what is valid was refused", &violations),
            Err(_) => Ok(()),
        },
    }
}
