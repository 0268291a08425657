//! Lets the linker make the release smaller by a tenth, where it can: equal functions are kept
//! once, and the places that are adapted when the program is loaded are listed in packed form.
//!
//! Neither is known to every linker, nor the second to every C library (glibc has it since 2.36),
//! so each is tried on an empty program, which must run here.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

/// In the words of LLD and, the second, of GNU ld since 2.38.
const ARGUMENTS: [&str; 2] = ["-Wl,--icf=all", "-Wl,-z,pack-relative-relocs"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if !is_release || env::var_os("HOST") != env::var_os("TARGET") {
        return;
    }
    for argument in ARGUMENTS {
        if links(argument) == Some(true) {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
}

/// True if a program that is linked with `argument`, as the real one will be, runs.
fn links(argument: &str) -> Option<bool> {
    let folder = env::var_os("OUT_DIR")?;
    let folder = Path::new(&folder);
    let source = folder.join("empty.rs");
    let program = folder.join("empty");
    std::fs::write(&source, "fn main() {}\n").ok()?;
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let flags = flags.split('\x1f').filter(|flag| !flag.is_empty());
    let mut rustc = Command::new(env::var_os("RUSTC")?);
    rustc.arg(&source).arg("-o").arg(&program).args(flags);
    rustc.args(["-C", &format!("link-arg={argument}")]);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        rustc
            .arg("-C")
            .arg(format!("linker={}", Path::new(&linker).display()));
    }
    let mut run = Command::new(&program);
    let succeeds = |command: &mut Command| {
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().map(|status| status.success()).ok()
    };
    Some(succeeds(&mut rustc)? && succeeds(&mut run)?)
}
