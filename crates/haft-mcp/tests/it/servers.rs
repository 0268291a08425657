//! The servers for the tests; each is a test of this program that does nothing by itself.

pub(crate) mod changing_tools;
pub(crate) mod scripted_tools;
pub(crate) mod stub_server;

/// Not a test of its own: runs the misbehaving server if this program was started as one.
#[test]
fn misbehaving_server_process() {
    haft_testing::misbehaving_server::serve_if_asked();
}
