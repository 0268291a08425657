//! A haft without the engine.

use haft_core::ModelErrorKind;

use crate::{ModelSettings, ModelSpec, open_model};

#[test]
fn a_haft_without_the_engine_says_how_to_get_one() {
    let spec: ModelSpec = "local:/models/tiny.gguf".parse().unwrap();
    let error = open_model(&spec, &ModelSettings::default()).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Unsupported);
    assert!(error.to_string().contains("cannot run /models/tiny.gguf"));
    let hint = error.hint().unwrap();
    assert!(hint.contains("--features local"), "{hint}");
    assert!(hint.contains("llama-server"), "{hint}");
}
