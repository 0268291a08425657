//! Where datasets can be had.

use serde::Serialize;

/// A dataset, and how to get it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DatasetSource {
    /// What it is called.
    pub name: &'static str,
    /// What it has.
    pub about: &'static str,
    /// Where it is published.
    pub source: &'static str,
    /// Its licence, as an SPDX expression.
    pub licence: &'static str,
    /// The commands that get it and measure a model with it.
    pub commands: &'static [&'static str],
}

/// The datasets that are known to fit.
pub const DATASET_SOURCES: [DatasetSource; 2] = [
    DatasetSource {
        name: "home-50",
        about: "fifty home and everyday questions over the demo home",
        source: "part of haft",
        licence: "MIT OR Apache-2.0",
        commands: &["haft eval home-50 --model ollama:qwen3:0.6b"],
    },
    DatasetSource {
        name: "bfcl",
        about: "the questions of the Berkeley Function Calling Leaderboard with one turn, a file \
            for each category: simple_python, multiple, parallel, parallel_multiple, irrelevance, \
            live_simple and others",
        source: "https://github.com/ShishirPatil/gorilla",
        licence: "Apache-2.0",
        commands: &[
            "git clone --depth 1 https://github.com/ShishirPatil/gorilla",
            "haft eval gorilla/berkeley-function-call-leaderboard/bfcl_eval/data/BFCL_v4_multiple.json --model ollama:qwen3:0.6b",
        ],
    },
];
