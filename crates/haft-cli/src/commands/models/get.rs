//! `haft models get`: says where model files are, and how to get and use one. Nothing is downloaded.
//!
//! Repositories, names and sizes of the files are those of their makers' pages on Hugging Face, as
//! of November 2026; all have chat templates with tools.

use crate::failure::{Exit, Failure};
use crate::output::print_text;

/// A model file that anybody may download.
struct ModelFile {
    /// The repository on Hugging Face.
    repository: &'static str,
    file: &'static str,
    size: &'static str,
    license: &'static str,
    what_for: &'static str,
}

/// Models of one maker in three sizes.
const FILES: [ModelFile; 3] = [
    ModelFile {
        repository: "Qwen/Qwen3-0.6B-GGUF",
        file: "Qwen3-0.6B-Q8_0.gguf",
        size: "0.6 GB",
        license: "Apache-2.0",
        what_for: "the smallest that chooses tools; for a board or an old laptop",
    },
    ModelFile {
        repository: "Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        file: "qwen2.5-1.5b-instruct-q4_k_m.gguf",
        size: "1.1 GB",
        license: "Apache-2.0",
        what_for: "answers at once, without reasoning",
    },
    ModelFile {
        repository: "Qwen/Qwen3-4B-GGUF",
        file: "Qwen3-4B-Q4_K_M.gguf",
        size: "2.5 GB",
        license: "Apache-2.0",
        what_for: "for a machine with 8 GB and four cores",
    },
];

/// What a haft without the engine adds.
const NO_ENGINE: &str = "\n\nThis haft has no engine for such files: get one with `cargo install \
    --path crates/haft-cli --features local`.";

pub(super) fn run() -> Result<Exit, Failure> {
    let note = if cfg!(feature = "local") {
        ""
    } else {
        NO_ENGINE
    };
    print_text(&format!("{}{note}", text()))?;
    Ok(Exit::Success)
}

fn text() -> String {
    let files = FILES.iter().map(|model| {
        format!(
            "  {}  {}\n      about {}, {}; {}",
            model.repository, model.file, model.size, model.license, model.what_for
        )
    });
    let files: Vec<_> = files.collect();
    let [first, ..] = &FILES;
    format!(
        "A model for --model local:FILE is one file in the GGUF format, from Hugging Face for \
         example. haft downloads none itself. These know tools (sizes are approximate):\n\n\
         {files}\n\n\
         Get one, in either way:\n\n\
         \x20 huggingface-cli download {repository} {file} --local-dir .\n\
         \x20 curl -L -O https://huggingface.co/{repository}/resolve/main/{file}\n\n\
         Then ask it:\n\n\
         \x20 haft ask --model local:{file} \"What time is it in Tokyo?\"\n\n\
         It needs as much memory as its file, and up to about a gigabyte for its context. Other \
         instruction-tuned models work too; the tools are taught in the prompt where a model's chat \
         template has none.",
        files = files.join("\n"),
        repository = first.repository,
        file = first.file,
    )
}
