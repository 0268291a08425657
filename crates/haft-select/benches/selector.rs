//! How long a query takes.
fn main() {
    divan::main();
}
