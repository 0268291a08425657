//! Model files that are missing, broken, or too large.

use tempfile::TempDir;

use super::super::gguf::tests::Sample;
use super::*;

/// A file with these bytes, in a folder that it goes with.
fn file(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn refused(bytes: &[u8]) -> ModelError {
    let (_folder, path) = file(bytes);
    ModelFile::open(&path, None).unwrap_err()
}

#[test]
fn a_whole_file_opens_with_the_context_it_was_trained_on() {
    let (_folder, path) = file(&Sample::whole().bytes());
    let opened = ModelFile::open(&path, None).unwrap();
    assert_eq!(opened.context, 4096);
    assert_eq!(ModelFile::open(&path, Some(512)).unwrap().context, 512);
    assert_eq!(ModelFile::open(&path, Some(9999)).unwrap().context, 4096);
}

#[test]
fn a_context_is_limited_unless_a_larger_one_is_set() {
    let mut sample = Sample::whole();
    sample.number("llama.context_length", 131_072);
    let (_folder, path) = file(&sample.bytes());
    assert_eq!(ModelFile::open(&path, None).unwrap().context, 8192);
    assert_eq!(
        ModelFile::open(&path, Some(16_384)).unwrap().context,
        16_384
    );
}

#[test]
fn a_missing_file_is_named() {
    let error = ModelFile::open(Path::new("/nowhere/model.gguf"), None).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ModelNotFound);
    assert_eq!(
        error.to_string(),
        "There is no model file /nowhere/model.gguf"
    );
    assert!(error.hint().unwrap().contains("haft models get"));
}

#[test]
fn a_folder_is_no_model() {
    let folder = tempfile::tempdir().unwrap();
    let error = ModelFile::open(folder.path(), None).unwrap_err();
    assert!(error.to_string().ends_with("is not a file"), "{error}");
}

#[test]
fn another_format_is_named() {
    let error = refused(b"PK\x03\x04 and so on");
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("GGUF"), "{error}");
}

#[test]
fn a_file_that_was_cut_is_not_complete() {
    let bytes = Sample::whole().bytes();
    for length in [20, 200, bytes.len() - 300, bytes.len() - 1] {
        let error = refused(&bytes[..length]);
        assert!(
            error.to_string().ends_with("is not complete"),
            "{length}: {error}"
        );
        assert!(error.hint().unwrap().contains("download it again"));
    }
}

#[test]
fn a_model_that_does_not_fit_says_how_much_it_needs() {
    let (_folder, path) = file(&Sample::whole().bytes());
    let error = ModelFile::open_with(&path, None, Some(100 << 20)).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    let message = error.to_string();
    assert!(
        message.contains("0.2 GB of memory with a context of 4096 tokens"),
        "{message}"
    );
    assert!(ModelFile::open_with(&path, None, None).is_ok());
}

#[test]
fn a_path_may_begin_in_the_home_directory() {
    let home = || Some(PathBuf::from("/home/anna"));
    let path = from_home(Path::new("~/models/a.gguf"), home());
    assert_eq!(path, Path::new("/home/anna/models/a.gguf"));
    assert_eq!(
        from_home(Path::new("~b/a.gguf"), home()),
        Path::new("~b/a.gguf")
    );
    assert_eq!(from_home(Path::new("~/a"), None), Path::new("~/a"));
}

#[test]
fn free_memory_is_read_from_meminfo() {
    let meminfo = "MemTotal:       24689764 kB\nMemAvailable:   23456789 kB\n";
    assert_eq!(kilobytes_available(meminfo), Some(23_456_789));
    assert_eq!(kilobytes_available("MemTotal: 1 kB"), None);
}
