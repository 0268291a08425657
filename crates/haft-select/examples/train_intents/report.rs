//! The training report, as a page in Markdown.

use haft_select::intent::Weights;
use haft_select::{Intent, IntentClassifier};

use crate::data::{Collection, Example, known_words};
use crate::measure::Measured;
use crate::{SEED, fit, only, pack};

/// The weight of a template sentence relative to one from a dataset.
const TEMPLATE_WEIGHT: f32 = 0.5;

/// The number of folds in the cross-validation.
const FOLDS: u64 = 5;

/// The source that is left out to measure the accuracy for other speakers.
const OTHER_SPEAKERS: &str = "hwu64";

/// Trains, measures and prints; returns the file of the classifier.
pub(crate) fn whole(data: &Collection) -> Vec<u8> {
    println!(
        "<!-- Written by `cargo run --release -p haft-select --example train_intents`. -->\n\n# Training report\n"
    );
    let weights = learn(&[&data.train, &data.templates], TEMPLATE_WEIGHT);
    let classifier = IntentClassifier::with_weights(&weights);
    let dev = Measured::of(&classifier, &data.dev);
    println!("## On `dev`\n");
    classes(&dev);
    sources(&dev);
    println!("## Which tools stay\n");
    let tuned = left_out(data, TEMPLATE_WEIGHT);
    let others = others(data);
    kept(&[
        ("training, left out in turn", &tuned),
        ("`dev`", &dev),
        ("other speakers", &others),
    ]);
    curve(&[&tuned, &dev, &others]);
    println!("## Questions that knowledge or the web answers\n");
    templates_curve(data);
    // The final model is trained on all data.
    let all = [&data.train[..], &data.dev, &data.templates];
    let examples: Vec<Example> = all.concat();
    bytes(&examples.iter().collect::<Vec<_>>(), TEMPLATE_WEIGHT)
}

/// The figures for one file of queries.
pub(crate) fn evaluation(name: &str, classifier: &IntentClassifier<'_>, examples: &[Example]) {
    let measured = Measured::of(classifier, examples);
    println!("## {name}\n");
    classes(&measured);
    sources(&measured);
    kept(&[(name, &measured)]);
}

fn learn(parts: &[&[Example]], template_weight: f32) -> Weights {
    let examples: Vec<&Example> = parts.iter().copied().flatten().collect();
    Weights::from_bytes(&bytes(&examples, template_weight)).expect("what was packed can be read")
}

fn bytes(examples: &[&Example], template_weight: f32) -> Vec<u8> {
    let model = fit::fit(examples, template_weight, SEED);
    let examples: Vec<Example> = examples.iter().copied().cloned().collect();
    pack::pack(&model, known_words(&examples))
}

/// Cross-validated results on the training texts.
fn left_out(data: &Collection, template_weight: f32) -> Measured {
    let mut all = Measured::default();
    for fold in 0..FOLDS {
        let rest = only(&data.train, |example| example.part() % FOLDS != fold);
        let out = only(&data.train, |example| example.part() % FOLDS == fold);
        let weights = learn(&[&rest, &data.templates], template_weight);
        let measured = Measured::of(&IntentClassifier::with_weights(&weights), &out);
        all.said.extend(measured.said);
    }
    all
}

/// Results on the queries of speakers who are not in the training data.
fn others(data: &Collection) -> Measured {
    let rest = only(&data.train, |example| example.source != OTHER_SPEAKERS);
    let out = only(&data.train, |example| example.source == OTHER_SPEAKERS);
    let weights = learn(&[&rest, &data.templates], TEMPLATE_WEIGHT);
    Measured::of(&IntentClassifier::with_weights(&weights), &out)
}

fn classes(measured: &Measured) {
    let (count, accuracy, f1) = (
        measured.said.len(),
        measured.accuracy(),
        measured.macro_f1(),
    );
    println!("{count} queries: accuracy **{accuracy:.2} %**, macro-F1 **{f1:.2}**.\n");
    println!(
        "| truth | device | datetime | web | general | chitchat | action | precision | recall |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (intent, row) in Intent::ALL.into_iter().zip(measured.confusion()) {
        let cells: Vec<_> = row.iter().map(ToString::to_string).collect();
        let (precision, recall) = measured.precision_and_recall(intent);
        println!(
            "| {intent} | {} | {precision:.1} | {recall:.1} |",
            cells.join(" | ")
        );
    }
    println!();
}

fn sources(measured: &Measured) {
    let mut names: Vec<_> = measured
        .said
        .iter()
        .map(|(_, source, _)| source.clone())
        .collect();
    names.sort();
    names.dedup();
    println!("| source | queries | accuracy |\n|---|---|---|");
    for name in names {
        let part = measured.of_source(&name);
        println!(
            "| {name} | {} | {:.1} % |",
            part.said.len(),
            part.accuracy()
        );
    }
    println!();
}

fn kept(parts: &[(&str, &Measured)]) {
    println!(
        "| queries | accuracy | nothing withheld | device tools stay for device queries | and for others | datetime tools stay for datetime queries | and for others | other tools stay for action queries | and for others |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, measured) in parts {
        print!(
            "| {name} | {:.1} % | {:.1} % |",
            measured.accuracy(),
            measured.open()
        );
        for intent in [Intent::Device, Intent::Datetime, Intent::Action] {
            let (own, others) = measured.kept(intent);
            print!(" **{own:.1} %** | {others:.1} % |");
        }
        println!();
    }
    println!();
}

/// For each threshold, the shares of lost and of needlessly kept tools, by the learned scores
/// alone.
fn curve(parts: &[&Measured; 3]) {
    println!(
        "| device tools stay from | training, left out: lost | kept in vain | `dev`: lost | kept in vain | other speakers: lost | kept in vain |"
    );
    println!("|---|---|---|---|---|---|---|");
    for threshold in [0.5, 0.2, 0.1, 0.05, 0.04, 0.03, 0.025, 0.02, 0.015, 0.01] {
        print!("| {threshold} |");
        for measured in parts {
            let (own, others) = measured.kept_at(Intent::Device, threshold);
            print!(" {:.1} % | {others:.1} % |", 100.0 - own);
        }
        println!();
    }
    println!();
}

/// The effect of our own sentences, by their weight.
fn templates_curve(data: &Collection) {
    const HOME: [Intent; 2] = [Intent::Device, Intent::Datetime];
    const ANSWERED: [Intent; 2] = [Intent::General, Intent::Web];
    println!(
        "| a template counts | training, left out: accuracy | macro-F1 | `dev`: accuracy | macro-F1 | open questions: general or web | device or datetime | out of scope: general or web | device or datetime |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for weight in [0.0, 0.1, 0.25, TEMPLATE_WEIGHT, 1.0] {
        let weights = learn(&[&data.train, &data.templates], weight);
        let classifier = IntentClassifier::with_weights(&weights);
        let dev = Measured::of(&classifier, &data.dev);
        print!("| {weight} |");
        for measured in [&left_out(data, weight), &dev] {
            print!(
                " {:.2} % | {:.2} |",
                measured.accuracy(),
                measured.macro_f1()
            );
        }
        for examples in [&data.open_questions, &data.out_of_scope] {
            let measured = Measured::of(&classifier, examples);
            let (answered, home) = (measured.labelled(&ANSWERED), measured.labelled(&HOME));
            print!(" {answered:.1} % | {home:.1} % |");
        }
        println!();
    }
    println!();
}
