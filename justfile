# Everything that CI checks, by name. `just` lists the recipes.

_list:
    @just --list

# Format the code.
fmt:
    cargo fmt --all

# What must hold before a change goes in: format, lints, documentation.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# All tests that need nothing but a Rust toolchain.
test:
    cargo test --workspace

# Suites against real engines; installs what they need.
test-outside:
    tests/outside/run

# Benchmarks.
bench:
    cargo bench -p haft-tools -p haft-mcp -p haft-agent -p haft-select

# The book, into target/book.
book:
    mdbook build
